//! From what a program wrote to the result of its run.

use serde_json::{Map, Value};

use crate::program_log::cut;
use crate::run_result::{RunResult, RunResultError};

/// The most characters of the output that are its summary.
const SUMMARY_CHARACTERS_MAX: usize = 300;

/// The summary of a program that wrote nothing. Its exit code says that it has done its work.
const NO_OUTPUT: &str = "The program ended without output.";

/// Returns the result that a program wrote into its file: a JSON object with a summary.
pub(super) fn of_file(bytes: &[u8]) -> Result<RunResult, String> {
    let object: Map<String, Value> = serde_json::from_slice(bytes).map_err(|error| {
        format!(
            "the result file is not a JSON object (line {}, column {})",
            error.line(),
            error.column()
        )
    })?;
    RunResult::parse(object).map_err(|error| format!("the result file is not valid: {error}"))
}

/// Returns the result that a program wrote to standard output: a JSON object with a summary, or else a
/// text, whose first line is the summary.
pub(super) fn of_output(bytes: &[u8]) -> Result<RunResult, RunResultError> {
    if let Some(result) = json_object(bytes) {
        return result;
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    let Some(first) = text.lines().map(str::trim).find(|line| !line.is_empty()) else {
        return RunResult::from_summary(NO_OUTPUT);
    };
    let summary = match cut(first, SUMMARY_CHARACTERS_MAX) {
        whole if whole.len() == first.len() => whole.to_owned(),
        start => format!("{start}…"),
    };
    if summary == text {
        return RunResult::from_summary(summary);
    }
    let data = Map::from_iter([("text".to_owned(), Value::String(text.to_owned()))]);
    RunResult::parse(Map::from_iter([
        ("summary".to_owned(), Value::String(summary)),
        ("data".to_owned(), Value::Object(data)),
    ]))
}

/// Returns the result of a JSON object with a summary; none if it is something else.
pub(super) fn json_object(bytes: &[u8]) -> Option<Result<RunResult, RunResultError>> {
    let object = serde_json::from_slice(bytes).ok()?;
    match RunResult::parse(object) {
        Err(
            RunResultError::NoSummary
            | RunResultError::BlankSummary
            | RunResultError::SummaryNotString,
        ) => None,
        result => Some(result),
    }
}
