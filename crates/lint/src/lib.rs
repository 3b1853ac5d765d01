//! The linter: which rules there are, and what they say of one skill.
//!
//! A rule only finds. Its level, the waivers that keep a finding quiet, and lines and columns
//! are added here, in one place. Nothing here reads a file or prints.
//!
//! A run is: [`Settings::new`] once, [`lint`] for each skill, in any order and on any thread, and
//! [`Settings::after`] at the end. A rule that takes more than one skill finds outside of
//! [`lint`]; [`settle`] makes what it finds into an [`Outcome`] like any other.

pub mod baseline;
mod broken_yaml;
pub mod changed;
mod drafted;
pub mod duplicates;
mod fields;
mod files;
pub mod fix;
mod judge;
mod levels;
mod listing;
mod misread;
mod outcome;
mod privacy;
pub mod report;
mod rule;
pub mod rules;
mod scan;
mod second_parser;
mod settings;
mod unchecked;
mod waivers;

pub use drafted::{faults as draft_faults, reasons as draft_reasons};
pub use judge::conceal::mask_secrets;
pub use judge::tally::REPORTED_MAX;
pub use levels::{LevelSetting, Levels, UnknownRule};
pub use outcome::Outcome;
pub use privacy::Privacy;
pub use rule::{Check, Rule};
pub use rules::{RULES, rule};
pub use settings::Settings;
pub use unchecked::{UNCHECKED_SKILL, unchecked};

use dibber_skill::diagnostic::{Diagnostic, Finding, RuleMeta};
use dibber_skill::draft::{self, Draft};
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use judge::Judge;

/// Returns what is known of a rule, or of what else reports name in the place of one.
pub fn meta(id: &str) -> Option<&'static RuleMeta> {
    let meta = rule(id).map(|rule| &rule.meta);
    meta.or_else(|| (UNCHECKED_SKILL.id == id).then_some(&UNCHECKED_SKILL))
}

/// Runs every rule that is not allowed over one skill.
pub fn lint(skill: &Skill, settings: &Settings) -> Outcome {
    lint_with(skill, settings, Judge::new(skill, settings))
}

/// Like [`lint`], and reports every finding one by one, also of a rule that has more than
/// [`REPORTED_MAX`] in the skill: to fix them all.
pub fn lint_unlimited(skill: &Skill, settings: &Settings) -> Outcome {
    lint_with(skill, settings, Judge::new(skill, settings).unlimited())
}

fn lint_with(skill: &Skill, settings: &Settings, mut judge: Judge<'_>) -> Outcome {
    let mut findings = Vec::new();
    let (mut wants_draft, mut unheard) = (false, Vec::new());
    for (rule, may_run) in RULES.iter().zip(settings.may_run()) {
        match rule.check {
            Check::Manifest(kind) if !may_run => unheard.push(kind),
            _ if !may_run => {}
            Check::Skill(check) => check(skill, &mut findings),
            Check::Names(check) if !settings.roster().is_empty() => {
                check(skill, settings.roster(), &mut findings);
            }
            Check::Manifest(_) | Check::Draft(_) | Check::Heartbeat(_) => wants_draft = true,
            Check::Names(_) | Check::Runner => {}
        }
        judge.judge_all(findings.drain(..));
    }
    if wants_draft && draft::is_authored(skill) {
        let mut draft = Draft::new(skill);
        // What nobody is told of explains nothing.
        draft.problems.retain(|(_, found)| !unheard.contains(&found.kind));
        // `child-name` has looked at more than the arguments already.
        let problems = draft::analyze(draft.best_effort(), &Roster::default());
        judge.judge_all(drafted::findings(skill, &draft, &problems));
        judge.judge_all(drafted::of_heartbeats(skill, &draft, settings.start_of_day()));
    }
    judge.judge_comments();
    judge.outcome()
}

/// Gives findings that were made outside of [`lint`] their levels and places, and leaves out
/// those that are allowed or waived. No rule runs.
///
/// This is for rules that take more than one skill. A finding needs the skill that it is in, and
/// nothing of the others: whoever goes through the skills in order keeps what it has to know of
/// each (a name, a path) and loads the few again in which something was found. A finding may
/// also be settled in advance, with the skill at hand, and its message be written once it is
/// known: what it is kept quiet by, and its fingerprint, do not depend on the message as long as
/// it has a place in the text.
pub fn settle(skill: &Skill, settings: &Settings, findings: Vec<Finding>) -> Outcome {
    let mut judge = Judge::new(skill, settings);
    judge.judge_all(findings);
    judge.outcome()
}

/// Like [`settle`] for somebody who has to know all: the waiver comments of the skill are not
/// asked.
pub fn place(skill: &Skill, settings: &Settings, findings: Vec<Finding>) -> Vec<Diagnostic> {
    let mut judge = Judge::without_waivers(skill, settings);
    judge.judge_all(findings);
    judge.outcome().diagnostics
}
