//! Why a sandbox could not be prepared.

use std::fmt::Display;

use crate::specification::{Refusal, RefusalCause};

/// A step that failed, and why.
pub(super) type SetupResult<T> = Result<T, Refusal>;

/// Names the step that failed.
pub(super) trait Step<T> {
    /// Returns the value, or a refusal that names the step as an imperative: "mount /proc".
    fn step(self, step: impl Into<String>) -> SetupResult<T>;

    /// Returns the value, or the refusal of a skill that cannot be copied.
    fn step_of_skill(self, step: impl Into<String>) -> SetupResult<T>;
}

impl<T, E: Display> Step<T> for Result<T, E> {
    fn step(self, step: impl Into<String>) -> SetupResult<T> {
        self.map_err(|error| Refusal::new(step, error.to_string()))
    }

    fn step_of_skill(self, step: impl Into<String>) -> SetupResult<T> {
        let refused = self.step(step);
        refused.map_err(|refusal| Refusal { cause: RefusalCause::Skill, ..refusal })
    }
}
