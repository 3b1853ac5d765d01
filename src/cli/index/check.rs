//! `dibber index --check`.

use std::path::Path;

use super::checked::Checked;
use super::json::{IndexV1, ItemV1, ProblemV1};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_catalog::well_known::{IndexProblem, check_directory};
use dibber_text::{Message, message, quote, quote_in_full};

pub(super) fn run(site: &str, is_json: bool, ui: &mut Ui) -> Result<Exit, CommandError> {
    let is_url = site.starts_with("http://") || site.starts_with("https://");
    let checked = if is_url { check_url(site)? } else { check_path(Path::new(site))? };
    let problems = problems(&checked);
    let mut exit = checked.exit;
    for problem in &problems {
        let message = message![place(&checked, &problem.pointer), problem.message.clone()];
        if problem.is_error {
            ui.item_error(&CommandError::new(message).exit(Exit::Findings));
            exit = exit.worst(Exit::Findings);
        } else {
            ui.warning(message);
        }
    }
    if is_json {
        print_json(&checked, &problems, ui)?;
    } else {
        print(&checked, ui)?;
    }
    let skills = quantity(checked.index.entries.len(), "skill", "skills");
    let errors = problems.iter().filter(|problem| problem.is_error).count();
    let warnings = quantity(problems.len() - errors, "warning", "warnings");
    let errors = quantity(errors, "error", "errors");
    let summary = format!("{skills}, {errors}, {warnings}");
    ui.eprintln(message![quote_in_full(&summary)]);
    Ok(exit)
}

/// Returns where a problem is: the skill, and the place in the index.
fn place(checked: &Checked, pointer: &str) -> Message {
    if pointer.is_empty() {
        return Message::default();
    }
    let at = pointer.strip_prefix("/skills/").and_then(|rest| rest.split('/').next()?.parse().ok());
    let skill = checked.index.entries.iter().find(|entry| Some(entry.at) == at);
    match skill {
        Some(skill) => message!["`", quote(&skill.name), "`: ", quote_in_full(pointer), ": "],
        None => message![quote_in_full(pointer), ": "],
    }
}

fn check_path(directory: &Path) -> Result<Checked, CommandError> {
    let checked = check_directory(directory).map_err(|message| {
        let directory = dibber_text::quote_path(directory);
        CommandError::new(message![directory, ": ", message]).exit(Exit::Findings)
    })?;
    let site = directory.join(checked.index_path).to_string_lossy().into_owned();
    Ok(Checked { site, index: checked.index, skills: checked.skills, exit: Exit::Done })
}

#[cfg(feature = "remote")]
use super::check_url::check_url;

#[cfg(not(feature = "remote"))]
fn check_url(_: &str) -> Result<Checked, CommandError> {
    Err(CommandError::new("this program was built without what reads sites"))
}

/// Returns what is wrong with the index, and then with each skill.
fn problems(checked: &Checked) -> Vec<IndexProblem> {
    let mut problems = checked.index.problems.clone();
    for (entry, skill) in checked.index.entries.iter().zip(&checked.skills) {
        match skill {
            Ok(check) => problems.extend(check.iter().cloned()),
            Err(message) => problems.push(IndexProblem {
                pointer: format!("/skills/{}/url", entry.at),
                message: message.clone(),
                is_error: true,
            }),
        }
    }
    problems
}

fn print(checked: &Checked, ui: &mut Ui) -> Result<(), CommandError> {
    let mut lines = String::new();
    for (entry, skill) in checked.index.entries.iter().zip(&checked.skills) {
        let is_valid =
            skill.as_ref().is_ok_and(|check| check.iter().all(|problem| !problem.is_error));
        let word = if is_valid { "ok" } else { "differs" };
        lines += &format!("{word:<8} {}\n", ui.shown(&entry.name).in_full());
    }
    ui.print(lines.as_bytes())
}

fn print_json(
    checked: &Checked,
    problems: &[IndexProblem],
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let items = checked.index.entries.iter().map(|entry| ItemV1::new(entry, ui));
    let items = items.collect::<Result<_, _>>()?;
    let problems = problems
        .iter()
        .map(|problem| ProblemV1::new(problem.is_error, &problem.pointer, &problem.message, ui));
    let problems = problems.collect::<Result<_, _>>()?;
    let document = IndexV1::new(&checked.site, false, items, &[], problems, ui)?;
    ui.print_json(&document)
}
