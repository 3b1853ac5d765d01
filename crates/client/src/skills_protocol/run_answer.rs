//! The result of a run, as any server may say it.
//!
//! The result of a run is not thrown away for a field beside it that cannot be read: the run cannot be
//! repeated to see it.

use serde_json::{Map, Value};

use super::fields::{Fields, wrong};
use crate::failure::Failure;
use dibber_skill::contract::WireEnum;
use dibber_skill::contract::skills_protocol::{Run, RunFailure};
use dibber_text::strict_json;

/// The words of servers for a run that returned, in lower case.
const COMPLETED: [&str; 9] = [
    "completed",
    "complete",
    "success",
    "successful",
    "succeeded",
    "ok",
    "done",
    "finished",
    "passed",
];
/// The words of servers for a run that ended without returning.
const FAILED: [&str; 14] = [
    "failed",
    "failure",
    "fail",
    "error",
    "errored",
    "timed_out",
    "timeout",
    "timedout",
    "cancelled",
    "canceled",
    "aborted",
    "killed",
    "crashed",
    "terminated",
];
/// The words of servers for a run that has not ended.
const NOT_ENDED: [&str; 13] = [
    "queued",
    "pending",
    "running",
    "in_progress",
    "started",
    "starting",
    "accepted",
    "submitted",
    "scheduled",
    "waiting",
    "created",
    "processing",
    "executing",
];

/// The fields of a run.
const FIELDS: [&str; 8] =
    ["status", "run_id", "summary", "output", "output_blobs", "logs_preview", "error", "warnings"];
/// The most fields that are not known that are named.
const UNKNOWN_MAX: usize = 5;

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteRun {
    /// The word of the server for whether the function returned; empty if it says none.
    pub status: String,
    /// The id of the run.
    pub run_id: Option<String>,
    /// What happened, in one line.
    pub summary: String,
    /// What the function returned, which may be null.
    pub output: Option<Value>,
    /// What it returned as JSON, if a value cannot hold it without loss; `output` is none then.
    pub exact_output: Option<String>,
    /// The blobs that the run made.
    pub output_blobs: Vec<String>,
    /// The beginning of what the program printed.
    pub logs_preview: Option<String>,
    /// Why the run failed.
    pub error: Option<RunFailure>,
    /// What the server ignored or changed.
    pub warnings: Vec<String>,
    /// What is wrong with the fields that cannot be read.
    pub unreadable: Vec<String>,
}

/// How a run ended, as far as the answer is clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The function returned.
    Completed,
    /// It ran, and did not return.
    Failed,
    /// It has not ended: it may still run.
    NotEnded,
    /// The answer can mean anything, or contradicts itself.
    Unclear,
}

impl From<Run> for RemoteRun {
    fn from(run: Run) -> Self {
        Self {
            status: run.status.name().to_owned(),
            run_id: Some(run.run_id),
            summary: run.summary,
            output: run.output,
            exact_output: None,
            output_blobs: run.output_blobs,
            logs_preview: run.logs_preview,
            error: run.error,
            warnings: run.warnings,
            unreadable: Vec::new(),
        }
    }
}

impl RemoteRun {
    /// Sets what the function returned, from JSON.
    pub fn set_output(&mut self, json: String) {
        if strict_json::is_exact(&json) {
            self.output = serde_json::from_str(&json).ok();
        } else {
            (self.output, self.exact_output) = (None, Some(json));
        }
    }

    pub(super) fn parse(result: &Value) -> Result<Self, Failure> {
        let object = result.as_object();
        let object = object.ok_or_else(|| wrong("the run in its answer is not an object"))?;
        let mut side = SideFields { object, unreadable: Vec::new() };
        let output = object.get("output");
        let status = if output.is_some_and(|output| !output.is_null()) {
            side.string("status").unwrap_or_default()
        } else {
            Fields::of(result, "the run in its answer")?.required_string("status")?
        };
        let is_completed = COMPLETED.contains(&&*word(&status));
        if output.is_none() && is_completed && !object.contains_key("output_blobs") {
            side.name_unknown();
        }
        Ok(Self {
            status,
            run_id: side.id("run_id"),
            summary: side.string("summary").unwrap_or_default(),
            output: output.cloned(),
            exact_output: None,
            output_blobs: side.strings("output_blobs"),
            logs_preview: side.string("logs_preview").filter(|logs| !logs.is_empty()),
            error: side.get("error").and_then(run_failure),
            warnings: side.strings("warnings"),
            unreadable: side.unreadable,
        })
    }

    /// Returns how it ended.
    pub fn end(&self) -> RunEnd {
        let word = word(&self.status);
        let is_in = |words: &[&str]| words.contains(&&*word);
        match () {
            () if is_in(&COMPLETED) && self.error.is_none() => RunEnd::Completed,
            () if is_in(&FAILED) => RunEnd::Failed,
            () if is_in(&NOT_ENDED) => RunEnd::NotEnded,
            () => RunEnd::Unclear,
        }
    }
}

/// Returns a status in the form of the words above.
fn word(status: &str) -> String {
    status.trim().to_lowercase().replace(['-', ' '], "_")
}

/// Returns why a run failed; none if the error says nothing.
fn run_failure(error: &Value) -> Option<RunFailure> {
    let failure = match error {
        Value::Object(error) => {
            let string = |name: &str| error.get(name).and_then(Value::as_str).map(str::to_owned);
            RunFailure {
                kind: string("type").unwrap_or_default(),
                message: string("message").unwrap_or_default(),
                trace: string("trace").filter(|trace| !trace.is_empty()),
            }
        }
        Value::String(message) => of_message(message.clone()),
        Value::Bool(false) => return None,
        other => of_message(other.to_string()),
    };
    let is_empty = failure.kind.is_empty() && failure.message.is_empty() && failure.trace.is_none();
    match error {
        // It has members, none of which is known.
        Value::Object(members) if is_empty && !members.is_empty() => {
            Some(of_message(error.to_string()))
        }
        _ => (!is_empty).then_some(failure),
    }
}

fn of_message(message: String) -> RunFailure {
    RunFailure { kind: String::new(), message, trace: None }
}

/// The fields beside the output, of which those of another type are left out and named.
struct SideFields<'a> {
    object: &'a Map<String, Value>,
    unreadable: Vec<String>,
}

impl<'a> SideFields<'a> {
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    fn string(&mut self, name: &str) -> Option<String> {
        let value = self.get(name)?;
        let string = value.as_str().map(str::to_owned);
        if string.is_none() {
            self.unreadable.push(format!("`{name}` is not a string"));
        }
        string
    }

    /// Returns an id, which many servers write as a number.
    fn id(&mut self, name: &str) -> Option<String> {
        match self.get(name) {
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => self.string(name),
        }
    }

    /// Names the fields that are not known, one of which may be the output.
    fn name_unknown(&mut self) {
        let is_known = |name: &&String| FIELDS.contains(&name.as_str());
        let unknown: Vec<_> = self.object.keys().filter(|name| !is_known(name)).collect();
        for name in unknown.into_iter().take(UNKNOWN_MAX) {
            self.unreadable.push(format!("there is no `output`, and `{name}` is ignored"));
        }
    }

    fn strings(&mut self, name: &str) -> Vec<String> {
        let Some(value) = self.get(name) else { return Vec::new() };
        let Some(items) = value.as_array() else {
            self.unreadable.push(format!("`{name}` is not a list"));
            return Vec::new();
        };
        let strings: Vec<_> =
            items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect();
        if strings.len() < items.len() {
            self.unreadable.push(format!("`{name}` has an item that is not a string"));
        }
        strings
    }
}
