//! An error in a schedule as a person wrote it.

use std::fmt;

use crate::cron::{CronError, FieldName};
use dibber_text::{Message, Span, message, quote_in_full};

/// An error in a schedule as a person wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleTextError {
    /// The bytes of the schedule.
    pub span: Span,
    /// The field, if it is in a field of a cron expression.
    pub field: Option<FieldName>,
    /// What is wrong, as a sentence fragment.
    pub message: Message,
    advice: Advice,
}

/// What to write, for a word that has no similar one.
pub(super) const EXAMPLES: &str =
    "write it like `every day at 7:30pm`, `weekdays at 8:00` or `on the 1st at noon`";

/// What to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Advice {
    None,
    Help(Message),
    /// The meanings of an ambiguous part.
    Readings(Box<[String; 2]>),
    /// The word that was probably meant.
    Similar(String),
}

impl ScheduleTextError {
    pub(super) fn new(span: Span, message: impl Into<Message>, help: impl Into<Message>) -> Self {
        Self { span, field: None, message: message.into(), advice: Advice::Help(help.into()) }
    }

    /// Creates the error of a part with two meanings, each of which may replace it.
    pub(super) fn ambiguous(
        span: Span,
        message: impl Into<Message>,
        readings: [String; 2],
    ) -> Self {
        let advice = Advice::Readings(Box::new(readings));
        Self { span, field: None, message: message.into(), advice }
    }

    /// Creates the error of a word that is similar to a known one.
    pub(super) fn misspelled(span: Span, message: impl Into<Message>, similar: String) -> Self {
        Self { span, field: None, message: message.into(), advice: Advice::Similar(similar) }
    }

    /// Returns the schedule `text`, which has this error, with the word that was probably meant.
    pub(super) fn corrected(&self, text: &str) -> Option<String> {
        match &self.advice {
            Advice::Similar(similar) => Some(self.resolved(text, similar)),
            Advice::None | Advice::Help(_) | Advice::Readings(_) => None,
        }
    }

    /// Replaces the help.
    #[must_use]
    pub(super) fn with_help(self, help: impl Into<Message>) -> Self {
        Self { advice: Advice::Help(help.into()), ..self }
    }

    /// Returns what to write instead.
    pub fn help(&self) -> Option<Message> {
        match &self.advice {
            Advice::None => None,
            Advice::Help(help) => Some(help.clone()),
            Advice::Readings(readings) => {
                let [first, second] = readings.each_ref().map(|reading| quote_in_full(reading));
                Some(message!["write `", first, "` or `", second, "`"])
            }
            Advice::Similar(similar) => {
                Some(message!["did you mean `", quote_in_full(similar), "`? ", EXAMPLES])
            }
        }
    }

    /// Returns what may replace an ambiguous part: each of its meanings. There is none for other
    /// errors.
    pub fn readings(&self) -> &[String] {
        match &self.advice {
            Advice::Readings(readings) => &**readings,
            Advice::None | Advice::Help(_) | Advice::Similar(_) => &[],
        }
    }

    /// Returns `text`, which has this error, with a reading in place of the ambiguous part.
    pub fn resolved(&self, text: &str, reading: &str) -> String {
        format!("{}{reading}{}", &text[..self.span.start], &text[self.span.end..])
    }
}

impl From<CronError> for ScheduleTextError {
    fn from(error: CronError) -> Self {
        let CronError { span, field, message, help } = error;
        Self { span, field, message, advice: help.map_or(Advice::None, Advice::Help) }
    }
}

impl fmt::Display for ScheduleTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.shown(&()).fmt(f)
    }
}

impl std::error::Error for ScheduleTextError {}
