//! Why a call failed: a refusal that the caller can act on, or an error of the server.

use std::fmt;

use serde_json::json;

use dibber_skill::contract::{DATABASE_DAMAGED, ErrorCode, Issue, SAFETY_CHECK_FAILED, ToolError};
use dibber_skill::spec_hash::NotHashable;
use dibber_text::Shown;

use super::safety::contract::SafetySubject;
use super::store::StoreError;

/// The most problems of a call that are reported one by one: a hostile call must not fill the
/// memory with them.
pub(super) const ISSUES_MAX: usize = 100;

/// Why a call failed.
#[derive(Debug)]
pub enum Failure {
    /// The call is refused; the caller gets the reason.
    Refused(Box<ToolError>),
    /// The call needs the verdict of the server's safety check on this, and then starts over.
    NeedsSafetyCheck(Box<SafetySubject>),
    /// The server failed. The cause goes only to the log.
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

impl Failure {
    /// Creates a refusal of an input.
    pub fn bad_input(reason: &str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::from(ToolError::new(ErrorCode::BadInput, message, fix).reason(reason))
    }

    /// Returns `true` if a row that is needed is damaged or missing.
    pub(super) fn is_damage(&self) -> bool {
        let Self::Internal(cause) = self else { return false };
        matches!(cause.downcast_ref(), Some(StoreError::Damaged | StoreError::NotFound))
    }

    /// Returns `true` if the store failed in a way that may pass, as when the disk is full.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Internal(_)) && !self.is_damage()
    }

    /// Creates the failure of a call that the safety check could not judge.
    pub(super) fn safety_check(message: &str) -> Self {
        let fix =
            "nothing was approved or written; try again in a moment, and look at the server's log";
        ToolError::new(ErrorCode::InternalError, message, fix).reason(SAFETY_CHECK_FAILED).into()
    }

    /// Creates a refusal for one or more problems; the first one has the reason.
    pub(super) fn from_issues(issues: &[Issue]) -> Self {
        let first = &issues[0];
        let message = with_count(&first.message, issues.len());
        let error = ToolError::new(ErrorCode::BadInput, message, first.fix.clone());
        error.reason(&first.reason).details(json!({"issues": issues})).into()
    }

    /// Creates a refusal of arguments that do not match the schema of their tool. Of `count`
    /// problems, at least one is in `issues`.
    pub(super) fn invalid_arguments(issues: &[Issue], count: usize) -> Self {
        let first = &issues[0];
        let message = with_count(&first.message, count);
        let error = ToolError::new(ErrorCode::BadInput, message, first.fix.clone());
        error.reason("INVALID_ARGUMENTS").details(json!({"issues": issues})).into()
    }

    /// Creates a refusal of an argument that has no digest.
    pub(super) fn not_hashable(error: NotHashable) -> Self {
        let NotHashable { path, number } = error;
        let shown = NotHashable { path: Shown::to_be_masked(&path).to_string(), number };
        let issue = Issue {
            path,
            reason: "NOT_HASHABLE".to_owned(),
            message: shown.to_string(),
            fix: "write the number as a string, in quotation marks".to_owned(),
        };
        Self::from_issues(&[issue])
    }

    /// Returns the error that the caller gets. Only here does an error of the server become an
    /// answer.
    pub fn into_tool_error(self) -> ToolError {
        match self {
            Self::Refused(error) => *error,
            Self::NeedsSafetyCheck(_) => {
                Self::safety_check("what is to be published changed while it was checked")
                    .into_tool_error()
            }
            Self::Internal(cause) => {
                tracing::error!(%cause, "a call failed");
                if let Some(StoreError::Damaged) = cause.downcast_ref() {
                    return ToolError::new(
                        ErrorCode::InternalError,
                        "the server cannot read what it has stored: its database is damaged",
                        "the owner of the server can run `dibber doctor --database`, which lists what is damaged",
                    )
                    .reason(DATABASE_DAMAGED);
                }
                ToolError::new(
                    ErrorCode::InternalError,
                    "internal server error",
                    "try again in a moment, with the same idempotency key",
                )
            }
        }
    }
}

/// Returns the message of the first of `count` problems.
pub(super) fn with_count(message: &str, count: usize) -> String {
    match count {
        0 | 1 => message.to_owned(),
        2 => format!("{message} (and 1 more problem)"),
        _ => format!("{message} (and {} more problems)", count - 1),
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => f.write_str(&error.message),
            Self::NeedsSafetyCheck(_) => f.write_str("the safety check has not judged this yet"),
            Self::Internal(cause) => cause.fmt(f),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(_) | Self::NeedsSafetyCheck(_) => None,
            Self::Internal(cause) => cause.source(),
        }
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
