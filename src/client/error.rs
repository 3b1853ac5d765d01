//! What can go wrong between a client and its server.

use std::fmt;

use crate::contract::ToolError;

/// Why a call has no answer, or not the one that was hoped for.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientError {
    /// The server answered with an error of its contract.
    Refused(Box<ToolError>),
    /// The server wants a token, or another one.
    Unauthorized,
    /// The server has no tool of that name, in either spelling.
    NoTool(String),
    /// Nothing was done: the server could not be reached, or it failed each time.
    Unreachable(String),
    /// A write may have been done, or not: its answer did not come.
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
            Self::Unauthorized => f.write_str("the server asks for a token, or for another one"),
            Self::NoTool(tool) => write!(f, "the server has no tool `{tool}`"),
            Self::Unreachable(cause) => write!(f, "the server cannot be reached: {cause}"),
            Self::OutcomeUnknown(cause) => {
                write!(
                    f,
                    "the server did not answer, so it is not known whether it did it: {cause}"
                )
            }
            Self::Protocol(cause) => write!(f, "the server does not speak as agreed: {cause}"),
        }
    }
}

impl std::error::Error for ClientError {}
