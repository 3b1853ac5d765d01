//! The findings in `dibber.toml` itself after a run: waivers that have expired, and waivers that
//! covered nothing.

use std::collections::BTreeSet;

use super::judge::diagnostics;
use super::settings::Settings;
use dibber_skill::diagnostic::{Diagnostic, RuleMeta};

/// Returns the findings in `dibber.toml` after all skills were linted.
///
/// `used` joins the `used_waivers` of all outcomes. `roots` are the paths that were linted, as
/// they are shown: a waiver is unused only if everything that it can match is below one of them,
/// so that a run over a single skill does not report the waivers of others.
pub fn config_diagnostics(
    settings: &Settings,
    used: &BTreeSet<usize>,
    roots: &[&str],
) -> Vec<Diagnostic> {
    let Some(waivers) = settings.configured_waivers() else { return Vec::new() };
    let has_run = |rule: &RuleMeta, path: &str| {
        // If the path is a directory, the files below it count.
        let file = format!("{path}/SKILL.md");
        let is_reported = |path: &str| settings.levels_for_relative(path).get(rule).is_reported();
        settings.can_find(rule) && is_reported(path) && is_reported(&file)
    };
    let source = &waivers.source;
    let findings = waivers.findings(used, roots, has_run);
    diagnostics::in_source(source, settings.roster(), findings, &settings.levels_for(source.path()))
}
