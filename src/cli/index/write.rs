//! Writing the index of a site: a plan, a question if it replaces what others wrote, and then the plan.

use std::io;
use std::path::Path;

use super::arguments::IndexArgs;
use super::json::{IndexV1, ItemV1, ProblemV1, change_name};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::private_files::{PRIVATE, private_files};
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_catalog::well_known::{
    INDEX_PATH, Site, SiteChange, SiteChangeKind, SiteProblem, apply_site, plan_on_disk, plan_site,
    read_index,
};
use dibber_catalog::{Catalog, ContentsLimits};
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_text::{message, quote_in_full, quote_path};

/// What is asked before files of others are replaced.
const EXPLANATION: &str = "\
With yes, these files are replaced: they were not written by `dibber index`, or were changed since. With \
no, nothing is written.";

pub(super) fn run(
    directory: &Path,
    arguments: &IndexArgs,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let paths: Vec<_> = arguments.paths.iter().cloned().map(from_current_directory).collect();
    let catalog = Catalog::read(&paths);
    let mut site = plan_site(&catalog, ContentsLimits::ACCEPTED);
    site.problems.extend(private_problems(&catalog, ui)?);
    // What is no skill at all is left out as well.
    let others = catalog.problems.into_iter().filter(|problem| problem.is_left_out);
    site.problems.extend(others.map(|problem| SiteProblem {
        path: problem.path,
        message: problem.message,
        is_left_out: true,
    }));
    let changes = plan_on_disk(&site, directory).map_err(|error| cannot_read(directory, error))?;
    let exit = show_problems(&site, ui);
    if !arguments.json {
        show_changes(&changes, ui)?;
    }
    check_removals(&site, &changes, arguments)?;
    let is_changed = changes.iter().any(|change| change.kind != SiteChangeKind::Unchanged);
    let is_written = is_changed && !arguments.dry_run.is_set() && agree(&changes, arguments, ui)?;
    if is_written {
        write(&site, &changes, directory)?;
    }
    if arguments.json {
        let document = document(&site, &changes, directory, is_written, ui)?;
        ui.print_json(&document)?;
    }
    let skills = quantity(site.skills.len(), "skill", "skills");
    let done = match (is_written, is_changed) {
        (true, _) => "written",
        (false, true) => "not written",
        (false, false) => "up to date",
    };
    ui.eprintln(message!["The index has ", quote_in_full(&skills), ", and is ", done, "."]);
    Ok(exit)
}

/// Returns what others should not get, in the files of each skill.
fn private_problems(catalog: &Catalog, ui: &Ui) -> Result<Vec<SiteProblem>, CommandError> {
    let mut problems = Vec::new();
    for skill in catalog.skills.iter().filter(|skill| !skill.is_nested) {
        let (Some(contents), _) = skill.read(ContentsLimits::ACCEPTED) else { continue };
        for file in private_files(&contents, ui)? {
            problems.push(SiteProblem {
                path: skill.shown.clone(),
                message: message!["`", quote_in_full(&file), "` ", PRIVATE],
                is_left_out: false,
            });
        }
    }
    Ok(problems)
}

fn show_problems(site: &Site, ui: &mut Ui) -> Exit {
    let mut exit = Exit::Done;
    for problem in &site.problems {
        let message = message![quote_in_full(&problem.path), ": ", problem.message.clone()];
        if problem.is_left_out {
            let error = CommandError::new(message).exit(Exit::BadInput);
            ui.item_error(&error.help("the skill is not in the index"));
            exit = Exit::BadInput;
        } else {
            ui.warning(message);
        }
    }
    exit
}

fn show_changes(changes: &[SiteChange], ui: &mut Ui) -> Result<(), CommandError> {
    let line = |change: &SiteChange| {
        format!("{:<10} {}\n", change_name(change.kind), ui.shown(&change.path).in_full())
    };
    let lines: String = changes.iter().map(line).collect();
    ui.print(lines.as_bytes())
}

/// Refuses to remove anything while something cannot be read: a path may be misspelt, and a skill broken
/// only for now.
fn check_removals(
    site: &Site,
    changes: &[SiteChange],
    arguments: &IndexArgs,
) -> Result<(), CommandError> {
    let removed = changes.iter().filter(|change| change.kind == SiteChangeKind::Removed).count();
    let is_left_out = site.problems.iter().any(|problem| problem.is_left_out);
    if removed == 0 || !is_left_out || arguments.prune {
        return Ok(());
    }
    let files = quantity(removed, "file", "files");
    let message = message![
        quote_in_full(&files),
        " of the site would be removed, although not everything can be read; nothing was written"
    ];
    let error = CommandError::new(message).exit(Exit::BadInput);
    Err(error.help("correct what is left out; `--prune` removes the files all the same"))
}

/// Returns `true` if the plan is to be carried out.
fn agree(changes: &[SiteChange], arguments: &IndexArgs, ui: &mut Ui) -> Result<bool, CommandError> {
    let foreign: Vec<_> = changes.iter().filter(|change| change.is_foreign).collect();
    let Some(first) = foreign.first().filter(|_| !arguments.yes.is_set()) else { return Ok(true) };
    if !ui.can_ask() {
        let error =
            CommandError::cannot_confirm("`--yes` replaces the files that others have written");
        return Err(error.with_context(quote_in_full(&first.path)));
    }
    let files = quantity(foreign.len(), "file", "files");
    let question = message!["Replace ", quote_in_full(&files), " that others have written?"];
    let roster = ui.names()?;
    Asker::new(ui, &roster).confirm_explained(question, EXPLANATION, false)
}

fn write(site: &Site, changes: &[SiteChange], directory: &Path) -> Result<(), CommandError> {
    let interrupt = Interrupt::watch()?;
    let guard = interrupt.hold();
    let written = apply_site(site, changes, directory, || !interrupt.is_requested());
    drop(guard);
    written.map_err(|(path, error)| match error.kind() {
        io::ErrorKind::Interrupted => {
            CommandError::interrupted().help("run the same command again: it writes the rest")
        }
        _ => CommandError::io(message!["cannot write ", quote_path(&directory.join(path))], error),
    })
}

fn cannot_read(directory: &Path, error: io::Error) -> CommandError {
    CommandError::io(message!["cannot read the site in ", quote_path(directory)], error)
}

fn document(
    site: &Site,
    changes: &[SiteChange],
    directory: &Path,
    is_written: bool,
    ui: &Ui,
) -> Result<IndexV1, CommandError> {
    let index = site.file(INDEX_PATH).map(|file| read_index(&file.bytes));
    let Some(Ok(index)) = index else { unreachable!("a site has an index, which can be read") };
    let items = index.entries.iter().map(|entry| ItemV1::new(entry, ui));
    let problems = site
        .problems
        .iter()
        .map(|problem| ProblemV1::new(problem.is_left_out, &problem.path, &problem.message, ui));
    let items = items.collect::<Result<_, _>>()?;
    let problems = problems.collect::<Result<_, _>>()?;
    IndexV1::new(&shown_path(directory), is_written, items, changes, problems, ui)
}
