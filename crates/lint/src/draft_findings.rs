//! From a draft and its problems to findings: what a server would report with a path is shown in
//! the file that it comes from.

use jiff::Timestamp;

use super::broken_yaml;
use super::consequences::Consequences;
use super::rule::{Check, Rule};
use super::rules::{
    RULES, child_name, duplicate_key, frontmatter_not_a_mapping, hidden_unicode, invalid_yaml,
    missing_frontmatter, not_utf8, oversized_skill, piped_shell, secret, unclosed_frontmatter,
};
use super::settings::Settings;
use dibber_skill::diagnostic::{Applicability, Finding, Place, RuleMeta};
use dibber_skill::draft::{
    Argument, Draft, DraftProblem, HeartbeatProblem, HeartbeatReason, Reason, analyze_heartbeats,
};
use dibber_skill::manifest::{MANIFEST_FILE_NAME, ManifestProblem, ManifestProblemKind};
use dibber_skill::scan::hidden_characters::{self, Escapes, HiddenRun};
use dibber_skill::skill::{Resource, Skill};
use dibber_text::{Span, message, quote_in_full};

/// The rules whose findings make the content of `SKILL.md` uncertain.
static TEXT_RULES: [&Rule; 7] = [
    &not_utf8::RULE,
    &oversized_skill::RULE,
    &missing_frontmatter::RULE,
    &unclosed_frontmatter::RULE,
    &frontmatter_not_a_mapping::RULE,
    &invalid_yaml::RULE,
    &duplicate_key::RULE,
];

/// Returns why it is uncertain what would be sent: `SKILL.md` or `sprout.yaml` cannot be read as
/// it was meant. Without such findings, the draft is certain.
pub fn draft_faults(skill: &Skill, draft: &Draft) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !skill.faults.is_empty() || !skill.is_whole_text() {
        for rule in TEXT_RULES {
            if let Check::Skill(check) = rule.check {
                check(skill, &mut findings);
            }
        }
        if findings.is_empty() {
            let place = Place::File(skill.bundle.skill_file.clone());
            let finding =
                Finding::at(&invalid_yaml::RULE.meta, place, "the frontmatter cannot be read");
            findings.push(finding.help("run `dibber lint` for details"));
        }
    }
    findings.extend(manifest_faults(skill, draft));
    findings
}

/// Returns the problems of the `sprout.yaml` of a skill and those of its draft, without those
/// that are only consequences of the former.
pub(super) fn findings(skill: &Skill, draft: &Draft, problems: &[DraftProblem]) -> Vec<Finding> {
    let consequences = Consequences::of_problems(skill, draft);
    let mut findings: Vec<_> = manifest_faults(skill, draft).collect();
    let problems = problems.iter().filter(|problem| {
        !is_found_by_file_rule(skill, draft, problem)
            && !consequences.is_consequence(draft, problem)
    });
    findings.extend(problems.map(|problem| finding(skill, draft, problem)));
    findings
}

/// Returns `true` if a rule that reads all files reports a problem. A label is judged more strictly
/// than a file: one hidden character is enough, and its letters must not look like others. No file
/// has the characters that YAML writes as escapes.
fn is_found_by_file_rule(skill: &Skill, draft: &Draft, found: &DraftProblem) -> bool {
    let argument = found.problem.place.argument;
    let is_of_yaml =
        matches!(argument, Argument::Name | Argument::Description | Argument::InputDescription(_));
    if found.reason != Reason::MisleadingCharacters || !is_of_yaml {
        return is_found_in_files(found.reason);
    }
    let Some(place) = draft.place(argument, found.problem.place.span) else { return false };
    let (source, escapes, span) = match place {
        Place::SkillFile(span) => (&skill.source, Escapes::All, span),
        Place::Resource(index, span) => {
            (&skill.resources[index].source, Escapes::ExceptColors, span)
        }
        Place::File(_) => return false,
    };
    let is_here = |hidden: &HiddenRun| hidden.span.overlaps(span);
    hidden_characters::find(source.text(), escapes).iter().any(is_here)
}

/// Returns the problems of the draft of a skill.
pub fn draft_reasons(skill: &Skill, draft: &Draft, problems: &[DraftProblem]) -> Vec<Finding> {
    problems.iter().map(|problem| finding(skill, draft, problem)).collect()
}

/// Returns the problems for which a server refuses the heartbeats of a skill.
pub fn heartbeat_refusals(skill: &Skill, draft: &Draft, settings: &Settings) -> Vec<Finding> {
    let problems = heartbeat_problems(skill, draft, settings.start_of_day());
    let refused = problems.into_iter().filter(|(reason, _)| reason.is_refused());
    refused.map(|(_, finding)| finding).collect()
}

/// Returns the problems of the heartbeats of a skill from an instant on.
pub(super) fn in_heartbeats(skill: &Skill, draft: &Draft, from: Timestamp) -> Vec<Finding> {
    let problems = heartbeat_problems(skill, draft, from).into_iter();
    problems.map(|(_, finding)| finding).collect()
}

fn heartbeat_problems(
    skill: &Skill,
    draft: &Draft,
    from: Timestamp,
) -> Vec<(HeartbeatReason, Finding)> {
    let is_manifest = |file: &Resource| file.path == MANIFEST_FILE_NAME;
    let Some(index) = skill.resources.iter().position(is_manifest) else { return Vec::new() };
    let source = &skill.resources[index].source;
    let mut problems = analyze_heartbeats(skill, draft, source, from);
    if !problems.is_empty() && !draft.problems.is_empty() {
        let consequences = Consequences::of_problems(skill, draft);
        problems.retain(|problem| !consequences.is_heartbeat_consequence(source, problem));
    }
    let finding = |HeartbeatProblem { reason, problem }| {
        let rule = rule_of_heartbeat(reason);
        (reason, Finding::of_problem(rule, Place::Resource(index, problem.place), problem))
    };
    problems.into_iter().map(finding).collect()
}

fn manifest_faults(skill: &Skill, draft: &Draft) -> impl Iterator<Item = Finding> {
    draft.problems.iter().map(|(place, fault)| of_fault(skill, place, fault))
}

fn of_fault(skill: &Skill, place: &Place, fault: &ManifestProblem) -> Finding {
    let rule = rule_of_fault(fault.kind);
    if let (Some(syntax), Place::Resource(index, _)) = (&fault.syntax, place) {
        let text = skill.resources[*index].source.text();
        let whole = Span::new(0, text.len());
        let at = fault.problem.place.start;
        // A fix edits `SKILL.md`; the help says what there is to do here.
        let explained = broken_yaml::diagnose(text, at, &syntax.message, syntax.entry, whole);
        let place = place.with_span(explained.problem.place);
        return Finding::of_problem(rule, place, explained.problem);
    }
    Finding::of_problem(rule, place.clone(), fault.problem.clone())
}

fn finding(skill: &Skill, draft: &Draft, found: &DraftProblem) -> Finding {
    let DraftProblem { reason, problem, correction } = found;
    let place = draft.place(problem.place.argument, problem.place.span);
    let place = place.unwrap_or_else(|| Place::File(skill.bundle.skill_file.clone()));
    let mut finding = Finding {
        help: problem.help.clone(),
        ..Finding::at(rule_of(*reason), place.clone(), problem.message.clone())
    };
    for label in &problem.labels {
        let second = draft.place(label.place.argument, label.place.span);
        if let Some(span) = second.and_then(|second| span_beside(&second, &place)) {
            finding = finding.label(span, label.message.clone());
        }
    }
    match (correction, place) {
        (Some(correction), Place::SkillFile(span)) => {
            let written = skill.source.slice(span);
            let title = message!["Write `", quote_in_full(correction).derived_from(written), "`"];
            finding.fix(Applicability::Unsafe, title, span, correction.clone())
        }
        _ => finding,
    }
}

/// Returns the bytes of a second place, if a label can show it: in the file of the first.
fn span_beside(second: &Place, first: &Place) -> Option<Span> {
    match (second, first) {
        (Place::SkillFile(span), Place::SkillFile(_)) => Some(*span),
        (Place::Resource(index, span), Place::Resource(first, _)) if index == first => Some(*span),
        _ => None,
    }
}

/// Returns the rule that reports a reason of the analyzers.
pub(super) fn rule_of(reason: Reason) -> &'static RuleMeta {
    match reason {
        Reason::ChildName => &child_name::RULE.meta,
        Reason::MisleadingCharacters => &hidden_unicode::RULE.meta,
        Reason::Secret => &secret::RULE.meta,
        Reason::PipedShell => &piped_shell::RULE.meta,
        Reason::InvalidHand => rule_of(Reason::UnknownHand),
        _ => {
            let is_of = |rule: &&&Rule| matches!(rule.check, Check::Draft(of) if of == reason);
            &RULES.iter().find(is_of).expect("every other reason has a rule").meta
        }
    }
}

/// Returns `true` if a rule finds the same in all files of a skill.
pub(super) const fn is_found_in_files(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::ChildName | Reason::MisleadingCharacters | Reason::Secret | Reason::PipedShell
    )
}

/// Returns the rule that reports a reason about heartbeats.
fn rule_of_heartbeat(reason: HeartbeatReason) -> &'static RuleMeta {
    let rule = RULES.iter().find(|rule| matches!(rule.check, Check::Heartbeat(of) if of == reason));
    &rule.expect("every reason has a rule").meta
}

/// The rule that reports faults of `sprout.yaml`.
fn rule_of_fault(kind: ManifestProblemKind) -> &'static RuleMeta {
    let rule = RULES.iter().find(|rule| matches!(rule.check, Check::Manifest(of) if of == kind));
    &rule.expect("every kind of fault has a rule").meta
}
