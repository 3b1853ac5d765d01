//! Why a skill is not published, for people.

use std::cmp::Reverse;

use super::reason_place::PlacedReason;
use crate::cli::dry_run::review::Review;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::server_options::SelectedServer;
use crate::cli::remote::withheld::{self, Withheld};
use crate::cli::remote::{call_errors, conflict, no_skills};
use crate::cli::term::wording::quantity;
use dibber_client::UnreadableItem;
use dibber_client::publish::{ChangedSides, Conflict, LockKey, SkillBlocked, Unchangeable};
use dibber_skill::contract::{PolicyDecision, PolicyReason, SkillId};
use dibber_skill::diagnostic::{Applicability, Diagnostic};
use dibber_skill::discover::{self, shown_path};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{
    Message, message, quote, quote_argument, quote_display, quote_in_full, quote_indented,
};

/// The most items of a list that are named because they cannot be read.
const UNREADABLE_SHOWN_MAX: usize = 3;

/// Why a skill is not published.
pub(super) struct Blocked {
    /// What was found in its files.
    pub(super) findings: Vec<Diagnostic>,
    pub(super) error: CommandError,
    /// The changes of both sides, if another writer has changed it.
    pub(super) conflict: Option<BlockedConflict>,
    /// The fields that the policy of the server refuses because of a name.
    pub(super) withheld: Withheld,
}

/// A skill that another writer has changed.
pub(super) struct BlockedConflict {
    pub(super) skill_id: SkillId,
    pub(super) changes: ChangedSides,
    pub(super) sides: Box<Conflict>,
}

impl From<CommandError> for Blocked {
    fn from(error: CommandError) -> Self {
        Self { findings: Vec::new(), error, conflict: None, withheld: Withheld::default() }
    }
}

pub(super) fn by_lint(path: &str, findings: Vec<Diagnostic>) -> Blocked {
    let count = quantity(findings.len(), "finding", "findings");
    let message = message![
        "cannot publish ",
        quote_in_full(path),
        ": ",
        quote_in_full(&count),
        " at level deny"
    ];
    let has = |applicability: Applicability| {
        findings
            .iter()
            .filter_map(|found| found.fix.as_ref())
            .any(|fix| fix.applicability == applicability)
    };
    let path = quote_argument(path);
    let help = if has(Applicability::Safe) {
        let fix = "fix it, or waive it with a reason; `dibber lint --fix ";
        message![fix, path, "` applies the safe fixes"]
    } else if has(Applicability::Unsafe) {
        let fix = "fix it, or waive it with a reason; `dibber lint --unsafe-fixes ";
        message![fix, path, "` applies fixes to review"]
    } else {
        "fix it, or waive it with a reason".into()
    };
    let error = CommandError::new(message).help(help).exit(Exit::Findings);
    Blocked { findings, ..error.into() }
}

pub(super) fn by_expected_hash(path: &str, expected: SpecHash, hash: SpecHash) -> CommandError {
    let message = message![
        "SPEC_HASH_MISMATCH: ",
        quote_in_full(path),
        " has another spec-hash\n  expected ",
        quote_display(expected),
        "\n  found    ",
        quote_display(hash)
    ];
    let help = message![
        "check it with `dibber dry-run ",
        quote_argument(path),
        "`, and pass the hash that it shows to `--expect`"
    ];
    CommandError::new(message).help(help).exit(Exit::BadInput)
}

pub(super) fn by_server(
    review: &Review,
    reason: SkillBlocked,
    selected: &SelectedServer,
) -> Blocked {
    let path = &review.path;
    let error = match reason {
        SkillBlocked::NotAllowed => {
            CommandError::new(message!["this machine refuses ", quote_in_full(path)])
                .help(message!["`dibber lint ", quote_argument(path), "` shows why"])
                .exit(Exit::Findings)
        }
        SkillBlocked::Archived { skill_id } => {
            let help = message![
                "`dibber skill unarchive ",
                quote_argument(path),
                quote_in_full(&selected.typed_options),
                "` unarchives it; ",
                push_new(path, selected),
                " publishes another skill"
            ];
            gone(path, &skill_id, "is archived now", selected).help(help)
        }
        SkillBlocked::Missing { skill_id } => gone(path, &skill_id, "no longer exists", selected),
        SkillBlocked::MayBeMoved { from, skill_id } => {
            may_be_moved(path, &from, &skill_id, selected)
        }
        SkillBlocked::SeveralSame { skill_ids } => may_exist(path, "content", &skill_ids, selected),
        SkillBlocked::SameLabel { skill_ids } => may_exist(path, "label", &skill_ids, selected),
        SkillBlocked::Unreadable { items } => unreadable(path, &items, selected),
        SkillBlocked::Unchangeable(arguments) => unchangeable(path, &arguments, selected),
        SkillBlocked::ChangedElsewhere { skill_id, has_recorded_content, changes, conflict } => {
            let error =
                changed_elsewhere(path, &skill_id, has_recorded_content, &changes, selected);
            let is_conflict = matches!(changes, ChangedSides::Conflict(_));
            let error = if is_conflict && has_recorded_content && conflict.base.is_none() {
                error.more_help(UNKNOWN_BASE_HELP)
            } else {
                error
            };
            let conflict = BlockedConflict { skill_id, changes, sides: conflict };
            return Blocked { conflict: Some(conflict), ..error.into() };
        }
        SkillBlocked::HashMismatch { here, there } => CommandError::new(message![
            "SPEC_HASH_MISMATCH: the server computed another spec-hash for ",
            quote_in_full(path),
            "\n  here     ",
            quote_display(here),
            "\n  there    ",
            quote_in_full(&there)
        ])
        .help("nothing was written; check that the server and this dibber have the same version")
        .exit(Exit::BadInput),
        SkillBlocked::Refused(mut policy) => {
            let withheld = Withheld::by_policy(&policy);
            withheld.mask_reasons(&mut policy, review.exact_arguments());
            return Blocked { withheld, ..refused(review, policy).into() };
        }
        SkillBlocked::Call(error) => {
            let shown = call_errors::command_error(&error);
            let shown = no_skills::with_help(shown, &error, path, selected);
            withheld::mask_skill(shown, review.exact_arguments()).with_context(quote_in_full(path))
        }
    };
    error.into()
}

/// Returns the command that publishes a folder as another skill.
fn push_new(path: &str, selected: &SelectedServer) -> Message {
    let (path, options) = (quote_argument(path), quote_in_full(&selected.typed_options));
    message!["`dibber push --new ", path, options, "`"]
}

fn gone(
    path: &str,
    skill_id: &SkillId,
    is: &'static str,
    selected: &SelectedServer,
) -> CommandError {
    CommandError::new(message![
        quote_in_full(path),
        " was published as ",
        quote_display(skill_id),
        ", which ",
        is
    ])
    .help(message![push_new(path, selected), " publishes it as another skill"])
    .exit(Exit::NotFound)
}

/// A skill at a new path that has the name of one whose directory is gone, and another content.
fn may_be_moved(
    path: &str,
    from: &LockKey,
    skill_id: &SkillId,
    selected: &SelectedServer,
) -> CommandError {
    let push_new = push_new(path, selected);
    let (argument, path) = (quote_argument(path), quote_in_full(path));
    let id = quote_in_full(skill_id.as_str());
    let from = shown_path(&discover::from_current_directory(from.skill_directory()));
    let options = quote_in_full(&selected.typed_options);
    CommandError::new(message![
        path,
        " was not sent: it may be ",
        quote_in_full(&from),
        " at a new path, which was published as ",
        id
    ])
    .help(message![
        "`dibber skill link ",
        argument,
        " ",
        id,
        options,
        "` says that it is the same skill, ",
        push_new,
        " publishes it as another one"
    ])
    .exit(Exit::BadInput)
}

/// A skill whose record was lost, and that these skills of the server, which are the same in `part`,
/// can be.
fn may_exist(
    path: &str,
    part: &'static str,
    skill_ids: &[SkillId],
    selected: &SelectedServer,
) -> CommandError {
    let (count, linked, means) = match skill_ids {
        [only] => (
            message!["a skill"],
            message![quote_in_full(only.as_str())],
            "` says that it is the same skill",
        ),
        several => {
            (message![several.len(), " skills"], message!["ID"], "` links it to one of them")
        }
    };
    let ids = skill_ids.iter().map(|id| message![quote_in_full(id.as_str())]);
    let push_new = push_new(path, selected);
    let (argument, path) = (quote_argument(path), quote_in_full(path));
    let options = quote_in_full(&selected.typed_options);
    CommandError::new(message![
        path,
        " was not sent: ",
        quote_in_full(selected.name()),
        " has ",
        count,
        " with its ",
        part,
        " that no folder is linked to: ",
        Message::join(ids, ", ")
    ])
    .help(message![
        "`dibber skill link ",
        argument,
        " ",
        linked,
        options,
        means,
        ", ",
        push_new,
        " publishes another one"
    ])
    .exit(Exit::BadInput)
}

/// A skill that is new, and may be one of the list of the server that cannot be read.
fn unreadable(path: &str, items: &[UnreadableItem], selected: &SelectedServer) -> CommandError {
    let items = items.iter().take(UNREADABLE_SHOWN_MAX).map(|item| match item.name() {
        Some(name) => message!["`", quote(name), "` (", quote(&item.cause), ")"],
        None => message!["an item (", quote(&item.cause), ")"],
    });
    CommandError::new(message![
        quote_in_full(path),
        " was not sent: it may be a skill that ",
        quote_in_full(selected.name()),
        " has, and that cannot be read: ",
        Message::join(items, ", ")
    ])
    .help(message![push_new(path, selected), " publishes another one"])
    .exit(Exit::BadInput)
}

fn unchangeable(path: &str, arguments: &[Unchangeable], selected: &SelectedServer) -> CommandError {
    let names: Vec<_> = arguments.iter().map(|argument| conflict::word(argument.name())).collect();
    let message = message![
        quote_in_full(path),
        ": the ",
        quote_in_full(&names.join(" and the ")),
        " cannot be changed in a skill that is published"
    ];
    CommandError::new(message)
        .help(message![
            "undo the change, or publish it as another skill with ",
            push_new(path, selected),
            "; the old one stays, and can be archived"
        ])
        .exit(Exit::BadInput)
}

/// Why lines are not merged if it is not known what was published.
const UNKNOWN_BASE_HELP: &str = "lines are merged only if this machine or one of the last 20 commits \
                                 of the folder has what was published";

/// A skill that another writer has changed, which a push would undo. If the directory has no
/// changes of its own, or only of other fields, a pull loses nothing.
fn changed_elsewhere(
    path: &str,
    skill_id: &SkillId,
    has_recorded_content: bool,
    changes: &ChangedSides,
    selected: &SelectedServer,
) -> CommandError {
    let (argument, path) = (quote_argument(path), quote_in_full(path));
    let server = quote_in_full(selected.name());
    let options = quote_in_full(&selected.typed_options);
    let id = quote_in_full(skill_id.as_str());
    let pull = match changes {
        ChangedSides::Server => {
            message!["`dibber pull ", argument, options, "` takes the skill of the server"]
        }
        ChangedSides::Both => {
            message![
                "`dibber push --merge ",
                argument,
                options,
                "` merges the changes of both and publishes them"
            ]
        }
        ChangedSides::Conflict(_) => {
            message!["`dibber pull --force ", argument, options, "` takes the skill of the server"]
        }
    };
    let reason = if has_recorded_content {
        let fields = match changes {
            ChangedSides::Conflict(fields) if !fields.is_empty() => {
                message!["; both have changed ", quote_in_full(&conflict::words(fields))]
            }
            _ => Message::default(),
        };
        let since = " since it was last published or pulled here";
        message![id, " was changed on ", server, since, fields]
    } else {
        message!["dibber.lock does not record the content of ", id, ", which may have been changed"]
    };
    let message = if has_recorded_content && matches!(changes, ChangedSides::Server) {
        message![path, " is behind: ", reason, ", and not here"]
    } else {
        message!["cannot publish ", path, ": ", reason]
    };
    CommandError::new(message)
        .help(message![
            "`dibber diff ",
            argument,
            options,
            "` shows the difference; ",
            pull,
            ", `dibber push --force ",
            argument,
            options,
            "` overwrites it"
        ])
        .exit(Exit::BadInput)
}

fn refused(review: &Review, policy: PolicyDecision) -> CommandError {
    let path = &review.path;
    let mut reasons = policy.reasons;
    // What refuses it comes first; the order is kept otherwise.
    reasons.sort_by_key(|reason| Reverse(reason.decision));
    let error = match &reasons[..] {
        [] => CommandError::new(message![
            quote_in_full(path),
            " is refused, and the server gives no reason"
        ]),
        [one] => {
            let PlacedReason { place, message } = PlacedReason::new(review, one);
            let (path, reason) = (quote_in_full(path), quote_in_full(&one.reason));
            let at = message![if place.is_empty() { "" } else { " at " }, quote_in_full(&place)];
            let message = quote_indented(message);
            CommandError::new(message![path, " is refused: ", reason, at, ": ", message])
                .help(quote_indented(&one.fix))
        }
        several => {
            let count = several.len();
            let mut text = message![quote_in_full(path), " is refused, for ", count, " reasons"];
            for found in several {
                let PolicyReason { reason, fix, .. } = found;
                let PlacedReason { place, message } = PlacedReason::new(review, found);
                let place = message!["\n  ", quote_in_full(reason), " at ", quote_in_full(&place)];
                let (message, fix) = (quote_indented(message), quote_indented(fix));
                text.push(message![place, ": ", message, "\n    ", fix]);
            }
            CommandError::new(text)
        }
    };
    error.exit(Exit::BadInput)
}
