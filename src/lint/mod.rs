//! The linter: which rules there are, and what they say of one skill.
//!
//! A rule only finds. Its level, the waivers that keep a finding quiet, and lines and columns
//! are added here, in one place. Nothing here reads a file or prints.

mod broken_line;
mod broken_value;
mod broken_yaml;
mod levels;
mod place;
mod quoting;
pub mod rules;
mod second_parser;

pub use levels::{LevelSetting, Levels, UnknownRule};
pub use rules::RULES;

use crate::diagnostic::{Diagnostic, Finding, Level, RuleMeta};
use crate::skill::Skill;

/// A rule: what is known of it, and how it looks at a skill.
#[derive(Debug)]
pub struct Rule {
    /// What is known of it before it runs.
    pub meta: RuleMeta,
    /// How it finds.
    pub check: Check,
}

/// How a rule finds.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// By looking at one skill.
    Skill(fn(&Skill, &mut Vec<Finding>)),
    /// The runner does it, because it takes more than one skill, or the waivers.
    Runner,
}

/// The rule of that name.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.meta.id == id).copied()
}

/// Runs every rule that is not allowed over one skill; the result is in the order of the text.
pub fn lint(skill: &Skill, levels: &Levels) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for rule in RULES {
        if let Check::Skill(check) = rule.check
            && levels.of(&rule.meta).0 != Level::Allow
        {
            check(skill, &mut findings);
        }
    }
    place::diagnostics(skill, findings, levels)
}
