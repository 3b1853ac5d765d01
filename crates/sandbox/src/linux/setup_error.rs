//! Why a sandbox could not be prepared.

use std::fmt::Display;

use crate::specification::Refusal;

/// A step that failed, and why.
pub(super) type SetupResult<T> = Result<T, Refusal>;

/// Names the step that failed.
pub(super) trait Step<T> {
    /// Returns the value, or a refusal that names the step as an imperative: "mount /proc".
    fn step(self, step: impl Into<String>) -> SetupResult<T>;
}

impl<T, E: Display> Step<T> for Result<T, E> {
    fn step(self, step: impl Into<String>) -> SetupResult<T> {
        self.map_err(|error| Refusal { step: step.into(), reason: error.to_string() })
    }
}
