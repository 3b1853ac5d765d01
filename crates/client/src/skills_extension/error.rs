//! Why a skill of a server cannot be read.

use dibber_catalog::{ContentsError, SkillPath};
use dibber_text::{Message, message, quote_display};

use crate::error::ClientError;

/// Why a skill of a server cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub enum ServedSkillError {
    /// The request failed.
    Client(ClientError),
    /// What the server sent is refused.
    Refused {
        /// The file; none if it is the skill as a whole.
        path: Option<SkillPath>,
        /// What is wrong.
        message: Message,
    },
}

impl ServedSkillError {
    pub(super) fn skill(message: impl Into<Message>) -> Self {
        Self::Refused { path: None, message: message.into() }
    }

    pub(super) fn file(path: &SkillPath, message: impl Into<Message>) -> Self {
        Self::Refused { path: Some(path.clone()), message: message.into() }
    }

    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        match self {
            Self::Client(error) => quote_display(error),
            Self::Refused { path: Some(path), message } => {
                message!["`", quote_display(path), "` ", message.clone()]
            }
            Self::Refused { path: None, message } => message.clone(),
        }
    }
}

impl From<ClientError> for ServedSkillError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl From<ContentsError> for ServedSkillError {
    fn from(error: ContentsError) -> Self {
        Self::skill(error.message())
    }
}
