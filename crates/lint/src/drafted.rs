//! From a draft and its verdicts to findings: the same verdict that a server would give with a
//! path is shown here in the file that it comes from.

use jiff::Timestamp;

use super::broken_yaml;
use super::misread::Misread;
use super::rule::{Check, Rule};
use super::rules::{
    RULES, child_name, duplicate_key, frontmatter_not_a_mapping, invalid_yaml, missing_frontmatter,
    not_utf8, oversized_skill, unclosed_frontmatter,
};
use dibber_skill::diagnostic::{Applicability, Finding, Place, RuleMeta};
use dibber_skill::draft::{
    Draft, HeartbeatReason, HeartbeatVerdict, Reason, Verdict, analyze_heartbeats,
};
use dibber_skill::manifest::{Fault, FaultKind, MANIFEST_FILE_NAME};
use dibber_skill::skill::{Resource, Skill};
use dibber_text::Span;

/// The rules that say why `SKILL.md` cannot be taken at its word.
static TEXT_RULES: [&Rule; 7] = [
    &not_utf8::RULE,
    &oversized_skill::RULE,
    &missing_frontmatter::RULE,
    &unclosed_frontmatter::RULE,
    &frontmatter_not_a_mapping::RULE,
    &invalid_yaml::RULE,
    &duplicate_key::RULE,
];

/// What keeps it uncertain what would be sent: the text of `SKILL.md` or of `sprout.yaml` cannot
/// be read as it was meant. A draft of which this says nothing is whole.
pub fn faults(skill: &Skill, draft: &Draft) -> Vec<Finding> {
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
            findings.push(finding.help("`dibber lint` says more"));
        }
    }
    findings.extend(manifest_faults(skill, draft));
    findings
}

/// What is wrong with the `sprout.yaml` of a skill, and what the analyzers say of its draft, but
/// for what they miss because of such a fault.
pub(super) fn findings(skill: &Skill, draft: &Draft, verdicts: &[Verdict]) -> Vec<Finding> {
    let misread = Misread::of(skill, draft);
    let mut findings: Vec<_> = manifest_faults(skill, draft).collect();
    let verdicts = verdicts.iter().filter(|verdict| !misread.explains(draft, verdict));
    findings.extend(verdicts.map(|verdict| finding(skill, draft, verdict)));
    findings
}

/// What the analyzers say of the draft of a skill.
pub fn reasons(skill: &Skill, draft: &Draft, verdicts: &[Verdict]) -> Vec<Finding> {
    verdicts.iter().map(|verdict| finding(skill, draft, verdict)).collect()
}

/// What is wrong with the heartbeats of a skill from an instant on.
pub(super) fn of_heartbeats(skill: &Skill, draft: &Draft, from: Timestamp) -> Vec<Finding> {
    let is_manifest = |file: &Resource| file.path == MANIFEST_FILE_NAME;
    let Some(index) = skill.resources.iter().position(is_manifest) else { return Vec::new() };
    let source = &skill.resources[index].source;
    let mut verdicts = analyze_heartbeats(skill, draft, source, from);
    if !verdicts.is_empty() && !draft.faults.is_empty() {
        let misread = Misread::of(skill, draft);
        verdicts.retain(|verdict| !misread.explains_heartbeat(source, verdict));
    }
    let finding = |verdict: HeartbeatVerdict| {
        let place = Place::Resource(index, verdict.span);
        let rule = rule_of_heartbeat(verdict.reason);
        let finding = Finding::at(rule, place, verdict.message).help(verdict.fix);
        match verdict.related {
            Some((span, text)) => finding.label(span, text),
            None => finding,
        }
    };
    verdicts.into_iter().map(finding).collect()
}

fn manifest_faults(skill: &Skill, draft: &Draft) -> impl Iterator<Item = Finding> {
    draft.faults.iter().map(|(place, fault)| of_fault(skill, place, fault))
}

fn of_fault(skill: &Skill, place: &Place, fault: &Fault) -> Finding {
    let rule = rule_of_fault(fault.kind);
    if let (Some(syntax), Place::Resource(index, _)) = (&fault.syntax, place) {
        let text = skill.resources[*index].source.text();
        let whole = Span::new(0, text.len());
        let at = fault.span.start;
        let problem = broken_yaml::diagnose(text, at, &syntax.message, syntax.entry, whole);
        // A fix edits `SKILL.md`; the help says what there is to do here.
        let finding =
            Finding::at(rule, place.with_span(problem.span), problem.message).help(problem.help);
        return match problem.label {
            Some((span, label)) => finding.label(span, label),
            None => finding,
        };
    }
    let finding = Finding::at(rule, place.clone(), fault.message.clone());
    let finding = match &fault.help {
        Some(help) => finding.help(help.clone()),
        None => finding,
    };
    match &fault.label {
        Some((span, label)) => finding.label(*span, label.clone()),
        None => finding,
    }
}

fn finding(skill: &Skill, draft: &Draft, verdict: &Verdict) -> Finding {
    let place = draft.place(verdict.argument, verdict.part);
    let place = place.unwrap_or_else(|| Place::File(skill.bundle.skill_file.clone()));
    let finding = Finding::at(rule_of(verdict.reason), place.clone(), verdict.message.clone())
        .help(verdict.fix.clone());
    let related = verdict.related.and_then(|(argument, text)| {
        Some((span_beside(&draft.place(argument, None)?, &place)?, text))
    });
    let finding = match related {
        Some((span, text)) => finding.label(span, text),
        None => finding,
    };
    match (&verdict.correction, place) {
        (Some(correction), Place::SkillFile(span)) => {
            let title = format!("Write `{correction}`");
            finding.fix(Applicability::Unsafe, title, span, correction.clone())
        }
        _ => finding,
    }
}

/// The bytes of a second place, when a label can show it: in the file of the first.
fn span_beside(second: &Place, first: &Place) -> Option<Span> {
    match (second, first) {
        (Place::SkillFile(span), Place::SkillFile(_)) => Some(*span),
        (Place::Resource(index, span), Place::Resource(first, _)) if index == first => Some(*span),
        _ => None,
    }
}

/// The rule that reports a reason of the analyzers.
fn rule_of(reason: Reason) -> &'static RuleMeta {
    let rule = RULES.iter().find(|rule| matches!(rule.check, Check::Draft(of) if of == reason));
    rule.map_or(&child_name::RULE.meta, |rule| &rule.meta)
}

/// The rule that reports what is wrong with a heartbeat.
fn rule_of_heartbeat(reason: HeartbeatReason) -> &'static RuleMeta {
    let rule = RULES.iter().find(|rule| matches!(rule.check, Check::Heartbeat(of) if of == reason));
    &rule.expect("every reason has a rule").meta
}

/// The rule that reports faults of `sprout.yaml`.
fn rule_of_fault(kind: FaultKind) -> &'static RuleMeta {
    let rule = RULES.iter().find(|rule| matches!(rule.check, Check::Manifest(of) if of == kind));
    &rule.expect("every kind of fault has a rule").meta
}
