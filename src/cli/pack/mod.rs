//! `dibber pack`.

mod arguments;
mod check;
mod json;
mod problems;
mod replaced;

use std::path::Path;

use clap::{ArgMatches, Args};

use self::arguments::PackArgs;
use self::json::PackV1;
use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::output::Output;
use super::private_files::{PRIVATE, private_files};
use super::term::ui::Ui;
use super::term::wording::quantity;
use dibber_catalog::pack::{PackPlan, PackProblem, plan_pack};
use dibber_catalog::{Catalog, ContentsLimits, SkillContents};
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_text::{message, quote_argument, quote_in_full, quote_path};

pub(super) const COMMAND: Command = Command { name: "pack", define: PackArgs::augment_args, run };

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: PackArgs = parse_args(matches);
    if let Some(archive) = &arguments.check {
        return check::run(archive, &arguments, ui);
    }
    let path = from_current_directory(arguments.path.clone());
    let (contents, shown) = load(&path, ui)?;
    let plan = plan_pack(&contents, arguments.options());
    let mut plan = plan.map_err(|message| CommandError::new(message).exit(Exit::BadInput))?;
    plan.problems.extend(private_files(&contents, ui)?.into_iter().map(private_problem));
    for problem in &mut plan.problems {
        problem.path = problem.path.take().map(|path| below(&shown, &path));
    }
    let output = arguments.output.clone();
    let output = output.unwrap_or_else(|| Output::File(plan.file_name().into()));
    if arguments.json && output == Output::StandardOutput {
        return Err(CommandError::new("the archive and JSON cannot both be printed")
            .help("write the archive to a file"));
    }
    check_outside(&output, &path, &plan)?;
    replaced::check_regular(&output)?;
    if !arguments.force && !arguments.dry_run.is_set() {
        replaced::check(&output, &contents)?;
    }
    let refused = problems::show(&plan.problems, ui);
    let is_written = !arguments.dry_run.is_set() && !refused;
    if is_written {
        output.write(&plan.bytes, ui)?;
    }
    if arguments.json {
        let document = PackV1::of_plan(&plan, &contents, output.file(), is_written, ui)?;
        ui.print_json(&document)?;
    } else if !refused && (!is_written || output != Output::StandardOutput) {
        show(&plan, &contents, output.file(), is_written, ui)?;
    }
    if refused {
        ui.eprintln("Nothing was written.");
        return Ok(Exit::BadInput);
    }
    Ok(Exit::Done)
}

fn private_problem(path: String) -> PackProblem {
    let (message, help) =
        (PRIVATE.into(), Some("take it out before others get the archive".into()));
    PackProblem { path: Some(path), position: None, message, help, is_error: false }
}

/// Returns the path of a file of a skill whose directory is shown as this.
fn below(directory: &str, path: &str) -> String {
    if directory == "." { path.to_owned() } else { format!("{directory}/{path}") }
}

/// Reads the one skill at a path. Returns it with its directory as it is shown.
fn load(path: &Path, ui: &mut Ui) -> Result<(SkillContents, String), CommandError> {
    let catalog = Catalog::read(&[path.to_owned()]);
    for problem in catalog.problems.iter().filter(|problem| problem.position.is_none()) {
        let message = message![quote_in_full(&problem.path), ": ", problem.message.clone()];
        if problem.is_left_out {
            return Err(CommandError::new(message));
        }
        ui.warning(message);
    }
    let outermost: Vec<_> = catalog.skills.iter().filter(|skill| !skill.is_nested).collect();
    let skill = match outermost[..] {
        [skill] => skill,
        [] => {
            let left_out = catalog.problems.iter().find(|problem| problem.is_left_out);
            let Some(problem) = left_out else {
                let message = message!["there is no skill at ", quote_path(path)];
                return Err(CommandError::new(message).help("name the directory of a SKILL.md"));
            };
            let message = message![quote_in_full(&problem.path), ": ", problem.message.clone()];
            return Err(CommandError::new(message).exit(Exit::BadInput));
        }
        [first, ..] => {
            let skills = quantity(outermost.len(), "skill", "skills");
            let message = message!["there are ", quote_in_full(&skills), " at ", quote_path(path)];
            let help = message!["name one: `dibber pack ", quote_argument(&first.shown), "`"];
            return Err(CommandError::new(message).help(help));
        }
    };
    let (contents, problems) = skill.read(ContentsLimits::ACCEPTED);
    // An archive without one of the files is another skill.
    if let Some(problem) = problems.first() {
        let message = message![quote_in_full(&skill.shown), ": ", problem.with_path()];
        return Err(CommandError::new(message).exit(Exit::BadInput));
    }
    let contents = contents
        .ok_or_else(|| CommandError::new("the skill cannot be read").exit(Exit::BadInput))?;
    Ok((contents, skill.shown.clone()))
}

/// An archive in the directory of its skill would be a part of the skill the next time.
fn check_outside(output: &Output, path: &Path, plan: &PackPlan) -> Result<(), CommandError> {
    let Some(file) = output.file() else { return Ok(()) };
    let parent = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let directory = if path.is_file() { path.parent().unwrap_or(path) } else { path };
    let (Ok(parent), Ok(directory)) = (parent.canonicalize(), directory.canonicalize()) else {
        return Ok(());
    };
    if !parent.starts_with(&directory) {
        return Ok(());
    }
    let name = plan.file_name();
    let error =
        CommandError::new("the archive would be in the directory of the skill, and a part of it");
    Err(error.help(message![
        "write it elsewhere, as with `--output ../",
        quote_argument(&name),
        "`"
    ]))
}

fn show(
    plan: &PackPlan,
    contents: &SkillContents,
    file: Option<&Path>,
    is_written: bool,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let size = quantity(plan.bytes.len(), "byte", "bytes");
    let shown = file.map_or_else(|| plan.file_name(), shown_path);
    if is_written {
        ui.eprintln(message!["Wrote ", quote_in_full(&shown), ", ", quote_in_full(&size), "."]);
    } else {
        let files = contents.files().map(|(path, file)| (path.as_str(), file.bytes.len()));
        let files: Vec<_> = files.collect();
        let listed = problems::table(&files, ui);
        ui.print(listed.as_bytes())?;
        let count = quantity(files.len(), "file", "files");
        let size = quote_in_full(&size);
        ui.eprintln(message![quote_in_full(&count), "; the archive has ", size, "."]);
    }
    let line = format!("{}  {}\n", plan.digest, ui.shown(&shown).in_full());
    ui.print(line.as_bytes())
}
