//! An error in a cron expression, and its position.

use std::fmt;

use super::field_name::FieldName;
use dibber_text::{Message, Span};

/// An error in a cron expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CronError {
    /// The bytes of the expression.
    pub span: Span,
    /// The field; `None` when the error concerns the whole expression.
    pub field: Option<FieldName>,
    /// What is wrong, as a sentence fragment.
    pub message: Message,
    /// What to write instead.
    pub help: Option<Message>,
}

impl CronError {
    pub(super) fn new(span: Span, field: Option<FieldName>, message: impl Into<Message>) -> Self {
        Self { span, field, message: message.into(), help: None }
    }

    #[must_use]
    pub(super) fn help(mut self, help: impl Into<Message>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for CronError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.shown(&()).fmt(f)
    }
}

impl std::error::Error for CronError {}
