//! The errors that every Sprout tool answers with.
//!
//! A success is an object with `nextStep`; an error is `{"error":{…}}` with one of four codes,
//! which says whether to correct the input, to stop or to try again. The codes are those of the
//! page on the home agent protocol, which leaves the shape of the JSON open; it is defined here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::wire_enum::WireEnum;

/// The field of a success that says what to do next.
pub const NEXT_STEP: &str = "nextStep";

/// The field of a result that holds its error.
pub const ERROR: &str = "error";

/// The field of a result that is true if the server remembered it from an earlier call with the
/// same idempotency key.
pub const REPLAYED: &str = "replayed";

/// The kind of an error, which decides what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(description = "")]
pub enum ErrorCode {
    /// The call breaks its schema or its contract: correct the input.
    BadInput,
    /// The id is not one of this family, or the scope is missing: stop.
    PermissionDenied,
    /// What was to be read is missing, or of another family: stop.
    DomainNotFound,
    /// The server failed: try again later.
    InternalError,
}

impl WireEnum for ErrorCode {}

/// The error of a tool. Its fields have no descriptions in the schema: every tool repeats them,
/// and the instructions of the server explain them once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolError {
    /// The kind of the error.
    #[schemars(description = "")]
    pub code: ErrorCode,
    /// The exact cause: `SPEC_HASH_MISMATCH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub reason: Option<String>,
    /// What is wrong, as a sentence fragment.
    #[schemars(description = "")]
    pub message: String,
    /// The advice; the help of a finding.
    #[serde(default)]
    #[schemars(description = "")]
    pub fix: String,
    /// More about the error; `issues` holds every problem of the call, as [`Issue`]s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "", with = "Option<Map<String, Value>>")]
    pub details: Option<Value>,
    /// Whether the server remembered it from an earlier call with the same idempotency key. On
    /// the wire, this is [`REPLAYED`] beside the error, as for a success.
    #[serde(skip)]
    pub replayed: bool,
}

impl ToolError {
    /// Creates an error without details.
    pub fn new(code: ErrorCode, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            code,
            reason: None,
            message: message.into(),
            fix: fix.into(),
            details: None,
            replayed: false,
        }
    }

    /// Sets the exact cause.
    #[must_use]
    pub fn reason(mut self, reason: &str) -> Self {
        self.reason = Some(reason.to_owned());
        self
    }

    /// Sets the details.
    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

/// One problem of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// The argument, as a JSON Pointer (RFC 6901); empty for all of them.
    pub path: String,
    /// What is wrong, as a code: `UNKNOWN_FIELD`.
    pub reason: String,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The advice; the help of a finding.
    pub fix: String,
}
