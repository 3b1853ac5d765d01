//! What the linter says about the changed skill, and did not say before.

use std::sync::Arc;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::lint::today;
use dibber_lint::Settings;
use dibber_skill::diagnostic::Level;
use dibber_skill::discover::FoundSkill;
use dibber_skill::names::Roster;
use dibber_skill::revision::{RevisedFile, with_files};
use dibber_skill::skill::Skill;
use dibber_text::{message, quote_in_full};

/// Returns the errors of the skill with these files that it does not have without them.
pub(super) fn new_errors(
    found: &FoundSkill,
    skill: Skill,
    files: &[RevisedFile],
    roster: &Roster,
) -> Result<Vec<CommandError>, CommandError> {
    if !is_whole(&skill) {
        let path = quote_in_full(&found.shown);
        let message = message!["a file of ", path, " is not UTF-8, or is too large"];
        return Err(CommandError::new(message).exit(Exit::BadInput));
    }
    let settings = Settings::new(None, &[], today()).expect("no configuration to be invalid");
    let settings = settings.with_roster(Arc::new(roster.clone()));
    let errors = |skill: &Skill| {
        let found = dibber_lint::lint(skill, &settings).diagnostics.into_iter();
        let found = found.filter(|found| found.level == Level::Deny);
        found.map(|it| (it.message, it.help.unwrap_or_default())).collect::<Vec<_>>()
    };
    let known = errors(&skill);
    let after = errors(&with_files(skill, files));
    let new = after.into_iter().filter(|error| !known.contains(error));
    Ok(new
        .map(|(message, help)| {
            let error = CommandError::new(quote_in_full(&message)).exit(Exit::BadInput);
            if help.is_empty() { error } else { error.help(quote_in_full(&help)) }
        })
        .collect())
}

/// Returns `true` if the files were read as they are on disk, to the byte.
fn is_whole(skill: &Skill) -> bool {
    skill.is_whole_text() && skill.resources.iter().all(|file| file.source.not_utf8().is_none())
}
