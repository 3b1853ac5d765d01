//! What is wrong with a schedule, and where.

use std::fmt;

use super::FieldName;
use dibber_text::{Span, escape_line};

/// Something that is wrong with the text of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CronError {
    /// The bytes of the text.
    pub span: Span,
    /// The field; none when it is about the whole.
    pub field: Option<FieldName>,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The way out.
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
