//! What keeps a skill from being published.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::choice::Choice;
use crate::cli::term::wording::quantity;
use dibber_client::publish::{Published, Unchangeable};
use dibber_skill::contract::StoredSkill;
use dibber_skill::diagnostic::Diagnostic;
use dibber_skill::spec_hash::SpecHash;
use dibber_text::escape_line;

/// What keeps a skill from being published.
pub(super) struct Stop {
    /// What was found in its files.
    pub(super) findings: Vec<Diagnostic>,
    pub(super) error: CommandError,
}

impl From<CommandError> for Stop {
    fn from(error: CommandError) -> Self {
        Self { findings: Vec::new(), error }
    }
}

pub(super) fn denied_by_lint(path: &str, findings: Vec<Diagnostic>) -> Stop {
    let count = quantity(findings.len(), "finding", "findings");
    let message = format!("{path} is not published: {count} at level deny");
    let hint = "fix it, or waive it with a reason; `dibber lint --fix` applies the safe fixes";
    let error = CommandError::new(message).help(hint).exit(Exit::Findings);
    Stop { findings, error }
}

pub(super) fn unexpected(path: &str, expected: SpecHash, hash: SpecHash) -> CommandError {
    let message = format!(
        "SPEC_HASH_MISMATCH: {path} is not what was expected\n  expected {expected}\n  it is    {hash}"
    );
    let hint = "look at it again with `dibber dry-run`, and give `--expect` the hash that it shows";
    CommandError::new(message).help(hint).exit(Exit::BadInput)
}

pub(super) fn gone(path: &str, skill_id: &str, is: &str) -> CommandError {
    CommandError::new(format!("{path} was published as {skill_id}, which {is}"))
        .help("`dibber push --new` publishes it as another skill")
        .exit(Exit::NotFound)
}

pub(super) fn impossible(path: &str, arguments: &[Unchangeable]) -> CommandError {
    let names: Vec<_> = arguments.iter().map(|argument| argument.name()).collect();
    let is_taken = arguments == [Unchangeable::AgeRange];
    let verb = if is_taken { "cannot be taken out of" } else { "cannot be changed in" };
    let message = format!("{path}: {} {verb} a skill that is published", names.join(", "));
    CommandError::new(message)
        .help(
            "put it back as it was, or make another skill of it with `dibber push --new`; the old \
             one stays, and can be archived",
        )
        .exit(Exit::BadInput)
}

/// A skill that another writer has changed, which a push would undo. Of a folder without changes
/// of its own, nothing is lost by a pull.
pub(super) fn changed_elsewhere(
    path: &str,
    old: &StoredSkill,
    choice: &Choice,
    published: &Published,
    hash: SpecHash,
) -> CommandError {
    let (path, server) = (escape_line(path), escape_line(choice.name()));
    let options = &choice.typed_options;
    let id = escape_line(&old.skill_id);
    let has_changes = published.spec_hash != hash.to_string();
    let pull = if has_changes { "pull --force" } else { "pull" };
    let reason = if published.content_hash.is_some() {
        format!("{id} was changed on {server} since it was last published or pulled here")
    } else {
        format!("dibber.lock does not record the content of {id}, which may have been changed")
    };
    CommandError::new(format!("{path} was not sent: {reason}"))
    .help(format!(
        "`dibber diff {path}{options}` shows the difference; `dibber {pull} {path}{options}` takes \
         the skill of the server, `dibber push --force {path}{options}` overwrites it"
    ))
    .exit(Exit::BadInput)
}
