//! What is shown before a skill is written: the skill as it would be stored, and the decision.

use super::analyze::DraftProblem;
use super::hands::position;
use crate::contract::{
    Category, Decision, HEARTBEAT_CREATE, PolicyDecision, PolicyReason, Runner, Shape,
    SkillPreview, SkillWrite,
};
use crate::spec_hash::SpecHash;
use dibber_text::Mask;

/// Returns the skill as it would be stored, with the defaults filled in.
pub fn preview(arguments: &SkillWrite) -> SkillPreview {
    let category = arguments.category.unwrap_or_default();
    let kid_callable = arguments.kid_callable.unwrap_or_default();
    let runnable_by = match category {
        Category::HomeAgent => vec![Runner::HomeAgent],
        Category::Generic if kid_callable => {
            vec![Runner::SproutAgent, Runner::HomeAgent, Runner::Child]
        }
        Category::Generic => vec![Runner::SproutAgent, Runner::HomeAgent],
    };
    let shape = match position(&arguments.hands_referenced, HEARTBEAT_CREATE) {
        Some(_) => Shape::Assignment,
        None => Shape::Run,
    };
    SkillPreview {
        name: arguments.name.clone(),
        description: arguments.description.clone(),
        category,
        runnable_by,
        shape,
        prompt: arguments.prompt.clone(),
        prompt_bytes: arguments.prompt.len(),
        hands_referenced: arguments.hands_referenced.clone(),
        input_variables: arguments.input_variables.clone(),
        kid_callable,
        age_range: arguments.age_range.clone(),
        canvas_ids: arguments.canvas_ids.clone(),
        response_model: arguments.response_model.clone(),
    }
}

/// Returns the strictest decision of all problems, with the reason for each. No message shows
/// what `mask` hides.
pub fn policy_decision(problems: &[DraftProblem], mask: &dyn Mask) -> PolicyDecision {
    let reasons: Vec<_> = problems
        .iter()
        .map(|DraftProblem { reason, problem, .. }| PolicyReason {
            reason: reason.code().into(),
            decision: reason.decision(),
            path: problem.place.argument.json_pointer(),
            message: problem.message.shown(mask).to_string(),
            fix: problem
                .help
                .as_ref()
                .map_or_else(String::new, |help| help.shown(mask).to_string()),
        })
        .collect();
    let strictest = reasons.iter().map(|reason| reason.decision).max();
    PolicyDecision { decision: strictest.unwrap_or(Decision::Allow), reasons }
}

/// Returns what to do after a dry-run of a tool with that decision and hash.
pub fn next_step(tool: &str, decision: Decision, hash: SpecHash) -> String {
    match decision {
        Decision::Allow => format!(
            "Show the preview to the parent. Once they agree, call {tool} with the same \
             arguments, without dryRun, and with specHash {hash}."
        ),
        Decision::Review => format!(
            "Show the preview and the reasons to the parent. Once they agree to both, call \
             {tool} with the same arguments, without dryRun, and with specHash {hash}."
        ),
        Decision::Refuse => {
            format!("Fix what the reasons name, and call {tool} with dryRun again.")
        }
    }
}
