//! What is shown before a skill is written: the skill as it would be, and the decision.

use super::analyze::Verdict;
use crate::contract::{Category, Decision, PolicyDecision, PolicyReason, SkillPreview, SkillWrite};
use crate::spec_hash::SpecHash;

/// The skill as it would be once it is written, with the defaults filled in.
pub fn preview(arguments: &SkillWrite) -> SkillPreview {
    let category = arguments.category.unwrap_or_default();
    let kid_callable = arguments.kid_callable.unwrap_or_default();
    let mut runnable_by = Vec::new();
    if category == Category::Generic {
        runnable_by.push("sprout_agent");
    }
    runnable_by.push("home_agent");
    if kid_callable && category == Category::Generic {
        runnable_by.push("child");
    }
    SkillPreview {
        name: arguments.name.clone(),
        description: arguments.description.clone(),
        category,
        runnable_by,
        prompt: arguments.prompt.clone(),
        prompt_bytes: arguments.prompt.len(),
        hands_referenced: arguments.hands_referenced.clone(),
        input_variables: arguments.input_variables.clone(),
        kid_callable,
        age_range: arguments.age_range.clone(),
        canvas_ids: arguments.canvas_ids.clone(),
    }
}

/// What the verdicts come to together: the strictest of them.
pub fn policy_decision(verdicts: &[Verdict]) -> PolicyDecision {
    let reasons: Vec<_> = verdicts
        .iter()
        .map(|verdict| PolicyReason {
            reason: verdict.reason.code(),
            decision: verdict.reason.decision(),
            path: verdict.argument.pointer(),
            message: verdict.message.clone(),
            fix: verdict.fix.clone(),
        })
        .collect();
    let strictest = reasons.iter().map(|reason| reason.decision).max();
    PolicyDecision { decision: strictest.unwrap_or(Decision::Allow), reasons }
}

/// What to do after a dry-run with that decision and hash.
pub fn next_step(decision: Decision, hash: SpecHash) -> String {
    match decision {
        Decision::Allow => format!(
            "Show the preview to the parent; then call skill_write with the same arguments and \
             specHash {hash}."
        ),
        Decision::Review => format!(
            "Show the preview and the reasons to the parent; once they agree, call skill_write \
             with the same arguments and specHash {hash}."
        ),
        Decision::Refuse => {
            "Mend what the reasons name, and call skill_write with dryRun again.".to_owned()
        }
    }
}
