//! Everything that is wrong with a call, told at once.

use serde_json::json;

use crate::caller::not_yours;
use crate::failure::{Failure, among};
use dibber_skill::contract::{ErrorCode, Issue, Scope, ToolError};

/// The most faults that are told one by one.
const ISSUES_MAX: usize = 100;

/// The reason among the faults of something that is not there for this caller.
const NOT_YOURS: &str = "NOT_YOURS";

/// The faults of a call so far.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// Where the arguments stand, as a JSON Pointer: nothing, or `/payload`.
    under: &'static str,
    found: Vec<(ErrorCode, Issue)>,
    count: usize,
}

impl Faults {
    /// No faults yet, of arguments that stand under a path.
    pub(crate) fn under(under: &'static str) -> Self {
        Self { under, ..Self::default() }
    }

    /// The input is to be mended.
    pub(super) fn bad_input(
        &mut self,
        path: &str,
        reason: &str,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.add(ErrorCode::BadInput, path, reason, message.into(), fix.into());
    }

    /// Something may not be done, however it is asked for.
    pub(super) fn denied(
        &mut self,
        path: &str,
        reason: &str,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.add(ErrorCode::PermissionDenied, path, reason, message.into(), fix.into());
    }

    /// Something is not there for this caller: missing, or of another family.
    pub(super) fn not_yours(&mut self, scope: Scope, path: &str, what: &str) {
        let error = not_yours(scope, what).into_tool_error();
        self.add(error.code, path, NOT_YOURS, error.message, error.fix);
    }

    fn add(&mut self, code: ErrorCode, path: &str, reason: &str, message: String, fix: String) {
        self.count += 1;
        if self.found.len() < ISSUES_MAX {
            let path = format!("{}{path}", self.under);
            self.found.push((code, Issue { path, reason: reason.to_owned(), message, fix }));
        }
    }

    /// Refuses the call if there are faults. What cannot be mended decides the code.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let gravest = self.found.iter().find(|(code, _)| *code != ErrorCode::BadInput);
        let Some((code, first)) = gravest.or(self.found.first()) else { return Ok(()) };
        let message = among(&first.message, self.count);
        let mut error = ToolError::new(*code, message, first.fix.clone());
        // What is not there is told in the same words by every tool.
        if first.reason != NOT_YOURS {
            error = error.reason(&first.reason);
        }
        let issues: Vec<_> = self.found.iter().map(|(_, issue)| issue).collect();
        Err(error.details(json!({"issues": issues})).into())
    }
}
