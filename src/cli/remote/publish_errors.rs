//! The messages and exit codes of what was not published.

use super::call_errors::command_error;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_client::publish::{Archival, LockFileError, LockFileErrorKind, LockKey, PublishError};
use dibber_skill::contract::{HeartbeatId, SkillId};
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_text::{Message, message, quote_argument, quote_display, quote_in_full};

/// What to do about a heartbeat that has appeared, and may be the same as a new one.
const BOTH_WANTED: &str =
    "`dibber heartbeat list` shows it; if both are wanted, run the same command again";

impl From<PublishError> for CommandError {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Call(error) => command_error(&error),
            PublishError::Journal(error) => error.into(),
            PublishError::Lock(error) => error.into(),
            PublishError::NotReplaced { cancelled, cause } => {
                let id = quote_in_full(cancelled.as_str());
                let new_one = cause.words_of_new_one();
                let context = message!["the old one was cancelled (", id, "), and ", new_one];
                Self::from(*cause).with_context(context)
            }
            PublishError::Restored { heartbeat_id, not_paused, cause } => {
                let id = quote_in_full(heartbeat_id.as_str());
                let context =
                    message!["the new one was not made, and the old one is back (", id, ")"];
                let Some(why) = not_paused else {
                    return Self::from(*cause).with_context(context);
                };
                let id = quote_in_full(heartbeat_id.as_str());
                let help = message!["it runs by itself; `dibber heartbeat pause ", id, "` pauses it"];
                let context =
                    message![context, ", but is not paused (", quote_display(&why), ")"];
                Self::from(*cause).with_context(context).help(help)
            }
            PublishError::NotCancelled(_) => Self::new(quote_display(&error))
                .help("it still runs by itself; cancel it on the server itself, or pause it")
                .exit(Exit::Failed),
            PublishError::NotArchived { ref skill_id, archival } => {
                let help = archival_help(skill_id, archival);
                Self::new(quote_display(&error)).help(help).exit(Exit::Failed)
            }
            PublishError::UnlistedHeartbeat { ref heartbeat_id, ref entry } => {
                let help = unlisted_help(heartbeat_id, entry.as_deref());
                Self::new(quote_display(&error)).help(help).exit(Exit::Failed)
            }
            PublishError::ArchivedSinceCreation(ref skill_id) => {
                Self::new(quote_display(&error)).help(unarchive_help(skill_id)).exit(Exit::NotFound)
            }
            PublishError::MissingSkill(_) => Self::new(quote_display(&error))
                .help("`dibber skill list` shows what it has; run the same command again")
                .exit(Exit::Failed),
            PublishError::AppearedHeartbeat(_) => Self::new(quote_display(&error))
                .help(BOTH_WANTED)
                .exit(Exit::BadInput),
            PublishError::ChangedSinceCreation(_) => Self::new(quote_display(&error))
                .help("run the same command again to compare it with sprout.yaml")
                .exit(Exit::BadInput),
            PublishError::CancelledSinceCreation(_) => Self::new(quote_display(&error))
                .help("the same command with `--force` makes it again")
                .exit(Exit::BadInput),
            PublishError::NotVerified { .. } => Self::new(quote_display(&error))
                .help("run the same command again to compare what the server has with the files")
                .exit(Exit::Failed),
            PublishError::PulledMeanwhile { ref directory, .. } => {
                Self::new(quote_display(&error)).help(unlink_help(directory)).exit(Exit::BadInput)
            }
            PublishError::NotPaused { created, cause } => {
                let id = quote_in_full(created.as_str());
                let help = message!["it runs by itself; `dibber heartbeat pause ", id, "` pauses it"];
                let context = message!["the new one was made (", id, "), but is not paused"];
                Self::from(*cause).with_context(context).help(help)
            }
            PublishError::StoredDifferently { .. } | PublishError::IgnoredHeartbeat { .. } => Self::new(
                quote_display(&error),
            )
            .help(
                "`dibber diff` shows what the server has; change it there, or take it over with \
                     `dibber pull --force`",
            )
            .exit(Exit::Failed),
        }
    }
}

/// Returns what to do about a skill of an interrupted push that was archived since.
fn unarchive_help(id: &SkillId) -> Message {
    message!["`dibber skill unarchive ", quote_in_full(id.as_str()), "` unarchives it"]
}

/// Returns what to do about a skill that was not archived, or not unarchived.
fn archival_help(skill_id: &SkillId, archival: Archival) -> Message {
    message![
        "`dibber skill get ",
        quote_in_full(skill_id.as_str()),
        "` shows what the server has; ",
        archival.verb(),
        " it on the server itself"
    ]
}

/// Returns what to do about a heartbeat that was made, and that the server does not list.
fn unlisted_help(id: &HeartbeatId, entry: Option<&str>) -> Message {
    let id = quote_in_full(id.as_str());
    let cancel = message!["if it does not run, `dibber heartbeat cancel ", id, "` ends it"];
    match entry {
        Some(entry) => message![
            cancel,
            "; the same command makes another one once `dibber journal discard ",
            quote_in_full(entry),
            "` has removed its entry"
        ],
        None => message![cancel, ", so that the next push makes it again"],
    }
}

/// Returns what to do about a skill of an interrupted push that another folder is linked to.
fn unlink_help(directory: &LockKey) -> Message {
    let path = shown_path(&from_current_directory(directory.skill_directory()));
    message![
        "`dibber skill unlink ",
        quote_argument(&path),
        "`, and then the same command; of the two folders, remove one"
    ]
}

impl From<LockFileError> for CommandError {
    fn from(error: LockFileError) -> Self {
        let shown = Self::new(quote_display(&error));
        match error.kind {
            LockFileErrorKind::Invalid(error) => shown.help(error.help),
            LockFileErrorKind::Read(_)
            | LockFileErrorKind::NotUtf8
            | LockFileErrorKind::Write(_) => shown,
            LockFileErrorKind::Locked(_) => shown.help(
                "end the other dibber process, which may be stopped or asking a question, and run \
                 the same command again",
            ),
        }
    }
}
