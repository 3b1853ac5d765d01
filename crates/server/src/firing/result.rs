//! What a run answers: a summary for a parent, and data.

use std::fmt;

use serde_json::{Map, Value};

/// The most bytes of a result, as JSON without spaces (256 KiB).
const RESULT_BYTES_MAX: usize = 256 << 10;

/// The field with the sentence for a parent.
const SUMMARY: &str = "summary";

/// A result with a summary, within the limit.
#[derive(Clone, Debug, PartialEq)]
pub struct RunResult(Map<String, Value>);

/// Why something is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunResultError {
    /// It has no summary, or a blank one.
    NoSummary,
    /// It has this many bytes.
    TooLarge(usize),
}

impl RunResult {
    /// Creates a result of a summary alone.
    pub fn from_summary(summary: impl Into<String>) -> Result<Self, RunResultError> {
        Self::parse(Map::from_iter([(SUMMARY.to_owned(), Value::String(summary.into()))]))
    }

    /// Checks a result.
    pub fn parse(result: Map<String, Value>) -> Result<Self, RunResultError> {
        let summary = result.get(SUMMARY).and_then(Value::as_str).unwrap_or_default();
        if summary.trim().is_empty() {
            return Err(RunResultError::NoSummary);
        }
        let bytes = serde_json::to_string(&result).map_or(usize::MAX, |json| json.len());
        if bytes > RESULT_BYTES_MAX {
            return Err(RunResultError::TooLarge(bytes));
        }
        Ok(Self(result))
    }

    /// Returns the result as it is stored and sent.
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }
}

impl fmt::Display for RunResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSummary => f.write_str("the result has no `summary`"),
            Self::TooLarge(bytes) => {
                write!(f, "the result has {bytes} bytes; the maximum is {RESULT_BYTES_MAX}")
            }
        }
    }
}

impl std::error::Error for RunResultError {}
