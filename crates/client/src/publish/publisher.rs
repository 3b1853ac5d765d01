//! A server to publish to, and writes that take effect once.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;

use super::archival::Archival;
use super::differing_fields::DifferingFields;
use super::lock_file::LockFileError;
use super::lock_key::LockKey;
use crate::client::Client;
use crate::error::{ClientError, JournalError};
use crate::journal::{Intent, Journal, Operation, Unfinished};
use crate::recorded_server::RecordedServer;
use dibber_skill::contract::{HeartbeatId, SkillId};
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_text::escape_line;

/// A server to publish to, with the journal of the writes to it.
#[derive(Clone, Copy)]
pub struct Publisher<'a> {
    /// The client of the server.
    pub client: &'a Client,
    /// The writes that were begun and have not ended.
    pub journal: &'a Journal,
    /// The server as the journal records it.
    pub server: &'a RecordedServer,
    /// Returns the present.
    pub clock: fn() -> Timestamp,
}

/// A write that took effect. Until it is finished, the same write finds its key again.
#[derive(Debug)]
pub struct Written<T> {
    /// What the server has answered.
    pub answer: T,
    operation: Operation,
}

impl<T> Written<T> {
    /// Removes the write from the journal, after its answer was recorded.
    pub fn finish(self) -> Result<T, JournalError> {
        self.operation.finish()?;
        Ok(self.answer)
    }

    /// Returns `true` if it was begun by an earlier run, whose answer this is.
    pub const fn is_resumed(&self) -> bool {
        self.operation.is_resumed()
    }

    /// Returns `true` if the server had this id before the write was first sent.
    pub fn existed_before(&self, id: &str) -> bool {
        self.operation.existed_before(id)
    }

    /// Keeps the write in the journal with the id of what was created, and returns the id of the entry.
    pub(crate) fn keep_answer(&self, id: &str) -> Result<String, JournalError> {
        self.operation.keep_answer(id)?;
        Ok(self.operation.id())
    }

    /// Turns the answer into another one.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Written<U> {
        Written { answer: map(self.answer), operation: self.operation }
    }
}

/// Why something was not published.
#[derive(Debug)]
pub enum PublishError {
    /// A call failed.
    Call(ClientError),
    /// The journal cannot be used.
    Journal(JournalError),
    /// `dibber.lock` cannot be used.
    Lock(LockFileError),
    /// The server has answered a write, and has not stored these fields as they were sent.
    StoredDifferently {
        /// The skill.
        skill_id: SkillId,
        /// The names of the fields in a draft.
        fields: DifferingFields,
    },
    /// The server has accepted a skill, and what it has stored could not be read.
    NotVerified {
        /// The skill.
        skill_id: SkillId,
        /// Why it could not be read.
        cause: ClientError,
    },
    /// An interrupted push has created the skill, and since then it was pulled into another
    /// directory, which is recorded as it.
    PulledMeanwhile {
        /// The skill.
        skill_id: SkillId,
        /// That directory.
        directory: LockKey,
    },
    /// An interrupted push has created the skill, and it was archived since.
    ArchivedSinceCreation(SkillId),
    /// The server has answered a write of a skill, and does not have it.
    MissingSkill(SkillId),
    /// The server has answered a change of a heartbeat, and has not stored these fields.
    IgnoredHeartbeat {
        /// The heartbeat.
        heartbeat_id: HeartbeatId,
        /// The names of the arguments.
        fields: Vec<&'static str>,
    },
    /// The server has answered that it has cancelled a heartbeat, and still fires it.
    NotCancelled(HeartbeatId),
    /// The server has answered that it has archived or unarchived a skill, and has not.
    NotArchived {
        /// The skill.
        skill_id: SkillId,
        /// What it was to be.
        archival: Archival,
    },
    /// The server has answered that it has created a heartbeat, and does not list it.
    UnlistedHeartbeat {
        /// The heartbeat.
        heartbeat_id: HeartbeatId,
        /// The entry of the journal that keeps the answer, if no lock file records the heartbeat.
        entry: Option<String>,
    },
    /// Nothing was sent: since the creation of a heartbeat was planned, this one has appeared on the
    /// server, which may be the same.
    AppearedHeartbeat(HeartbeatId),
    /// An interrupted run has created the heartbeat, and it has another schedule by now.
    ChangedSinceCreation(HeartbeatId),
    /// An interrupted run has created the heartbeat, and another writer has cancelled it since.
    CancelledSinceCreation(HeartbeatId),
    /// A heartbeat was cancelled, and the one that takes its place was not created.
    NotReplaced {
        /// The heartbeat that was cancelled.
        cancelled: HeartbeatId,
        /// Why the other one was not created.
        cause: Box<Self>,
    },
    /// A heartbeat was cancelled and created again, as the one that takes its place was refused.
    Restored {
        /// The heartbeat that was created again.
        heartbeat_id: HeartbeatId,
        /// Why it was not paused, if it was to be.
        not_paused: Option<Box<Self>>,
        /// Why the other one was not created.
        cause: Box<Self>,
    },
    /// A heartbeat was created in the place of a paused one, and was not paused.
    NotPaused {
        /// The heartbeat that was created.
        created: HeartbeatId,
        /// Why it was not paused.
        cause: Box<Self>,
    },
}

impl PublishError {
    /// Returns what is known of the heartbeat that was to be created when this is why it is not in the
    /// place of the old one.
    pub const fn words_of_new_one(&self) -> &'static str {
        match self {
            Self::Call(
                ClientError::OutcomeUnknown(_)
                | ClientError::MayBeCreatedLater(_)
                | ClientError::MayBeCreated { .. },
            ) => "it is not known whether the new one was made",
            _ => "the new one was not made",
        }
    }
}

impl fmt::Display for PublishError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => error.fmt(f),
            Self::Journal(error) => error.fmt(f),
            Self::Lock(error) => error.fmt(f),
            Self::StoredDifferently { skill_id, fields } => {
                write!(f, "the server accepted {skill_id}, but {fields}")
            }
            Self::NotVerified { skill_id, cause } => write!(
                f,
                "the server accepted {skill_id}, and what it stored could not be read: {cause}"
            ),
            Self::PulledMeanwhile { skill_id, directory } => write!(
                f,
                "it was published by an interrupted push as {skill_id}, and pulled into {} \
                 meanwhile",
                escape_line(&shown_path(&from_current_directory(directory.skill_directory())))
            ),
            Self::ArchivedSinceCreation(skill_id) => {
                write!(
                    f,
                    "it was published by an interrupted push as {skill_id}, which is archived"
                )
            }
            Self::MissingSkill(skill_id) => {
                write!(f, "the server answered with {skill_id}, but does not have it")
            }
            Self::IgnoredHeartbeat { heartbeat_id, fields } => {
                let fields = fields.join("`, `");
                write!(f, "the server accepted {heartbeat_id}, but did not store `{fields}`")
            }
            Self::NotCancelled(id) => {
                write!(f, "the server accepted the cancel of {id}, but did not cancel it")
            }
            Self::NotArchived { skill_id, archival } => {
                let verb = archival.verb();
                write!(f, "the server accepted the {verb} of {skill_id}, but did not {verb} it")
            }
            Self::UnlistedHeartbeat { heartbeat_id, .. } => {
                write!(
                    f,
                    "the server answered that it has made {heartbeat_id}, but does not list it"
                )
            }
            Self::AppearedHeartbeat(id) => write!(
                f,
                "it was not made: {id}, which may be the same, was made on the server meanwhile"
            ),
            Self::ChangedSinceCreation(id) => write!(
                f,
                "it was made by an interrupted run, and another writer has changed it since ({id})"
            ),
            Self::CancelledSinceCreation(id) => {
                write!(f, "it was made by an interrupted run, and was cancelled since ({id})")
            }
            Self::NotReplaced { cancelled, cause } => {
                let new_one = cause.words_of_new_one();
                write!(f, "the old one was cancelled ({cancelled}), and {new_one}: {cause}")
            }
            Self::Restored { heartbeat_id, not_paused, cause } => {
                write!(f, "the new one was not made, and the old one is back ({heartbeat_id})")?;
                match not_paused {
                    Some(why) => write!(f, ", but is not paused ({why}): {cause}"),
                    None => write!(f, ": {cause}"),
                }
            }
            Self::NotPaused { created, cause } => {
                write!(f, "the new one was made ({created}), but is not paused: ")?;
                cause.fmt(f)
            }
        }
    }
}

impl std::error::Error for PublishError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Call(error) | Self::NotVerified { cause: error, .. } => error.source(),
            Self::Journal(error) => error.source(),
            Self::Lock(error) => error.source(),
            Self::StoredDifferently { .. }
            | Self::PulledMeanwhile { .. }
            | Self::ArchivedSinceCreation(_)
            | Self::MissingSkill(_)
            | Self::IgnoredHeartbeat { .. }
            | Self::NotCancelled(_)
            | Self::NotArchived { .. }
            | Self::UnlistedHeartbeat { .. }
            | Self::AppearedHeartbeat(_)
            | Self::ChangedSinceCreation(_)
            | Self::CancelledSinceCreation(_) => None,
            Self::NotReplaced { cause, .. }
            | Self::Restored { cause, .. }
            | Self::NotPaused { cause, .. } => cause.source(),
        }
    }
}

impl From<ClientError> for PublishError {
    fn from(error: ClientError) -> Self {
        Self::Call(error)
    }
}

impl From<JournalError> for PublishError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

impl From<LockFileError> for PublishError {
    fn from(error: LockFileError) -> Self {
        Self::Lock(error)
    }
}

impl Publisher<'_> {
    /// Returns the writes to this server that were begun and have not ended, by their subjects;
    /// of each subject, the oldest first.
    pub fn unfinished(&self) -> Result<BTreeMap<String, Vec<Unfinished>>, JournalError> {
        let mut by_subject: BTreeMap<String, Vec<Unfinished>> = BTreeMap::new();
        for unfinished in self.journal.unfinished()? {
            let Some(details) = &unfinished.details else { continue };
            if self.server.keys().any(|key| key == details.server)
                && let Some(subject) = details.subject.clone()
            {
                by_subject.entry(subject).or_default().push(unfinished);
            }
        }
        Ok(by_subject)
    }

    /// Removes the unfinished writes of a subject: its state was read, and needs no change.
    pub fn discard_unfinished(&self, subject: &str) -> Result<(), JournalError> {
        self.journal.discard_subject(self.server, subject)
    }

    /// Sends a write that takes effect once: it is in the journal before anything is sent, and
    /// resumed if it was begun before. For `send` and `has_effect`, see
    /// [`Operation::carry_out`].
    pub async fn write<T>(
        &self,
        intent: &Intent<'_>,
        send: impl AsyncFn(&Operation) -> Result<T, ClientError>,
        has_effect: impl AsyncFn(&T) -> Result<bool, ClientError>,
    ) -> Result<Written<T>, PublishError> {
        let operation = self.journal.begin(intent, (self.clock)())?;
        let (answer, operation) = operation.carry_out(send, has_effect).await?;
        Ok(Written { answer, operation })
    }
}
