//! The counts at the end of a report as JSON.

use serde::Serialize;

use super::summary::Summary;

/// The counts of a run.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SummaryV2 {
    skills: usize,
    errors: usize,
    warnings: usize,
    fixable: usize,
    fixable_unsafe: usize,
    fixed: usize,
    waived: usize,
    waived_security: usize,
    known: usize,
    problems: usize,
}

/// Returns the counts of a run.
pub(super) fn summary_v2(summary: &Summary) -> SummaryV2 {
    SummaryV2 {
        skills: summary.skills,
        errors: summary.errors,
        warnings: summary.warnings,
        fixable: summary.fixable,
        fixable_unsafe: summary.fixable_unsafe,
        fixed: summary.fixed,
        waived: summary.waived,
        waived_security: summary.waived_security,
        known: summary.known,
        problems: summary.problems,
    }
}
