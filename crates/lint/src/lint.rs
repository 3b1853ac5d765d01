//! Linting one skill: from its files to an [`Outcome`].

use super::draft_findings;
use super::duplicates::SkillName;
use super::judge::Judge;
use super::judge::diagnostics;
use super::levels::EffectiveLevel;
use super::outcome::Outcome;
use super::protocol_findings;
use super::rule::Check;
use super::rules::RULES;
use super::settings::{Settings, Waivers};
use super::unchecked::UNCHECKED_SKILL;
use dibber_skill::diagnostic::{Diagnostic, Finding, Place};
use dibber_skill::draft::{self, AnalyzedDraft};
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use dibber_text::isolation::{InternalError, REPORT_HELP};
use dibber_text::{message, quote_in_full};

/// How many findings of one rule are reported one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// [`REPORTED_MAX`](crate::REPORTED_MAX); the rest is counted.
    PerRule,
    /// All of them: to fix them.
    None,
}

/// What a run has to know of a skill after linting it.
#[derive(Debug)]
pub(crate) struct Linted {
    pub(crate) outcome: Outcome,
    /// The name under which it may be a duplicate of another skill.
    pub(crate) name: Option<SkillName>,
}

/// Runs every rule that is not allowed over one skill.
pub fn lint(skill: &Skill, settings: &Settings) -> Outcome {
    lint_for_run(skill, settings, Limit::PerRule).outcome
}

/// Does the same as [`lint`] for a skill that is drafted and analyzed already.
pub fn lint_drafted(skill: &Skill, draft: &AnalyzedDraft, settings: &Settings) -> Outcome {
    let mut judge = Judge::new(skill, settings);
    run_rules(skill, Some(draft), settings, &mut judge);
    judge.outcome()
}

/// Like [`lint`], with what a run over several skills needs.
pub(crate) fn lint_for_run(skill: &Skill, settings: &Settings, limit: Limit) -> Linted {
    let mut judge = Judge::new(skill, settings);
    if limit == Limit::None {
        judge = judge.unlimited();
    }
    run_rules(skill, None, settings, &mut judge);
    let name = SkillName::new(skill, |finding| judge.judge_separately(finding));
    Linted { outcome: judge.outcome(), name }
}

/// Runs the rules. Unless there is a draft, the skill is drafted if a rule needs it.
fn run_rules(
    skill: &Skill,
    draft: Option<&AnalyzedDraft>,
    settings: &Settings,
    judge: &mut Judge<'_>,
) {
    let mut findings = Vec::new();
    let (mut wants_draft, mut disabled_kinds) = (false, Vec::new());
    let mut wants_protocol = false;
    for (rule, may_run) in RULES.iter().zip(settings.may_run()) {
        match rule.check {
            Check::Manifest(kind) if !may_run => disabled_kinds.push(kind),
            _ if !may_run => {}
            Check::Skill(check) => check(skill, &mut findings),
            Check::SkillAndDraft(check) => {
                check(skill, &mut findings);
                wants_draft = true;
            }
            Check::Secrets(check) => check(skill, judge.secrets(), &mut findings),
            Check::Names(check) if !settings.roster().is_empty() => {
                check(skill, settings.roster(), &mut findings);
            }
            Check::Manifest(_) | Check::Draft(_) | Check::Heartbeat(_) => wants_draft = true,
            Check::Protocol(_) => wants_protocol = true,
            Check::Names(_) | Check::Runner => {}
        }
        judge.judge_all(findings.drain(..));
    }
    if wants_protocol {
        judge.judge_all(protocol_findings::findings(skill));
    }
    if wants_draft && draft::is_authored(skill) {
        let mut draft = match draft {
            Some(draft) => draft.clone(),
            None => AnalyzedDraft::new(skill, &Roster::default()),
        };
        // A problem that is not reported must not hide its consequences.
        draft.draft.problems.retain(|(_, problem)| !disabled_kinds.contains(&problem.kind));
        let AnalyzedDraft { draft, problems } = draft;
        judge.judge_all(draft_findings::findings(skill, &draft, &problems));
        judge.judge_all(draft_findings::in_heartbeats(skill, &draft, settings.start_of_day()));
    }
    judge.judge_comments();
}

/// Reports findings in a skill that were made elsewhere: applies their levels and waivers, and
/// adds lines and excerpts. No rule runs.
pub fn report_findings(
    skill: &Skill,
    settings: &Settings,
    findings: Vec<Finding>,
    comments: Waivers,
) -> Outcome {
    let mut judge = Judge::with_comments(skill, settings, comments);
    judge.judge_all(findings);
    judge.outcome()
}

/// Returns the finding in the skill file that is shown as `path`, whose check ended in `error`.
pub fn unchecked(path: &str, settings: &Settings, error: &InternalError) -> Diagnostic {
    let message = message!["the skill could not be checked: ", quote_in_full(&error.to_string())];
    let place = Place::File(path.to_owned());
    let finding = Finding::at(&UNCHECKED_SKILL, place, message).help(REPORT_HELP);
    let level = EffectiveLevel::default_of(UNCHECKED_SKILL.level);
    diagnostics::in_file(path, settings.roster(), finding, level)
}
