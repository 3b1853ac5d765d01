//! The counts at the end of a report.

use std::time::Duration;

/// The result of a run, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The skills that were checked.
    pub skills: usize,
    /// The findings at level deny.
    pub errors: usize,
    /// The findings at level warn.
    pub warnings: usize,
    /// The findings among them that have a safe fix.
    pub fixable: usize,
    /// The findings among them that have only an unsafe fix.
    pub fixable_unsafe: usize,
    /// The findings that were fixed, and so are not among those above.
    pub fixed: usize,
    /// The findings whose fixes are only shown.
    pub would_fix: usize,
    /// The findings whose new waivers are only shown.
    pub would_waive: usize,
    /// The findings that a waiver suppresses.
    pub waived: usize,
    /// The findings among them that are about security.
    pub waived_security: usize,
    /// The findings that the baseline hides.
    pub known: usize,
    /// The paths that could not be checked.
    pub problems: usize,
    /// The duration of the run.
    pub elapsed: Duration,
}
