//! An error in a cron expression, and its position.

use std::fmt;

use super::field_name::FieldName;
use dibber_text::{Span, escape_line};

/// An error in a cron expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CronError {
    /// The bytes of the expression.
    pub span: Span,
    /// The field; `None` when the error concerns the whole expression.
    pub field: Option<FieldName>,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl CronError {
    pub(super) fn new(span: Span, field: Option<FieldName>, message: impl Into<String>) -> Self {
        Self { span, field, message: message.into(), help: None }
    }

    #[must_use]
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for CronError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape_line(&self.message))
    }
}

impl std::error::Error for CronError {}
