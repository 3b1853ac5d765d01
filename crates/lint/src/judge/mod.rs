//! From what rules find to what is reported.
//!
//! A finding goes through here once: excluded or allowed ([`Settings`]), waived ([`WaiverComments`]),
//! one too many ([`tally`]), given its place and rid of secrets ([`diagnostics`], [`conceal`]),
//! and left out where another one says more of the same fault ([`same_fault`]).

pub(super) mod conceal;
pub(super) mod diagnostics;
mod same_fault;
pub(super) mod tally;

use std::borrow::Cow;

use self::conceal::Concealer;
use self::tally::{REPORTED_MAX, Tally};
use crate::levels::Levels;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::waivers::WaiverComments;
use dibber_skill::diagnostic::{Finding, Group, Level, LevelReason, RuleMeta};
use dibber_skill::skill::Skill;

/// Decides what of the findings of a skill is reported.
pub(super) struct Judge<'a> {
    skill: &'a Skill,
    settings: &'a Settings,
    comments: WaiverComments,
    concealer: Concealer<'a>,
    tally: Tally,
    outcome: Outcome,
    /// The levels of the file that was asked for last: findings come file by file.
    levels: Option<(String, Cow<'a, Levels>)>,
}

impl<'a> Judge<'a> {
    /// Reads the waiver comments of a skill, and has judged nothing yet.
    pub(super) fn new(skill: &'a Skill, settings: &'a Settings) -> Self {
        Self { comments: WaiverComments::read(skill), ..Self::without_waivers(skill, settings) }
    }

    /// Reads no waiver comments.
    pub(super) fn without_waivers(skill: &'a Skill, settings: &'a Settings) -> Self {
        let comments = WaiverComments::default();
        let concealer = Concealer::new(skill, settings.roster());
        let (tally, outcome) = (Tally::new(REPORTED_MAX), Outcome::default());
        Self { skill, settings, comments, concealer, tally, outcome, levels: None }
    }

    /// Reports every finding of a rule one by one, however many there are.
    pub(super) fn unlimited(self) -> Self {
        Self { tally: Tally::new(usize::MAX), ..self }
    }

    /// Judges findings of the skill; call it for one rule after the other, as they come.
    pub(super) fn judge_all(&mut self, findings: impl IntoIterator<Item = Finding>) {
        for finding in findings {
            let path = diagnostics::path_of(self.skill, &finding.place);
            let level = self.level(finding.rule, &path);
            if level.0 == Level::Allow || self.settings.is_excluded(&path) {
                continue;
            }
            if self.is_waived(&finding, &path) {
                self.outcome.waived += 1;
            } else if self.tally.admits(finding.rule, &path, &level) {
                let diagnostic =
                    diagnostics::in_skill(self.skill, &mut self.concealer, finding, level);
                self.outcome.diagnostics.push(diagnostic);
            }
        }
    }

    fn level(&mut self, rule: &RuleMeta, path: &str) -> (Level, LevelReason) {
        if let Some((known, levels)) = &self.levels
            && (known == path || !self.settings.has_overrides())
        {
            return levels.of(rule).clone();
        }
        let levels = self.settings.levels_for(path);
        let level = levels.of(rule).clone();
        self.levels = Some((path.to_owned(), levels));
        level
    }

    /// Asks both kinds of waivers, so that each that covers the finding counts as used.
    fn is_waived(&mut self, finding: &Finding, path: &str) -> bool {
        if finding.rule.group == Group::Waivers {
            return false;
        }
        let by_comment = self.comments.cover(self.skill, finding);
        let used = &mut self.outcome.used_waivers;
        self.settings.is_waived(finding.rule, path, used) || by_comment
    }

    /// Judges the waiver comments themselves, once they have been asked for every finding.
    pub(super) fn judge_comments(&mut self) {
        let mut findings = std::mem::take(&mut self.comments.problems);
        findings.extend(self.comments.unused(|rule, place| {
            let path = diagnostics::path_of(self.skill, place);
            let level = self.settings.levels_for(&path).of(rule).0;
            level != Level::Allow && self.settings.can_find(rule)
        }));
        self.judge_all(findings);
    }

    /// Everything that is reported, in the order of path and text.
    pub(super) fn outcome(mut self) -> Outcome {
        same_fault::leave_out(&mut self.outcome.diagnostics);
        let roster = self.settings.roster();
        self.outcome.diagnostics.extend(self.tally.diagnostics(roster));
        diagnostics::sort(&mut self.outcome.diagnostics);
        self.outcome
    }
}
