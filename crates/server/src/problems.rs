//! Every problem of a call, reported at once.

use serde_json::json;

use super::caller::{EntityKind, not_found_in_family};
use super::failure::{Failure, ISSUES_MAX, with_count};
use dibber_skill::contract::{ErrorCode, Issue, Scope, ToolError};

/// The reason of a problem with an id that this caller does not have.
pub(super) const NOT_YOURS: &str = "NOT_YOURS";

/// The problems of a call.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// The JSON Pointer of the arguments: empty, or `/payload`.
    prefix: &'static str,
    found: Vec<(ErrorCode, Issue)>,
    count: usize,
}

impl Problems {
    /// Creates an empty list for arguments below a JSON Pointer.
    pub(super) fn with_prefix(prefix: &'static str) -> Self {
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
    pub(super) fn add_not_found(&mut self, scope: Scope, path: &str, what: EntityKind) {
        let error = not_found_in_family(scope, what).into_tool_error();
        self.add(error.code, path, NOT_YOURS, error.message, error.fix);
    }

    /// Adds problems of the input.
    pub(super) fn extend(&mut self, issues: impl IntoIterator<Item = Issue>) {
        for Issue { path, reason, message, fix } in issues {
            self.add(ErrorCode::BadInput, &path, &reason, message, fix);
        }
    }

    /// Returns `true` if there are none.
    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the problems as issues, without their codes.
    pub(super) fn issues(&self) -> impl Iterator<Item = &Issue> {
        self.found.iter().map(|(_, issue)| issue)
    }

    fn add(&mut self, code: ErrorCode, path: &str, reason: &str, message: String, fix: String) {
        self.count += 1;
        if self.found.len() < ISSUES_MAX {
            let path = format!("{}{path}", self.prefix);
            self.found.push((code, Issue { path, reason: reason.to_owned(), message, fix }));
        }
    }

    /// Refuses the call if there are problems. What the caller cannot correct decides the code.
    pub(super) fn into_result(self) -> Result<(), Failure> {
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
