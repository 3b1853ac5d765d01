//! `skill_update`: another label, another prompt, other canvases; what is not given does not change.
//! A change that a parent has to review takes two steps.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::activity;
use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::previews::{hash_mismatch, preview_problem, previewed_review, record_preview};
use crate::problems::Problems;
use crate::safety::SafetySubject;
use crate::store::{Reader, Skill, Writer};
use crate::tool::{Call, Run, Tool, success};
use crate::{canvases, label, response_model, roster, skills};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    ActivityType, CanvasId, Decision, Issue, PolicyDecision, PolicyReason, ResponseModelChange,
    SKILL_CHANGED, SKILL_UPDATE, Scope, SkillField, SkillUpdate, SkillUpdateArguments,
    SkillUpdated, SkillWrite, WireEnum, output_schema, write_input_schema,
};
use dibber_skill::draft::{self, Argument, DraftProblem, Gate, Reason};
use dibber_skill::names::Roster;
use dibber_skill::spec_hash::SpecHash;

/// What to do after a call that changes nothing.
const UNCHANGED: &str = "The skill has not changed; there is nothing more to do.";

/// The arguments that say of no field what it becomes.
const NOT_CHANGES: [&str; 4] = ["skillId", "expectedHash", "dryRun", "specHash"];

pub(super) static TOOL: Tool = Tool {
    name: SKILL_UPDATE,
    title: "Change a skill",
    description: "Changes the given fields of a skill; the rest stays. A new prompt is checked like that \
            of a new skill. Canvases are removed before others are added. A change \
            to be reviewed needs the specHash of its dryRun.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: true,
    is_destructive: true,
    input: InputSchema::new(write_input_schema::<SkillUpdateArguments>),
    output: LazyLock::new(output_schema::<SkillUpdated>),
    run: Run::TwoStep { preview, record, commit },
};

/// A call that has been checked, and that nothing refuses.
struct Checked {
    /// The skill as it is stored.
    skill: Skill,
    changed: SkillWrite,
    changed_fields: Vec<SkillField>,
    hash: SpecHash,
    decision: PolicyDecision,
}

fn check(call: &Call, store: &(impl Reader + ?Sized)) -> Result<Checked, Failure> {
    let arguments: SkillUpdateArguments = skills::normalized(call).parse_arguments()?;
    let skill = skills::find_active(call, store, &arguments.update.skill_id, Scope::SkillWrite)?;
    let (is_prompt, echoed) = (arguments.prompt.is_some(), arguments.spec_hash.clone());
    let update = with_instructions(arguments)?;
    check_expected(&skill, &update)?;
    check_not_empty(call)?;
    let changed = update.apply_to(skill.written.clone());
    let hash = hash(&skill, &update)?;
    let mut problems = Problems::default();
    if echoed.is_some_and(|echoed| echoed != hash.to_string()) {
        problems.extend([hash_mismatch(SKILL_UPDATE)]);
    }
    problems.extend(canvas_operations(&skill.written, &update));
    problems.extend(update.name.as_deref().and_then(label::problem));
    let added: Vec<_> = paths("addCanvasIds", &update.add_canvas_ids).collect();
    canvases::check(store, &call.caller.family, &added, &mut problems)?;
    let roster = roster::load(store, &call.caller.family)?;
    let model = update.response_model.as_ref().and_then(ResponseModelChange::model);
    problems.extend(response_model::problems(model, &roster));
    let mut reasons =
        reasons(&changed, &update, is_prompt, &draft::analyze(&changed, &roster), &roster);
    problems.extend(skills::refusals(&reasons));
    let changed_fields = changed_fields(&skill.written, &changed);
    if problems.is_empty() && !changed_fields.is_empty() {
        reasons = add_safety_reasons(call, &changed, reasons, is_prompt)?;
        problems.extend(skills::refusals(&reasons));
    }
    problems.into_result()?;
    Ok(Checked { skill, changed, changed_fields, hash, decision: decision_of(reasons) })
}

/// Returns what would change. What is refused is refused here, too.
fn preview(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let checked = check(call, store)?;
    let next_step = match checked.changed_fields[..] {
        [] => UNCHANGED.to_owned(),
        _ => draft::next_step(SKILL_UPDATE, checked.decision.decision, checked.hash),
    };
    let preview_skill = Some(draft::preview(&checked.changed));
    let spec_hash = Some(checked.hash.to_string());
    Ok(success(&SkillUpdated { preview_skill, spec_hash, ..checked.into_answer() }, next_step))
}

/// Records the reasons for a review that a preview has shown.
fn record(call: &Call, store: &dyn Writer) -> Result<(), Failure> {
    let Checked { hash, decision, .. } = check(call, store)?;
    record_preview(call, hash, &decision, store)
}

fn commit(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let checked = check(call, store)?;
    let Checked { skill, changed, changed_fields, hash, decision } = &checked;
    if !changed_fields.is_empty() {
        if decision.decision == Decision::Review {
            let previewed = previewed_review(call, *hash, decision, store)?;
            let mut problems = Problems::default();
            problems.extend(preview_problem(SKILL_UPDATE, call, previewed, decision));
            problems.into_result()?;
        }
        let written = changed.clone();
        store.put_skill(&call.caller.family, &Skill { written, ..skill.clone() })?;
        record_update(call, store, skill, changed_fields)?;
    }
    let next_step = next_step(changed_fields, &decision.reasons);
    let content_hash = Some(ContentHash::of_write(changed).to_string());
    Ok(success(&SkillUpdated { content_hash, ..checked.into_answer() }, next_step))
}

fn record_update(
    call: &Call,
    store: &dyn Writer,
    skill: &Skill,
    changed: &[SkillField],
) -> Result<(), Failure> {
    let names: Vec<_> = changed.iter().map(|field| field.name()).collect();
    let payload = Map::from_iter([("changedFields".to_owned(), json!(names))]);
    let refs = activity::of_skill(&skill.id);
    Ok(activity::record_call_with(call, store, ActivityType::SkillUpdated, refs, payload)?)
}

impl Checked {
    /// Returns what the answers of both steps have.
    fn into_answer(self) -> SkillUpdated {
        let changed_fields = self.changed_fields.into_iter();
        SkillUpdated {
            skill_id: self.skill.id,
            changed_fields: changed_fields.map(|field| field.name().to_owned()).collect(),
            content_hash: None,
            policy_decision: Some(self.decision),
            preview_skill: None,
            spec_hash: None,
        }
    }
}

/// Returns the hash of a change of this skill. A parent agrees to a change of the skill as it was
/// shown, so the hash is that of the call with its `expectedHash`, whether or not it has one.
fn hash(skill: &Skill, update: &SkillUpdate) -> Result<SpecHash, Failure> {
    let expected_hash = Some(ContentHash::of_write(&skill.written).to_string());
    let update = SkillUpdate { expected_hash, ..update.clone() };
    match serde_json::to_value(update) {
        Ok(Value::Object(arguments)) => {
            SpecHash::compute(SKILL_UPDATE, &arguments).map_err(Failure::not_hashable)
        }
        _ => unreachable!("an update is an object"),
    }
}

/// Refuses an update without anything that it could change.
fn check_not_empty(call: &Call) -> Result<(), Failure> {
    if call.arguments.keys().any(|name| !NOT_CHANGES.contains(&name.as_str())) {
        return Ok(());
    }
    let message = "the call has no field to change";
    let fix = "add what is to change: name, description, instructions, kidCallable, ageRange, \
               responseModel, addCanvasIds or removeCanvasIds";
    Err(Failure::bad_input("NOTHING_TO_UPDATE", message, fix))
}

/// Returns the reasons with those of the safety check.
fn add_safety_reasons(
    call: &Call,
    changed: &SkillWrite,
    reasons: Vec<PolicyReason>,
    is_prompt: bool,
) -> Result<Vec<PolicyReason>, Failure> {
    let mut decision = decision_of(reasons);
    let mut added = call.safety.reasons_for(SafetySubject::skill(changed, &decision))?;
    for reason in &mut added.reasons {
        if reason.path == Argument::Prompt.json_pointer() && !is_prompt {
            "/instructions".clone_into(&mut reason.path);
        }
    }
    added.add_to(&mut decision);
    Ok(decision.reasons)
}

/// Returns the decision that these reasons lead to.
fn decision_of(reasons: Vec<PolicyReason>) -> PolicyDecision {
    let strictest = reasons.iter().map(|reason| reason.decision).max();
    PolicyDecision { decision: strictest.unwrap_or(Decision::Allow), reasons }
}

/// Refuses an update of a skill that has changed since the caller read it.
fn check_expected(skill: &Skill, update: &SkillUpdate) -> Result<(), Failure> {
    let Some(expected) = &update.expected_hash else { return Ok(()) };
    if *expected == *ContentHash::of_write(&skill.written).as_str() {
        return Ok(());
    }
    Err(Failure::bad_input(
        SKILL_CHANGED,
        "the skill was changed since it was read, and nothing was written",
        "read it again with skill_get, show the parent what it says now, and send its contentHash \
         as expectedHash",
    ))
}

/// Reads `prompt` as `instructions`.
fn with_instructions(arguments: SkillUpdateArguments) -> Result<SkillUpdate, Failure> {
    let SkillUpdateArguments { update, prompt, .. } = arguments;
    match (update.instructions, prompt) {
        (Some(instructions), Some(prompt)) if instructions != prompt => {
            let message = "`instructions` and `prompt` are the same field, and differ";
            Err(Failure::bad_input("INSTRUCTIONS_CONFLICT", message, "give one of the two"))
        }
        (instructions, prompt) => {
            Ok(SkillUpdate { instructions: instructions.or(prompt), ..update })
        }
    }
}

fn has(ids: &[CanvasId], id: &CanvasId) -> bool {
    ids.iter().any(|other| other.is_same(id))
}

fn paths<'a>(field: &str, ids: &'a [CanvasId]) -> impl Iterator<Item = (String, &'a CanvasId)> {
    ids.iter().enumerate().map(move |(index, id)| (format!("/{field}/{index}"), id))
}

/// Returns what is wrong with adding and removing these canvases.
fn canvas_operations(written: &SkillWrite, update: &SkillUpdate) -> Vec<Issue> {
    let issue = |path, reason: &str, message: &str, fix: &str| Issue {
        path,
        reason: reason.to_owned(),
        message: message.to_owned(),
        fix: fix.to_owned(),
    };
    let mut issues = Vec::new();
    for (path, id) in paths("addCanvasIds", &update.add_canvas_ids) {
        if has(&update.remove_canvas_ids, id) {
            let message = "the canvas is both in addCanvasIds and in removeCanvasIds";
            issues.push(issue(
                path,
                "CANVAS_OPS_CONFLICT",
                message,
                "remove it from one of the two",
            ));
        }
    }
    for (path, id) in paths("removeCanvasIds", &update.remove_canvas_ids) {
        if !has(&written.canvas_ids, id) {
            let message = "the skill does not link this canvas";
            let fix = "remove it; skill_get shows the canvases that the skill links";
            issues.push(issue(path, "CANVAS_NOT_IN_SKILL", message, fix));
        }
    }
    issues
}

/// Returns the reasons against the skill as it would be, for the gates that the call opens.
fn reasons(
    changed: &SkillWrite,
    update: &SkillUpdate,
    is_prompt: bool,
    problems: &[DraftProblem],
    roster: &Roster,
) -> Vec<PolicyReason> {
    let is_open = |found: &&DraftProblem| match found.reason.gate() {
        Gate::Ownership => true,
        Gate::Safety => update.instructions.is_some() || update.response_model.is_some(),
        Gate::Policy => update.kid_callable.is_some() || update.age_range.is_some(),
    };
    let judged: Vec<_> = problems.iter().filter(is_open).cloned().collect();
    let mut reasons = skills::policy_decision(&judged, roster).reasons;
    for (reason, found) in reasons.iter_mut().zip(&judged) {
        let argument = found.problem.place.argument;
        reason.path = path(argument, changed, update, is_prompt);
        if let Some(fix) = fix_of_update(found.reason, argument) {
            fix.clone_into(&mut reason.fix);
        }
        if let Some((stored, field)) = stored_text(found.reason, argument, update) {
            reason.message = format!("the stored {stored} {}", reason.message);
            reason.fix = format!("send `{field}` without the name in the same call");
        }
    }
    reasons
}

/// Returns what to do about a problem of an input or a hand, which an update cannot change.
fn fix_of_update(reason: Reason, argument: Argument) -> Option<&'static str> {
    match (reason, argument) {
        (Reason::UndeclaredPlaceholder, _) => Some(
            "use an input that the skill has, which skill_get shows, or write a new skill with \
             skill_write: an update cannot change the inputs",
        ),
        (
            _,
            Argument::Hand(_)
            | Argument::InputName(_)
            | Argument::InputType(_)
            | Argument::InputDescription(_),
        ) => Some(
            "write a new skill with skill_write: an update cannot change the inputs and the hands",
        ),
        _ => None,
    }
}

/// Returns what contains a child's name although the call does not set it, and the field that
/// replaces it.
fn stored_text(
    reason: Reason,
    argument: Argument,
    update: &SkillUpdate,
) -> Option<(&'static str, &'static str)> {
    let stored = match argument {
        Argument::Name if update.name.is_none() => ("name", "name"),
        Argument::Description if update.description.is_none() => ("description", "description"),
        Argument::Prompt if update.instructions.is_none() => ("prompt", "instructions"),
        Argument::ResponseModel if update.response_model.is_none() => {
            ("response model", "responseModel")
        }
        _ => return None,
    };
    (reason == Reason::ChildName).then_some(stored)
}

/// Returns the path of an argument of `skill_write` in this call.
fn path(argument: Argument, changed: &SkillWrite, update: &SkillUpdate, is_prompt: bool) -> String {
    match argument {
        Argument::Prompt if !is_prompt => "/instructions".to_owned(),
        Argument::Canvas(index) => {
            let id = &changed.canvas_ids[index];
            let added = update.add_canvas_ids.iter().position(|added| added == id);
            added.map_or(argument.json_pointer(), |index| format!("/addCanvasIds/{index}"))
        }
        other => other.json_pointer(),
    }
}

fn changed_fields(before: &SkillWrite, after: &SkillWrite) -> Vec<SkillField> {
    let is_changed = |field: &SkillField| match field {
        SkillField::Name => before.name != after.name,
        SkillField::Description => before.description != after.description,
        SkillField::Instructions => before.prompt != after.prompt,
        SkillField::KidCallable => {
            before.kid_callable.unwrap_or_default() != after.kid_callable.unwrap_or_default()
        }
        SkillField::AgeRange => before.age_range != after.age_range,
        SkillField::CanvasIds => before.canvas_ids != after.canvas_ids,
        SkillField::ResponseModel => before.response_model != after.response_model,
    };
    SkillField::all().into_iter().filter(is_changed).collect()
}

fn next_step(changed: &[SkillField], reasons: &[PolicyReason]) -> String {
    if changed.is_empty() {
        return UNCHANGED.to_owned();
    }
    let review = reasons.iter().filter(|reason| reason.decision == Decision::Review);
    let review: Vec<_> = review.map(|reason| reason.message.as_str()).collect();
    match review[..] {
        [] => "Tell the parent what has changed; skill_get({skillId}) shows the skill.".to_owned(),
        _ => format!("Tell the parent what has changed, and also: {}.", review.join("; ")),
    }
}
