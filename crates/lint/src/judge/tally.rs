//! How many findings of one rule are reported, so that a hostile file does not fill the memory
//! with them.

use std::collections::BTreeMap;

use super::diagnostics;
use crate::levels::EffectiveLevel;
use dibber_skill::diagnostic::{Diagnostic, Finding, Place, RuleMeta};
use dibber_skill::names::Roster;
use dibber_text::message;

/// The most findings of one rule in one skill that are reported one by one; the rest is counted.
pub const REPORTED_MAX: usize = 100;

/// The number of findings of each rule in a skill.
#[derive(Debug)]
pub(super) struct Tally {
    reported_max: usize,
    rules: BTreeMap<&'static str, RuleTally>,
}

#[derive(Debug)]
struct RuleTally {
    rule: &'static RuleMeta,
    reported: usize,
    omitted: Option<Omitted>,
}

/// The findings that are not reported one by one.
#[derive(Debug)]
struct Omitted {
    findings: usize,
    /// The file of the first of them.
    path: String,
    /// The strictest of their levels: omitting findings must not turn a failure into a success.
    level: EffectiveLevel,
}

impl Tally {
    /// Creates a tally that admits that many findings of each rule.
    pub(super) const fn new(reported_max: usize) -> Self {
        Self { reported_max, rules: BTreeMap::new() }
    }

    /// Counts a finding. Returns `true` if it is to be reported.
    pub(super) fn admit(
        &mut self,
        rule: &'static RuleMeta,
        path: &str,
        level: &EffectiveLevel,
    ) -> bool {
        let new = RuleTally { rule, reported: 0, omitted: None };
        let tally = self.rules.entry(rule.id).or_insert(new);
        if tally.reported < self.reported_max {
            tally.reported += 1;
            return true;
        }
        let omitted = tally.omitted.get_or_insert_with(|| Omitted {
            findings: 0,
            path: path.to_owned(),
            level: level.clone(),
        });
        omitted.findings += 1;
        if omitted.level.level < level.level {
            omitted.level.clone_from(level);
        }
        false
    }

    /// Returns, for each rule with omitted findings, one diagnostic that counts them.
    ///
    /// It is about a file as a whole: `--since` and a baseline must not hide it for the sake of
    /// one line, since the omitted findings may be on others.
    pub(super) fn diagnostics(self, roster: &Roster) -> impl Iterator<Item = Diagnostic> {
        self.rules.into_values().filter_map(move |RuleTally { rule, omitted, .. }| {
            let Omitted { findings, path, level } = omitted?;
            let all = REPORTED_MAX + findings;
            let message = message![
                all,
                " findings in this skill; only the first ",
                REPORTED_MAX,
                " are reported"
            ];
            let finding = Finding::at(rule, Place::File(path.clone()), message)
                .help("correct those, or waive them in `dibber.toml`, to see the others");
            // With another number, there may be new findings among those that are omitted.
            let fingerprint = diagnostics::fingerprint(rule.id, &path, &all.to_string());
            Some(Diagnostic { fingerprint, ..diagnostics::in_file(&path, roster, finding, level) })
        })
    }
}
