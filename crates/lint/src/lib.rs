//! The linter: the rules, and what becomes of their findings.
//!
//! A rule only finds. Levels, waivers, and lines and columns are applied here, in one place.
//! Nothing here reads a file by itself or prints.
//!
//! A [`Workspace`] runs over many skills; [`lint()`] is for a single one that is in memory. A caller
//! with findings of its own makes them diagnostics like any others with [`report_findings`].

mod add_waivers;
pub mod baseline;
mod broken_yaml;
pub mod changed;
mod config_diagnostics;
mod consequences;
mod draft_findings;
mod duplicates;
mod fields;
mod file_secrets;
mod files;
pub mod fix;
mod judge;
mod levels;
mod lint;
mod listing;
pub mod ordered;
mod outcome;
mod protocol_findings;
pub mod report;
mod rule;
pub mod rules;
mod run_values;
mod scan;
mod second_parser;
mod selection;
mod settings;
mod skill_secrets;
mod unchecked;
mod update_check;
mod waivers;
pub mod workspace;

pub use add_waivers::{NewWaivers, WaiverReason};
pub use config_diagnostics::config_diagnostics;
pub use dibber_skill::privacy::Privacy;
pub use draft_findings::{draft_faults, draft_reasons, heartbeat_refusals};
pub use judge::tally::REPORTED_MAX;
pub use levels::{EffectiveLevel, LevelSetting, Levels, UnknownRule};
pub use lint::{lint, lint_drafted, report_findings, unchecked};
pub use outcome::Outcome;
pub use rule::{Check, Rule};
pub use rules::{RULES, rule};
pub use selection::Selection;
pub use settings::{Settings, Waivers};
pub use unchecked::UNCHECKED_SKILL;
pub use update_check::{UpdateProblem, check_update};
pub use workspace::Workspace;

use dibber_skill::diagnostic::RuleMeta;

/// Returns the metadata of a rule, or of what reports show in place of one.
pub fn meta(id: &str) -> Option<&'static RuleMeta> {
    let meta = rule(id).map(|rule| &rule.meta);
    meta.or_else(|| (UNCHECKED_SKILL.id == id).then_some(&UNCHECKED_SKILL))
}
