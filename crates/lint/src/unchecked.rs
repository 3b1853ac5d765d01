//! `unchecked-skill`: what is reported of a skill on which dibber panicked.
//!
//! No rule finds it, and so it is not in [`RULES`](super::RULES): no level, waiver, baseline or
//! `--since` leaves it out.

use super::judge::diagnostics;
use super::settings::Settings;
use dibber_skill::diagnostic::{
    Diagnostic, Finding, FixAvailability, Group, Level, LevelReason, Place, RuleMeta,
};
use dibber_text::isolation::{InternalError, REPORT_HELP};

/// What reports name in the place of a rule.
pub static UNCHECKED_SKILL: RuleMeta = RuleMeta {
    id: "unchecked-skill",
    group: Group::Internal,
    level: Level::Deny,
    fix: FixAvailability::None,
    since: "0.1.0",
    summary: "dibber failed while it checked the skill",
    docs: "
# What it does

Reports a skill that dibber could not check because of a bug in dibber. The other skills are
checked all the same. Nothing is known of this one: it was not fixed, and its findings, if it has
any, are missing.

It is always at level `deny` and cannot be waived: no rule finds it.

# Why is this bad

Without this finding, a skill that was not checked would look like one without findings.

# Source

dibber's own.
",
};

/// Reports the skill file that is shown as `path`, whose check ended in `error`.
pub fn unchecked(path: &str, settings: &Settings, error: &InternalError) -> Diagnostic {
    let message = format!("the skill could not be checked: {error}");
    let place = Place::File(path.to_owned());
    let finding = Finding::at(&UNCHECKED_SKILL, place, message).help(REPORT_HELP);
    let level = (Level::Deny, LevelReason::Default);
    diagnostics::of_file(path.to_owned(), settings.roster(), finding, level)
}
