//! The errors that every Sprout tool answers with.
//!
//! A success is an object with `nextStep`; an error is `{"error":{…}}` with one of four codes,
//! which tells whether to mend the input, to stop or to try again. Source: the page on the home
//! agent protocol; the JSON is settled in the decisions, section 8.2.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The field of a success that says what to do next.
pub const NEXT_STEP: &str = "nextStep";

/// The field of a result that holds its error.
pub const ERROR: &str = "error";

/// The field of a result that is true if the server remembered it from an earlier call with the
/// same idempotency key.
pub const REPLAYED: &str = "replayed";

/// What kind of error it is, and so what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    /// The call breaks its schema or its contract: mend the input.
    BadInput,
    /// The id is not one of this family, or the scope is missing: stop.
    PermissionDenied,
    /// What was to be read is missing, or of another family: stop.
    DomainNotFound,
    /// The server failed: try again later.
    InternalError,
}

impl ErrorCode {
    /// Every code.
    pub const ALL: [Self; 4] =
        [Self::BadInput, Self::PermissionDenied, Self::DomainNotFound, Self::InternalError];

    /// The word for it on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BadInput => "BAD_INPUT",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::DomainNotFound => "DOMAIN_NOT_FOUND",
            Self::InternalError => "INTERNAL_ERROR",
        }
    }
}

/// The error of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolError {
    /// What kind it is.
    pub code: ErrorCode,
    /// What exactly: `SPEC_HASH_MISMATCH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The way out.
    #[serde(default)]
    pub fix: String,
    /// What else there is to know; `issues` holds every fault, as [`Issue`]s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// Whether the server has remembered it from an earlier call with the same idempotency key. On
    /// the wire, this is [`REPLAYED`] beside the error, as for a success.
    #[serde(skip)]
    pub replayed: bool,
}

impl ToolError {
    /// Makes an error without details.
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

    /// Says what exactly is wrong.
    #[must_use]
    pub fn reason(mut self, reason: &str) -> Self {
        self.reason = Some(reason.to_owned());
        self
    }

    /// Adds what else there is to know.
    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }
}

/// One of the faults of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// The argument, as a JSON Pointer (RFC 6901); empty for all of them.
    pub path: String,
    /// What is wrong, as a code: `UNKNOWN_FIELD`.
    pub reason: String,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The way out.
    pub fix: String,
}
