//! Why a skill is not published, for people.

use std::cmp::Reverse;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::refusal;
use crate::cli::remote::server_options::SelectedServer;
use crate::cli::term::wording::quantity;
use dibber_client::publish::{ChangedSides, LockKey, SkillBlocked, Unchangeable};
use dibber_skill::contract::{PolicyDecision, PolicyReason, SkillId};
use dibber_skill::diagnostic::Diagnostic;
use dibber_skill::discover::{self, shown_path};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::escape_line;

/// Why a skill is not published.
pub(super) struct Blocked {
    /// What was found in its files.
    pub(super) findings: Vec<Diagnostic>,
    pub(super) error: CommandError,
}

impl From<CommandError> for Blocked {
    fn from(error: CommandError) -> Self {
        Self { findings: Vec::new(), error }
    }
}

pub(super) fn by_lint(path: &str, findings: Vec<Diagnostic>) -> Blocked {
    let count = quantity(findings.len(), "finding", "findings");
    let message = format!("cannot publish {path}: {count} at level deny");
    let help = "fix it, or waive it with a reason; `dibber lint --fix` applies the safe fixes";
    let error = CommandError::new(message).help(help).exit(Exit::Findings);
    Blocked { findings, error }
}

pub(super) fn by_expected_hash(path: &str, expected: SpecHash, hash: SpecHash) -> CommandError {
    let message = format!(
        "SPEC_HASH_MISMATCH: {path} has another spec-hash\n  expected {expected}\n  found    {hash}"
    );
    let help = "check it with `dibber dry-run`, and pass the hash that it shows to `--expect`";
    CommandError::new(message).help(help).exit(Exit::BadInput)
}

pub(super) fn by_server(
    path: &str,
    reason: SkillBlocked,
    selected: &SelectedServer,
) -> CommandError {
    match reason {
        SkillBlocked::Archived { skill_id } => {
            let help = format!(
                "`dibber skill unarchive {path}{}` puts it to use again; `dibber push --new` \
                 publishes another skill",
                selected.typed_options
            );
            gone(path, &skill_id, "is archived now").help(help)
        }
        SkillBlocked::Missing { skill_id } => gone(path, &skill_id, "no longer exists"),
        SkillBlocked::MayBeMoved { from, skill_id } => {
            may_be_moved(path, &from, &skill_id, selected)
        }
        SkillBlocked::Unchangeable(arguments) => unchangeable(path, &arguments),
        SkillBlocked::ChangedElsewhere { skill_id, has_recorded_content, changes } => {
            changed_elsewhere(path, &skill_id, has_recorded_content, &changes, selected)
        }
        SkillBlocked::HashMismatch { here, there } => CommandError::new(format!(
            "SPEC_HASH_MISMATCH: the server has read {path} as another skill\n  here     \
             {here}\n  there    {there}"
        ))
        .help("nothing was written; check that the server and this dibber have the same version")
        .exit(Exit::BadInput),
        SkillBlocked::Refused(policy) => refused(path, policy),
        SkillBlocked::Call(error) => refusal::shown(&error).with_context(path),
    }
}

fn gone(path: &str, skill_id: &SkillId, is: &str) -> CommandError {
    CommandError::new(format!("{path} was published as {skill_id}, which {is}"))
        .help("`dibber push --new` publishes it as another skill")
        .exit(Exit::NotFound)
}

/// A skill at a new path that has the name of one whose directory is gone, and another content.
fn may_be_moved(
    path: &str,
    from: &LockKey,
    skill_id: &SkillId,
    selected: &SelectedServer,
) -> CommandError {
    let (path, id) = (escape_line(path), escape_line(skill_id.as_str()));
    let from = shown_path(&discover::from_current_directory(from.skill_directory()));
    let options = &selected.typed_options;
    CommandError::new(format!(
        "{path} was not sent: it may be {} at a new path, which was published as {id}",
        escape_line(&from)
    ))
    .help(format!(
        "`dibber skill link {path} {id}{options}` says that it is the same skill, `dibber push \
         --new {path}{options}` publishes it as another one"
    ))
    .exit(Exit::BadInput)
}

fn unchangeable(path: &str, arguments: &[Unchangeable]) -> CommandError {
    let names: Vec<_> = arguments.iter().map(|argument| argument.name()).collect();
    let message =
        format!("{path}: {} cannot be changed in a skill that is published", names.join(", "));
    CommandError::new(message)
        .help(
            "undo the change, or publish it as another skill with `dibber push --new`; the old one \
             stays, and can be archived",
        )
        .exit(Exit::BadInput)
}

/// A skill that another writer has changed, which a push would undo. If the directory has no
/// changes of its own, or only of other fields, a pull loses nothing.
fn changed_elsewhere(
    path: &str,
    skill_id: &SkillId,
    has_recorded_content: bool,
    changes: &ChangedSides,
    selected: &SelectedServer,
) -> CommandError {
    let (path, server) = (escape_line(path), escape_line(selected.name()));
    let options = &selected.typed_options;
    let id = escape_line(skill_id.as_str());
    let pull = match changes {
        ChangedSides::Server => {
            format!("`dibber pull {path}{options}` takes the skill of the server")
        }
        ChangedSides::Both => {
            format!("`dibber pull {path}{options}` merges the changes of both, to push them then")
        }
        ChangedSides::Colliding(_) => {
            format!("`dibber pull --force {path}{options}` takes the skill of the server")
        }
    };
    let reason = if has_recorded_content {
        let fields = match changes {
            ChangedSides::Colliding(fields) if !fields.is_empty() => {
                format!("; both have changed {}", fields.join(", "))
            }
            _ => String::new(),
        };
        format!("{id} was changed on {server} since it was last published or pulled here{fields}")
    } else {
        format!("dibber.lock does not record the content of {id}, which may have been changed")
    };
    CommandError::new(format!("cannot publish {path}: {reason}"))
        .help(format!(
            "`dibber diff {path}{options}` shows the difference; {pull}, `dibber push --force \
             {path}{options}` overwrites it"
        ))
        .exit(Exit::BadInput)
}

fn refused(path: &str, policy: PolicyDecision) -> CommandError {
    let mut reasons = policy.reasons;
    // What refuses it comes first; the order is kept otherwise.
    reasons.sort_by_key(|reason| Reverse(reason.decision));
    let error = match &reasons[..] {
        [] => CommandError::new(format!("{path} is refused, and the server gives no reason")),
        [PolicyReason { reason, message, fix, .. }] => {
            CommandError::new(format!("{path} is refused: {reason}: {message}")).help(fix)
        }
        several => {
            let mut text = format!("{path} is refused, for {} reasons", several.len());
            for PolicyReason { reason, path, message, fix, .. } in several {
                text += &format!("\n  {reason} at {path}: {message}\n    {fix}");
            }
            CommandError::new(text)
        }
    };
    error.exit(Exit::BadInput)
}
