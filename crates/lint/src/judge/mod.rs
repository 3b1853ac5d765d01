//! From what rules find to what is reported.
//!
//! A finding goes through here once. First it is judged: excluded or allowed ([`Settings`]),
//! waived ([`WaiverComments`]), over the limit ([`tally`]), or weaker than another finding of the same
//! fault ([`dedup`]). Only what is left gets its lines and excerpt ([`diagnostics`]), with secrets
//! and names masked ([`mask`]).

mod dedup;
pub(super) mod diagnostics;
mod judged;
pub(super) mod mask;
pub(super) mod tally;

use std::borrow::Cow;
use std::collections::BTreeSet;

use self::diagnostics::ShownPath;
use self::judged::{Judged, path_of};
use self::tally::{REPORTED_MAX, Tally};
use crate::levels::{EffectiveLevel, Levels};
use crate::outcome::Outcome;
use crate::settings::{Settings, Waivers};
use crate::skill_secrets::SkillSecrets;
use crate::waivers::WaiverComments;
use dibber_skill::diagnostic::{Diagnostic, Finding, Group, RuleMeta};
use dibber_skill::skill::Skill;

/// Decides which findings of a skill are reported.
pub(super) struct Judge<'a> {
    skill: &'a Skill,
    settings: &'a Settings,
    comments: WaiverComments,
    secrets: SkillSecrets<'a>,
    tally: Tally,
    reported: Vec<Judged>,
    outcome: Outcome,
    /// The levels of the last file: findings come file by file.
    levels: Option<(String, Cow<'a, Levels>)>,
    /// The path of the last diagnostic: most are in one file, and a path may be long.
    path: Option<ShownPath>,
}

impl<'a> Judge<'a> {
    /// Reads the waiver comments of a skill, if the settings apply them.
    pub(super) fn new(skill: &'a Skill, settings: &'a Settings) -> Self {
        Self::with_comments(skill, settings, settings.comments())
    }

    /// Reads the waiver comments of a skill, or ignores them.
    pub(super) fn with_comments(
        skill: &'a Skill,
        settings: &'a Settings,
        comments: Waivers,
    ) -> Self {
        Self {
            skill,
            settings,
            comments: match comments {
                Waivers::Apply => WaiverComments::read(skill),
                Waivers::Ignore => WaiverComments::default(),
            },
            secrets: SkillSecrets::new(skill),
            tally: Tally::new(REPORTED_MAX),
            reported: Vec::new(),
            outcome: Outcome::default(),
            levels: None,
            path: None,
        }
    }

    /// Reports every finding of a rule one by one, however many there are.
    pub(super) fn unlimited(self) -> Self {
        Self { tally: Tally::new(usize::MAX), ..self }
    }

    /// Judges findings of the skill. Call it for one rule after the other: the limit counts the
    /// findings as they come, so that a hostile skill does not fill the memory with them.
    pub(super) fn judge_all(&mut self, findings: impl IntoIterator<Item = Finding>) {
        let mut outcome = std::mem::take(&mut self.outcome);
        for finding in findings {
            if let Some(judged) = self.judge(finding, &mut outcome)
                && self.tally.admit(judged.finding.rule, &judged.path, &judged.level)
            {
                self.reported.push(judged);
            }
        }
        self.outcome = outcome;
    }

    /// Returns the outcome of one more finding, which [`Judge::outcome`] does not include.
    pub(super) fn judge_separately(&mut self, finding: Finding) -> Outcome {
        let mut outcome = Outcome::default();
        if let Some(judged) = self.judge(finding, &mut outcome) {
            outcome.diagnostics.push(self.diagnostic(judged));
        }
        outcome
    }

    /// Returns a finding with its level, unless it is allowed, excluded or waived. What waives it
    /// is added to `outcome`.
    fn judge(&mut self, finding: Finding, outcome: &mut Outcome) -> Option<Judged> {
        let path = path_of(self.skill, &finding.place);
        let level = self.level(finding.rule, &path);
        if !level.is_reported() || self.settings.is_excluded(&path) {
            return None;
        }
        if self.is_waived(&finding, &path, &mut outcome.used_waivers) {
            outcome.waived += 1;
            outcome.waived_security += usize::from(finding.rule.group == Group::Security);
            return None;
        }
        Some(Judged { finding, path: path.into_owned(), level })
    }

    /// Returns the secrets of the skill.
    pub(super) const fn secrets(&self) -> &SkillSecrets<'a> {
        &self.secrets
    }

    fn level(&mut self, rule: &RuleMeta, path: &str) -> EffectiveLevel {
        if let Some((known, levels)) = &self.levels
            && (known == path || !self.settings.has_overrides())
        {
            return levels.get(rule).clone();
        }
        let levels = self.settings.levels_for(path);
        let level = levels.get(rule).clone();
        self.levels = Some((path.to_owned(), levels));
        level
    }

    /// Returns `true` if a waiver covers a finding. Both kinds of waivers are asked in any case,
    /// so that each that covers it counts as used.
    fn is_waived(&mut self, finding: &Finding, path: &str, used: &mut BTreeSet<usize>) -> bool {
        if finding.rule.group == Group::Waivers {
            return false;
        }
        let by_comment = self.comments.cover(self.skill, finding);
        self.settings.is_waived(finding.rule, path, used) || by_comment
    }

    /// Judges the waiver comments themselves, after they were asked for every finding.
    pub(super) fn judge_comments(&mut self) {
        let mut findings = std::mem::take(&mut self.comments.problems);
        findings.extend(self.comments.unused(|rule, place| {
            let path = path_of(self.skill, place);
            self.settings.levels_for(&path).get(rule).is_reported() && self.settings.can_find(rule)
        }));
        self.judge_all(findings);
    }

    fn diagnostic(&mut self, judged: Judged) -> Diagnostic {
        let roster = self.settings.roster();
        let known = self.path.take().filter(|path| path.is_of(&judged.path));
        let path = known.unwrap_or_else(|| ShownPath::new(&judged.path, roster));
        let path = self.path.insert(path);
        diagnostics::in_skill(self.skill, &self.secrets, roster, path, judged)
    }

    /// Returns everything that is reported, in the order of path and place.
    pub(super) fn outcome(mut self) -> Outcome {
        let mut reported = std::mem::take(&mut self.reported);
        dedup::drop_weaker(self.skill, &mut reported);
        let mut diagnostics: Vec<_> =
            reported.into_iter().map(|judged| self.diagnostic(judged)).collect();
        diagnostics.extend(self.tally.diagnostics(self.settings.roster()));
        diagnostics::sort(&mut diagnostics);
        Outcome { diagnostics, ..self.outcome }
    }
}
