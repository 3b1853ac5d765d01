//! What a run answers: a summary for a parent, and data.

use std::fmt;

use serde_json::{Map, Value};

use super::failure::Failure;
use super::response_model;
use super::store::Skill;
use dibber_skill::contract::{Issue, RESULT_DATA, RESULT_SUMMARY};
use dibber_skill::names::Roster;

/// The most bytes of a result, as JSON without spaces (256 KiB).
const RESULT_BYTES_MAX: usize = 256 << 10;

/// The most characters of the summary of a result.
const SUMMARY_CHARACTERS_MAX: usize = 4_000;

/// A result with a summary, within the limits.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult(Map<String, Value>);

/// Why something is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunResultError {
    /// It has no summary.
    NoSummary,
    /// Its summary is blank.
    BlankSummary,
    /// Its summary is no string.
    SummaryNotString,
    /// Its summary has this many characters.
    SummaryTooLong(usize),
    /// It has this many bytes.
    TooLarge(usize),
}

impl RunResult {
    /// Creates a result of a summary alone.
    pub fn from_summary(summary: impl Into<String>) -> Result<Self, RunResultError> {
        Self::parse(Map::from_iter([(RESULT_SUMMARY.to_owned(), Value::String(summary.into()))]))
    }

    /// Checks a result.
    pub fn parse(result: Map<String, Value>) -> Result<Self, RunResultError> {
        let bytes = serde_json::to_string(&result).map_or(usize::MAX, |json| json.len());
        if bytes > RESULT_BYTES_MAX {
            return Err(RunResultError::TooLarge(bytes));
        }
        match result.get(RESULT_SUMMARY) {
            None => return Err(RunResultError::NoSummary),
            Some(Value::String(summary)) if summary.trim().is_empty() => {
                return Err(RunResultError::BlankSummary);
            }
            Some(Value::String(summary)) => {
                let characters = summary.chars().count();
                if characters > SUMMARY_CHARACTERS_MAX {
                    return Err(RunResultError::SummaryTooLong(characters));
                }
            }
            Some(_) => return Err(RunResultError::SummaryNotString),
        }
        Ok(Self(result))
    }

    /// Returns the result as it is stored and sent.
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }

    /// Refuses data that do not match the response model of a skill.
    pub(super) fn check_data(&self, skill: &Skill, roster: &Roster) -> Result<(), Failure> {
        let Some(model) = &skill.written.response_model else { return Ok(()) };
        let issues = response_model::check(model, self.0.get(RESULT_DATA), roster);
        issues.map_err(|issues| Failure::from_issues(&issues))
    }
}

impl RunResultError {
    /// Returns the refusal of a call with such a result.
    pub(super) fn into_failure(self) -> Failure {
        const WRITE_SUMMARY: &str = "add `summary`: what a parent should know, in a few sentences";
        let (reason, fix) = match self {
            Self::TooLarge(_) => {
                let fix = "post a summary, and keep the data elsewhere";
                return Failure::bad_input("RESULT_TOO_LARGE", self.to_string(), fix);
            }
            Self::SummaryTooLong(_) => {
                ("SUMMARY_TOO_LONG", "shorten it, and put the rest into `data`")
            }
            Self::NoSummary | Self::BlankSummary | Self::SummaryNotString => {
                ("SUMMARY_MISSING", WRITE_SUMMARY)
            }
        };
        Failure::from_issues(&[Issue {
            path: format!("/result/{RESULT_SUMMARY}"),
            reason: reason.to_owned(),
            message: self.to_string(),
            fix: fix.to_owned(),
        }])
    }
}

impl fmt::Display for RunResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSummary => f.write_str("the result has no `summary`"),
            Self::BlankSummary => f.write_str("the `summary` of the result is blank"),
            Self::SummaryNotString => f.write_str("the `summary` of the result is no string"),
            Self::SummaryTooLong(characters) => write!(
                f,
                "the `summary` of the result has {characters} characters; the maximum is \
                 {SUMMARY_CHARACTERS_MAX}"
            ),
            Self::TooLarge(bytes) => {
                write!(f, "the result has {bytes} bytes; the maximum is {RESULT_BYTES_MAX}")
            }
        }
    }
}

impl std::error::Error for RunResultError {}
