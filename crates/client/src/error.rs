//! What can go wrong between a client and its server.

use std::path::PathBuf;
use std::{fmt, io};

use jiff::Timestamp;

use dibber_skill::contract::{ToolError, WireEnum};

/// Why a call has no answer, or not the one that was hoped for.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientError {
    /// The server answered with an error of its contract.
    Refused(Box<ToolError>),
    /// The tool of a server with another contract answered with an error, in these words.
    Failed(String),
    /// The server wants a token, or another one.
    Unauthorized,
    /// The token would be sent to that host so that everybody on the way can read it.
    TokenInClear(String),
    /// The server has no tool of that name, in either spelling.
    NoTool(String),
    /// Nothing was done: the server could not be reached, or it failed each time.
    Unreachable(String),
    /// A call with side effects may have run, or not: its answer did not come. What a repetition
    /// does is the [`RetrySafety`](super::RetrySafety) of the call.
    OutcomeUnknown(String),
    /// What the server said is not what the protocol, or the tool's contract, says.
    Protocol(String),
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
            Self::Failed(words) => write!(f, "the tool answered with an error: {words}"),
            Self::Unauthorized => f.write_str("the server asks for a token, or for another one"),
            Self::TokenInClear(host) => write!(
                f,
                "the token is not sent to `{host}` over `http`, where everybody on the way could \
                 read it"
            ),
            Self::NoTool(tool) => write!(f, "the server has no tool `{tool}`"),
            Self::Unreachable(cause) => write!(f, "the server cannot be reached: {cause}"),
            Self::OutcomeUnknown(cause) => write!(f, "the outcome of the call is unknown: {cause}"),
            Self::Protocol(cause) => write!(f, "protocol error: {cause}"),
        }
    }
}

impl std::error::Error for ClientError {}

/// Why a write cannot be begun, or not be ended.
#[derive(Debug)]
pub enum JournalError {
    /// It was begun too long ago: a server no longer remembers its key.
    TooOld {
        /// The tool that was called.
        tool: String,
        /// When.
        begun: Timestamp,
        /// The id of its entry.
        id: String,
    },
    /// Its entry was damaged, and is kept under another name.
    Unreadable {
        /// Where it is now.
        aside: PathBuf,
        /// The id of its entry.
        id: String,
    },
    /// The journal cannot be written or read.
    Io {
        /// The entry.
        path: PathBuf,
        /// Why.
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
                write!(f, "cannot write journal entry {}: {cause}", path.display())
            }
        }
    }
}

impl std::error::Error for JournalError {}
