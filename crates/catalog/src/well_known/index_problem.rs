//! What is wrong with an index.

use dibber_text::Message;

/// What is wrong with an index, or with what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexProblem {
    /// The place in the index, as a JSON pointer: `/skills/0/digest`. Empty for all of it.
    pub pointer: String,
    /// What is wrong.
    pub message: Message,
    /// Some clients do not find a skill because of it. Otherwise it is accepted, and not as it should be.
    pub is_error: bool,
}

impl IndexProblem {
    pub(super) fn error(pointer: impl Into<String>, message: impl Into<Message>) -> Self {
        Self { pointer: pointer.into(), message: message.into(), is_error: true }
    }

    pub(super) fn warning(pointer: impl Into<String>, message: impl Into<Message>) -> Self {
        Self { pointer: pointer.into(), message: message.into(), is_error: false }
    }
}
