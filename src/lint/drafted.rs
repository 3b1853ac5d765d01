//! From a draft and its verdicts to findings: the same verdict that a server would give with a
//! path is shown here in the file that it comes from.

use super::rules::CHILD_NAME;
use super::{Check, RULES};
use crate::diagnostic::{Applicability, Finding, Place, RuleMeta};
use crate::draft::{Draft, Reason, Verdict};
use crate::manifest::FaultKind;
use crate::skill::Skill;
use crate::text::Span;

/// What is wrong with the `sprout.yaml` of a skill, and what the analyzers say of its draft.
pub fn findings(skill: &Skill, draft: &Draft, verdicts: &[Verdict]) -> Vec<Finding> {
    let faults = draft.faults.iter().map(|(place, fault)| {
        let finding = Finding::at(rule_of_fault(fault.kind), place.clone(), fault.message.clone());
        match &fault.help {
            Some(help) => finding.help(help.clone()),
            None => finding,
        }
    });
    let verdicts = verdicts.iter().map(|verdict| finding(skill, draft, verdict));
    faults.chain(verdicts).collect()
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
    rule.map_or(&CHILD_NAME.meta, |rule| &rule.meta)
}

/// The rule that reports faults of `sprout.yaml`.
fn rule_of_fault(kind: FaultKind) -> &'static RuleMeta {
    let rule = RULES.iter().find(|rule| matches!(rule.check, Check::Manifest(of) if of == kind));
    &rule.expect("every kind of fault has a rule").meta
}
