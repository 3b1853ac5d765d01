//! `skill_write`: a new skill, in two steps.

use std::sync::LazyLock;

use serde_json::Value;

use crate::activity;
use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::previews::{
    PreviewedReview, hash_mismatch, preview_problem, previewed_review, record_preview,
    review_messages,
};
use crate::problems::Problems;
use crate::safety::SafetySubject;
use crate::store::{Reader, Skill, Writer};
use crate::tool::{Call, Run, Tool, success};
use crate::{canvases, family_limits, id, label, response_model, roster, skills};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    ActivityType, Category, Decision, PolicyDecision, SKILL_WRITE, Scope, Shape, SkillWrite,
    SkillWriteAnswer, SkillWriteArguments, output_schema, write_input_schema,
};
use dibber_skill::draft::{self, Argument};
use dibber_skill::spec_hash::SpecHash;

pub(super) static TOOL: Tool = Tool {
    name: SKILL_WRITE,
    title: "Write a skill",
    description: "Author a new skill. Call it with dryRun first: it returns a preview, the policy \
            decision and a specHash, and writes nothing. Show the preview to the parent, then call \
            it again without dryRun and with that specHash.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: false,
    is_destructive: false,
    input: InputSchema::new(write_input_schema::<SkillWriteArguments>),
    output: LazyLock::new(output_schema::<SkillWriteAnswer>),
    run: Run::TwoStep { preview, record, commit },
};

/// A call that has been checked.
struct Checked {
    skill: SkillWrite,
    hash: SpecHash,
    decision: PolicyDecision,
    /// What is wrong beside the reasons of the decision.
    problems: Problems,
}

fn check(call: &Call, store: &(impl Reader + ?Sized)) -> Result<Checked, Failure> {
    let call = &skills::normalized(call);
    let SkillWriteArguments { skill, spec_hash, .. } = call.parse_arguments()?;
    let family = &call.caller.family;
    let hash = SpecHash::compute(SKILL_WRITE, &call.arguments).map_err(Failure::not_hashable)?;
    let mut problems = Problems::default();
    if spec_hash.is_some_and(|echoed| echoed != hash.to_string()) {
        problems.extend([hash_mismatch(SKILL_WRITE)]);
    }
    problems.extend(label::problem(&skill.name));
    let roster = roster::load(store, family)?;
    problems.extend(response_model::problems(skill.response_model.as_ref(), &roster));
    let linked = skill.canvas_ids.iter().enumerate();
    let linked: Vec<_> =
        linked.map(|(index, id)| (Argument::Canvas(index).json_pointer(), id)).collect();
    canvases::check(store, family, &linked, &mut problems)?;
    let found = draft::analyze(&skill, &roster);
    let decision = skills::policy_decision(&found, &roster);
    Ok(Checked { skill, hash, decision, problems })
}

/// Returns what would be written, also if the decision refuses it; what cannot be previewed at all
/// is refused.
fn preview(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let Checked { skill, hash, mut decision, mut problems } = check(call, store)?;
    if !problems.is_empty() {
        problems.extend(skills::refusals(&decision.reasons));
    }
    problems.into_result()?;
    if decision.decision != Decision::Refuse {
        add_safety_reasons(call, &skill, &mut decision)?;
    }
    let next_step = draft::next_step(SKILL_WRITE, decision.decision, hash);
    let answer = SkillWriteAnswer {
        preview_skill: Some(draft::preview(&skill)),
        policy_decision: Some(decision),
        spec_hash: Some(hash),
        ..SkillWriteAnswer::default()
    };
    Ok(success(&answer, next_step))
}

/// Adds what the safety check says.
fn add_safety_reasons(
    call: &Call,
    skill: &SkillWrite,
    decision: &mut PolicyDecision,
) -> Result<(), Failure> {
    call.safety.reasons_for(SafetySubject::skill(skill, decision))?.add_to(decision);
    Ok(())
}

/// Records the reasons for a review that a preview has shown.
fn record(call: &Call, store: &dyn Writer) -> Result<(), Failure> {
    let Checked { skill, hash, mut decision, .. } = check(call, store)?;
    add_safety_reasons(call, &skill, &mut decision)?;
    record_preview(call, hash, &decision, store)
}

fn commit(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let Checked { skill, hash, mut decision, mut problems } = check(call, store)?;
    problems.extend(skills::refusals(&decision.reasons));
    if problems.is_empty() {
        add_safety_reasons(call, &skill, &mut decision)?;
        problems.extend(skills::refusals(&decision.reasons));
    }
    let mut previewed = PreviewedReview::Same;
    if problems.is_empty() && decision.decision == Decision::Review {
        previewed = previewed_review(call, hash, &decision, store)?;
        problems.extend(preview_problem(SKILL_WRITE, call, previewed, &decision));
    }
    problems.into_result()?;
    let skill = Skill {
        id: id::new(),
        written: skill,
        is_archived: false,
        created_at: call.millisecond(),
        last_triggered_at: None,
    };
    family_limits::check_skills(store.skill_count(&call.caller.family)?)?;
    store.add_skill(&call.caller.family, &skill)?;
    let refs = activity::of_skill(&skill.id);
    activity::record_call(call, store, ActivityType::SkillWritten, refs)?;
    let next_step = match (skill.written.category, draft::preview(&skill.written).shape) {
        (Some(Category::HomeAgent), _) => {
            "Run it in your own agent: skill_get({skillId}) has its prompt."
        }
        (_, Shape::Run) => {
            "Invoke it with skill_invoke({skillId, input}), or schedule it with heartbeat_create."
        }
        (_, Shape::Assignment) => {
            "Invoke it with skill_invoke({skillId, input}): it schedules another skill, and no \
             heartbeat can run it."
        }
    };
    let answer = SkillWriteAnswer {
        content_hash: Some(ContentHash::of_write(&skill.written).to_string()),
        skill_id: Some(skill.id),
        ..SkillWriteAnswer::default()
    };
    match previewed {
        PreviewedReview::Reworded => {
            let also = format!("{next_step} Tell the parent also: {}.", review_messages(&decision));
            Ok(success(&answer, &also))
        }
        PreviewedReview::Same | PreviewedReview::Incomplete => Ok(success(&answer, next_step)),
    }
}
