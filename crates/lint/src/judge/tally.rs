//! A tally of findings, and how many of one rule are reported: a hostile file must not fill the memory with them.

use std::collections::BTreeMap;

use super::diagnostics;
use dibber_skill::diagnostic::{Diagnostic, Finding, Level, LevelReason, Place, RuleMeta};
use dibber_skill::names::Roster;

/// The most findings of one rule in one skill that are reported one by one; the rest is counted.
pub const REPORTED_MAX: usize = 100;

/// How many findings each rule has had in a skill.
#[derive(Debug)]
pub(super) struct Tally {
    reported_max: usize,
    rules: BTreeMap<&'static str, Count>,
}

#[derive(Debug)]
struct Count {
    rule: &'static RuleMeta,
    reported: usize,
    left_out: Option<LeftOut>,
}

/// The findings that are not reported one by one.
#[derive(Debug)]
struct LeftOut {
    findings: usize,
    /// The file that the first of them is in.
    path: String,
    /// The strictest of their levels: leaving out must not turn a failure into a success.
    level: (Level, LevelReason),
}

impl Tally {
    /// Returns a tally of nothing yet, which admits that many findings of each rule.
    pub(super) const fn new(reported_max: usize) -> Self {
        Self { reported_max, rules: BTreeMap::new() }
    }

    /// Counts a finding; tells whether it is to be reported.
    pub(super) fn admits(
        &mut self,
        rule: &'static RuleMeta,
        path: &str,
        level: &(Level, LevelReason),
    ) -> bool {
        let new = Count { rule, reported: 0, left_out: None };
        let count = self.rules.entry(rule.id).or_insert(new);
        if count.reported < self.reported_max {
            count.reported += 1;
            return true;
        }
        let left_out = count.left_out.get_or_insert_with(|| LeftOut {
            findings: 0,
            path: path.to_owned(),
            level: level.clone(),
        });
        left_out.findings += 1;
        if left_out.level.0 < level.0 {
            left_out.level.clone_from(level);
        }
        false
    }

    /// For each rule, one finding that says how many were left out.
    ///
    /// It is about a file as a whole: neither a line that has not changed nor one that a baseline
    /// knows keeps it quiet, since others than those may be among the findings.
    pub(super) fn diagnostics(self, roster: &Roster) -> impl Iterator<Item = Diagnostic> {
        self.rules.into_values().filter_map(move |Count { rule, left_out, .. }| {
            let LeftOut { findings, path, level } = left_out?;
            let all = REPORTED_MAX + findings;
            let message = format!(
                "{all} of these in this skill; only the first {REPORTED_MAX} are looked at"
            );
            let finding = Finding::at(rule, Place::File(path.clone()), message)
                .help("correct those, or waive them in `dibber.toml`, to come to the others");
            Some(diagnostics::of_file(path, roster, finding, level))
        })
    }
}
