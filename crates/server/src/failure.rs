//! What ends a call: a refusal that the caller can act on, or a fault of the server.

use serde_json::json;

use dibber_skill::contract::{ErrorCode, Issue, ToolError};
use dibber_skill::spec_hash::NotHashable;
use dibber_text::{ellipsize, escape_line};

use super::store::StoreError;

/// Why a call did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// The caller asked for something that may not be, and is told why.
    Refused(Box<ToolError>),
    /// The server failed. The cause is for the log alone.
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

impl Failure {
    /// Refuses an input.
    pub fn bad_input(reason: &str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::from(ToolError::new(ErrorCode::BadInput, message, fix).reason(reason))
    }

    /// Refuses an input for several faults, of which there is at least one; the first one gives
    /// the reason.
    pub(super) fn of_issues(issues: &[Issue]) -> Self {
        let first = &issues[0];
        let message = among(&first.message, issues.len());
        let error = ToolError::new(ErrorCode::BadInput, message, first.fix.clone());
        error.reason(&first.reason).details(json!({"issues": issues})).into()
    }

    /// Refuses arguments that have not the shape that their tool asks for; there are `count`
    /// faults, and at least one is told.
    pub(super) fn of_shape(issues: &[Issue], count: usize) -> Self {
        let first = &issues[0];
        let message = among(&first.message, count);
        let error = ToolError::new(ErrorCode::BadInput, message, first.fix.clone());
        error.reason("INVALID_ARGUMENTS").details(json!({"issues": issues})).into()
    }

    /// Refuses an argument that no digest can stand for.
    pub(super) fn not_hashable(fault: NotHashable) -> Self {
        let NotHashable { path, number } = fault;
        let shown = NotHashable { path: escape_line(&ellipsize(&path)).into_owned(), number };
        let issue = Issue {
            path,
            reason: "NOT_HASHABLE".to_owned(),
            message: shown.to_string(),
            fix: "write the number as a text, in quotation marks".to_owned(),
        };
        Self::of_issues(&[issue])
    }

    /// What the caller is told. The only place where a fault of the server becomes an answer.
    pub fn into_tool_error(self) -> ToolError {
        match self {
            Self::Refused(error) => *error,
            Self::Internal(cause) => {
                tracing::error!(%cause, "a call failed");
                ToolError::new(
                    ErrorCode::InternalError,
                    "the server failed, not your call",
                    "try again in a moment, with the same idempotency key",
                )
            }
        }
    }
}

/// The message of the first of so many faults.
pub(super) fn among(message: &str, count: usize) -> String {
    match count {
        0 | 1 => message.to_owned(),
        2 => format!("{message} (and one more fault)"),
        _ => format!("{message} (and {} more faults)", count - 1),
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        Self::Refused(Box::new(error))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Internal(Box::new(error))
    }
}
