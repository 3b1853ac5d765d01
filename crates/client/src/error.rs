//! What can go wrong between a client and its server.

use std::path::PathBuf;
use std::{fmt, io};

use jiff::Timestamp;

use super::address::Address;
use super::page_url::PageUrl;
use super::rpc_refusal::RpcRefusal;
use dibber_skill::contract::{HeartbeatId, SkillId, ToolError, WireEnum};

/// What is said of something that another writer has changed since it was read.
const CHANGED_MEANWHILE: &str = "was changed on the server meanwhile; nothing was sent for it";

/// What is said of something that has appeared since its creation was planned.
const APPEARED: &str = "was made on the server meanwhile; nothing was sent for it";

/// What is said of a call that may have taken effect.
const UNKNOWN: &str = "the outcome of the call is unknown";

/// Why a call failed.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientError {
    /// The server answered with an error of its contract.
    Refused(Box<ToolError>),
    /// A tool of a server with another contract answered with an error.
    Failed {
        /// Its message.
        message: String,
        /// Whether the tool may have changed something before it failed. Only the contract
        /// promises that an error means that nothing was changed.
        may_have_applied: bool,
    },
    /// A tool of a server with another contract answered with this error, and what it was to change is
    /// read to be as it was; nothing that was sent before may still take effect.
    NotApplied(String),
    /// The server answered a call of the Skills Protocol with an error, and nothing ran. A run that
    /// failed is no error.
    RpcRefused(Box<RpcRefusal>),
    /// The server answered the request with an error of JSON-RPC, and nothing was changed. A call
    /// with side effects that may have run before the error is [`Self::OutcomeUnknown`].
    Rejected(String),
    /// The server does not know the request: it lacks an optional part of the protocol.
    UnknownMethod(String),
    /// The server requires a token, and none or an invalid one was sent.
    Unauthorized,
    /// A token or another header would be sent to this server without encryption.
    TokenInClear(Address),
    /// The server has no tool of that name, in either spelling.
    NoTool(String),
    /// Nothing was sent: the schema of `skill_write` has no `dryRun`, so that a preview might publish.
    NoPreview,
    /// Nothing was changed: the server could not be reached, or it failed each time.
    Unreachable(String),
    /// Nothing was changed: the server was reached, but did not answer the request in time.
    NoAnswer(String),
    /// Nothing was changed: the server was reached, and its answer cannot be used.
    AnswerLost(String),
    /// Nothing was sent: the certificate of the server is not trusted, or not valid.
    InvalidCertificate(String),
    /// Nothing was changed: the server does not speak HTTP without encryption at an `http` address.
    EncryptionExpected,
    /// Nothing was sent: the server speaks without encryption at an `https` address.
    NotEncrypted(String),
    /// The server refused the request because of too many requests, and nothing was changed.
    TooManyRequests(String),
    /// The server refused the request until the user has opened a page, such as to sign in, and
    /// nothing was changed.
    PageRequired {
        /// What the page is for.
        message: String,
        /// The pages, as far as their URLs are valid.
        pages: Vec<PageUrl>,
    },
    /// The answer to a call with side effects was lost, so it is unknown whether it ran. Whether it
    /// can be repeated is its [`RetrySafety`](super::RetrySafety).
    OutcomeUnknown(String),
    /// A result was sent, and the answer was lost: it may have been posted, and on a server that does
    /// not honour keys, it may be posted twice.
    MayBePosted(String),
    /// A creation was sent, and it is not known whether it took effect: nothing was found that it has
    /// created, and the server, which may ignore keys, may still create it. It is not sent again in
    /// this run.
    MayBeCreatedLater(String),
    /// The answer to a creation was lost, and the server has items that were not there before and
    /// that may be what it has created, in another form; or it does not list what it creates. The
    /// creation is not sent again.
    MayBeCreated {
        /// Their ids, or their labels if they have none. None if the server does not list them.
        items: Vec<String>,
        /// The id of its entry in the journal.
        entry: String,
    },
    /// The answer of the server violates the protocol, or the contract of the tool.
    Protocol(String),
    /// The server has more skills than are searched for one with the content of a directory.
    TooManySkills {
        /// The most skills that are searched.
        limit: usize,
    },
    /// The server answers about a skill with an error that says nothing a program can read, and lists no
    /// skills: it does not have this one, or the token is that of another account.
    NoSkills {
        /// The skill.
        skill_id: SkillId,
        /// What the server says.
        message: String,
    },
    /// The list of the server leaves out what is damaged in its database, and this heartbeat may be
    /// a part of that: whether it exists is not known.
    MayBeDamaged(HeartbeatId),
    /// Nothing was sent: since the creation of a skill was planned, this one has appeared on the server,
    /// which has the same label.
    SkillAppeared(SkillId),
    /// Nothing was sent: another writer has changed the skill since it was read.
    SkillChanged(SkillId),
    /// Nothing was sent: another writer has changed or cancelled the heartbeat since it was listed.
    HeartbeatChanged(HeartbeatId),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => {
                let ToolError { code, reason, message, .. } = error.as_ref();
                f.write_str(code.name())?;
                if let Some(reason) = reason {
                    write!(f, " {reason}")?;
                }
                write!(f, ": {message}")
            }
            Self::Failed { message, .. } => {
                write!(f, "the tool answered with an error: {message}")
            }
            Self::NotApplied(message) => {
                write!(f, "the change was not applied: the tool answered with an error: {message}")
            }
            Self::RpcRefused(refusal) => write!(f, "the server refused the call: {refusal}"),
            Self::Rejected(cause) => write!(f, "the server rejected the request: {cause}"),
            Self::UnknownMethod(cause) => {
                write!(f, "the server does not know the request: {cause}")
            }
            Self::Unauthorized => {
                f.write_str("authentication failed: the token is missing, revoked or expired")
            }
            Self::TokenInClear(url) => write!(
                f,
                "credentials are not sent to `{}` over `http`, which is not encrypted",
                url.host()
            ),
            Self::NoTool(tool) => write!(f, "the server has no tool `{tool}`"),
            Self::NoPreview => f.write_str(
                "the server has no previews: its `skill_write` takes no `dryRun`, so nothing was sent",
            ),
            Self::Unreachable(cause) => write!(f, "the server cannot be reached: {cause}"),
            Self::NoAnswer(cause) => write!(f, "the server was reached, but gave {cause}"),
            Self::AnswerLost(cause) => write!(f, "the server was reached, but {cause}"),
            Self::InvalidCertificate(cause) => {
                write!(f, "the certificate of the server is not trusted: {cause}")
            }
            Self::EncryptionExpected => f.write_str(
                "the answer of the server is not HTTP; it probably expects an encrypted connection",
            ),
            Self::NotEncrypted(cause) => {
                write!(f, "the answer of the server is not encrypted: {cause}")
            }
            Self::TooManyRequests(cause) => {
                write!(f, "the server accepts no more requests for now: {cause}")
            }
            Self::PageRequired { message, .. } => {
                write!(f, "the server requires a page to be opened first: {message}")
            }
            Self::OutcomeUnknown(cause) => write!(f, "{UNKNOWN}: {cause}"),
            Self::MayBePosted(cause) => {
                write!(f, "it is unknown whether the result was posted: {cause}")
            }
            Self::MayBeCreatedLater(cause) => {
                write!(f, "{UNKNOWN}: {cause}; the server may still create it")
            }
            Self::MayBeCreated { items, .. } => write!(f, "{UNKNOWN}: {}", may_be_created(items)),
            Self::Protocol(cause) => write!(f, "protocol error: {cause}"),
            Self::TooManySkills { limit } => f.write_str(&too_many_skills(*limit)),
            Self::NoSkills { skill_id, message } => {
                write!(f, "the server lists no skills, and answers about {skill_id}: {message}")
            }
            Self::MayBeDamaged(id) => f.write_str(&may_be_damaged(id)),
            Self::SkillAppeared(id) => write!(f, "{id}, which has the same label, {APPEARED}"),
            Self::SkillChanged(id) => write!(f, "{id} {CHANGED_MEANWHILE}"),
            Self::HeartbeatChanged(id) => write!(f, "{id} {CHANGED_MEANWHILE}"),
        }
    }
}

/// Returns why one that is the same is not searched for.
fn too_many_skills(limit: usize) -> String {
    format!(
        "the server has more than {limit} skills, and only so many are searched for one that is the \
         same"
    )
}

/// Returns why it is not known whether a heartbeat exists.
fn may_be_damaged(id: &HeartbeatId) -> String {
    format!(
        "the heartbeat {id} is not listed, and may be one that is damaged in the database of the \
         server"
    )
}

/// Returns why it is not known whether something was created.
fn may_be_created(items: &[String]) -> String {
    if items.is_empty() {
        return "the server does not list what it creates".to_owned();
    }
    let items = items.join(", ");
    format!("since it was sent, the server has {items}, which may be what it has created")
}

impl std::error::Error for ClientError {}

impl ClientError {
    /// Returns the error of a call of which an attempt may have run.
    pub(super) fn with_unknown_outcome(self) -> Self {
        match self {
            Self::MayBeCreated { .. } | Self::MayBeCreatedLater(_) => self,
            error => Self::OutcomeUnknown(error.into_cause()),
        }
    }

    /// Returns the error of a creation of which an attempt may have run, and that is not sent again.
    /// What a tool says itself of its failure remains.
    pub(super) fn with_later_creation(self) -> Self {
        match self {
            Self::MayBeCreated { .. } | Self::Failed { .. } => self,
            error => Self::MayBeCreatedLater(error.into_cause()),
        }
    }

    /// Returns `true` if an attempt at the call may have changed something.
    pub(super) const fn may_have_applied(&self) -> bool {
        matches!(self, Self::OutcomeUnknown(_) | Self::Failed { may_have_applied: true, .. })
    }

    /// Returns what happened, as a part of a sentence.
    fn into_cause(self) -> String {
        match self {
            Self::Unreachable(cause)
            | Self::NoAnswer(cause)
            | Self::AnswerLost(cause)
            | Self::TooManyRequests(cause)
            | Self::Protocol(cause)
            | Self::OutcomeUnknown(cause) => cause,
            Self::Rejected(cause) => format!("it answered with an error: {cause}"),
            Self::RpcRefused(refusal) => format!("it answered with an error: {refusal}"),
            other => other.to_string(),
        }
    }
}

/// Why a write cannot be begun or finished.
#[derive(Debug)]
pub enum JournalError {
    /// It was begun so long ago that a server no longer remembers its key.
    TooOld {
        /// The tool that was called.
        tool: String,
        /// When it was begun.
        begun: Timestamp,
        /// The id of its entry.
        id: String,
    },
    /// Its entry is corrupt, and was renamed.
    Unreadable {
        /// The file that contains it now.
        aside: PathBuf,
        /// The id of its entry.
        id: String,
    },
    /// The journal cannot be written or read.
    Io {
        /// The entry.
        path: PathBuf,
        /// Why it cannot be written or read.
        cause: io::Error,
    },
    /// The write has ended, but its entry cannot be removed.
    NotRemoved {
        /// The entry.
        path: PathBuf,
        /// Why it cannot be removed.
        cause: io::Error,
    },
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooOld { tool, begun, .. } => write!(
                f,
                "the same call of `{tool}` was begun on {begun:.0} and never ended; it is too old \
                 to be resumed"
            ),
            Self::Unreadable { aside, .. } => {
                write!(
                    f,
                    "the same call was begun before, and its journal entry {} is corrupt",
                    aside.display()
                )
            }
            Self::Io { path, cause } => {
                write!(f, "cannot access journal entry {}: {cause}", path.display())
            }
            Self::NotRemoved { path, cause } => {
                write!(f, "cannot remove journal entry {}: {cause}", path.display())
            }
        }
    }
}

impl std::error::Error for JournalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { cause, .. } | Self::NotRemoved { cause, .. } => Some(cause),
            Self::TooOld { .. } | Self::Unreadable { .. } => None,
        }
    }
}
