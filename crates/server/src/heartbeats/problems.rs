//! Every problem of a call, reported at once.

use serde_json::json;

use crate::caller::not_yours;
use crate::failure::{Failure, with_count};
use dibber_skill::contract::{ErrorCode, Issue, Scope, ToolError};

/// The most problems that are reported one by one.
const ISSUES_MAX: usize = 100;

/// The reason of a problem with an id that this caller does not have.
const NOT_YOURS: &str = "NOT_YOURS";

/// The problems of a call.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    /// The JSON Pointer of the arguments: empty, or `/payload`.
    prefix: &'static str,
    found: Vec<(ErrorCode, Issue)>,
    count: usize,
}

impl Problems {
    /// Creates an empty list for arguments below a JSON Pointer.
    pub(crate) fn with_prefix(prefix: &'static str) -> Self {
        Self { prefix, ..Self::default() }
    }

    /// Adds a problem of the input, which the caller can correct.
    pub(super) fn add_bad_input(
        &mut self,
        path: &str,
        reason: &str,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.add(ErrorCode::BadInput, path, reason, message.into(), fix.into());
    }

    /// Adds something that may not be done, whatever the input.
    pub(super) fn add_denied(
        &mut self,
        path: &str,
        reason: &str,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.add(ErrorCode::PermissionDenied, path, reason, message.into(), fix.into());
    }

    /// Adds an id that does not exist for this caller: missing, or of another family.
    pub(super) fn add_not_found(&mut self, scope: Scope, path: &str, what: &str) {
        let error = not_yours(scope, what).into_tool_error();
        self.add(error.code, path, NOT_YOURS, error.message, error.fix);
    }

    fn add(&mut self, code: ErrorCode, path: &str, reason: &str, message: String, fix: String) {
        self.count += 1;
        if self.found.len() < ISSUES_MAX {
            let path = format!("{}{path}", self.prefix);
            self.found.push((code, Issue { path, reason: reason.to_owned(), message, fix }));
        }
    }

    /// Refuses the call if there are problems. What the caller cannot correct decides the code.
    pub(crate) fn into_result(self) -> Result<(), Failure> {
        let worst = self.found.iter().find(|(code, _)| *code != ErrorCode::BadInput);
        let Some((code, first)) = worst.or(self.found.first()) else { return Ok(()) };
        let message = with_count(&first.message, self.count);
        let mut error = ToolError::new(*code, message, first.fix.clone());
        // Every tool reports a missing id in the same words.
        if first.reason != NOT_YOURS {
            error = error.reason(&first.reason);
        }
        let issues: Vec<_> = self.found.iter().map(|(_, issue)| issue).collect();
        Err(error.details(json!({"issues": issues})).into())
    }
}
