//! `skill_update`: another label, another prompt, other canvases; what is not given stays.

use serde_json::Value;

use crate::call::{Call, Run, Tool, success};
use crate::failure::Failure;
use crate::fields::{CANVAS_IDS, PROMPT, SHORT_TEXT, SUMMARY};
use crate::shape::{Kind, optional, required};
use crate::store::{Skill, Writer};
use crate::{canvases, label, roster, skills};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    Decision, Issue, PolicyReason, SKILL_CHANGED, SKILL_UPDATE, Scope, SkillUpdate, SkillUpdated,
    SkillWrite,
};
use dibber_skill::draft::{self, Argument, DraftProblem, Gate};

pub(super) const TOOL: Tool = Tool {
    name: SKILL_UPDATE,
    title: "Change a skill",
    description: "Changes what is given of a skill; the rest stays. A new prompt is checked like that \
            of a new skill. Canvases are removed before others are added.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: true,
    is_destructive: true,
    input: &[
        required("skillId", SHORT_TEXT, "The skill."),
        optional("name", SHORT_TEXT, "Another label."),
        optional("description", SUMMARY, "Another description, in a parent's words."),
        optional("instructions", PROMPT, "Another prompt, with the placeholders of its inputs."),
        optional("prompt", PROMPT, "The same as instructions; give one of the two."),
        optional("kidCallable", Kind::Boolean, "Whether a child may launch it; needs ages."),
        optional("ageRange", SHORT_TEXT, "The ages that it is for: 5-7."),
        optional("addCanvasIds", CANVAS_IDS, "Canvases to link."),
        optional("removeCanvasIds", CANVAS_IDS, "Canvases to unlink."),
        optional(
            EXPECTED_HASH,
            SHORT_TEXT,
            "The contentHash of skill_get; nothing is changed if the skill has another one by now.",
        ),
    ],
    output: &[
        required("skillId", SHORT_TEXT, "The skill."),
        required(
            "changedFields",
            Kind::List { of: &Kind::OneOf(FIELDS), max: FIELDS.len() },
            "What is not what it was.",
        ),
        required("contentHash", SHORT_TEXT, "The hash of the skill as it is now."),
    ],
    run: Run::Write(run),
};

/// What an update can change, as `changedFields` names it.
const FIELDS: &[&str] =
    &["name", "description", INSTRUCTIONS, "kidCallable", "ageRange", "canvasIds"];

const INSTRUCTIONS: &str = "instructions";
const EXPECTED_HASH: &str = "expectedHash";
/// What `skill_write` calls the instructions.
const PROMPT_FIELD: &str = "prompt";

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let update: SkillUpdate = call.parse_arguments()?;
    let skill = skills::find_active(call, store, &update.skill_id, Scope::SkillWrite)?;
    let update = with_instructions(update, call)?;
    check_expected(&skill, &update)?;
    let is_change = |name: &String| name != "skillId" && name != EXPECTED_HASH;
    if !call.arguments.keys().any(is_change) {
        let message = "nothing is given that the skill is to have instead";
        let fix = "give what is to change: name, description, instructions, kidCallable, \
                   ageRange, addCanvasIds or removeCanvasIds";
        return Err(Failure::bad_input("NOTHING_TO_UPDATE", message, fix));
    }
    let changed = updated(&skill.written, &update);
    let mut issues = canvas_operations(&skill.written, &update);
    issues.extend(update.name.as_deref().and_then(label::fault));
    let added: Vec<_> = paths("addCanvasIds", &update.add_canvas_ids).collect();
    issues.extend(canvases::faults(store, &call.caller.family, &added)?);
    let roster = roster::of(store, &call.caller.family)?;
    let reasons = reasons(&changed, &update, call, &draft::analyze(&changed, &roster));
    issues.extend(skills::refusals(&reasons));
    if !issues.is_empty() {
        return Err(Failure::of_issues(&issues));
    }
    let changed_fields = differing(&skill.written, &changed);
    let content_hash = Some(ContentHash::of_write(&changed).to_string());
    let next_step = next_step(&changed_fields, &reasons);
    if !changed_fields.is_empty() {
        store.put_skill(&call.caller.family, &Skill { written: changed, ..skill })?;
    }
    let changed_fields = changed_fields.into_iter().map(str::to_owned).collect();
    let updated = SkillUpdated { skill_id: update.skill_id, changed_fields, content_hash };
    Ok(success(&updated, next_step))
}

/// Refuses an update of a skill that is not the one that the caller has read.
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

/// Takes `prompt` for `instructions`.
fn with_instructions(update: SkillUpdate, call: &Call) -> Result<SkillUpdate, Failure> {
    let prompt = call.arguments.get(PROMPT_FIELD).and_then(Value::as_str).map(str::to_owned);
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

/// The skill as it would be.
fn updated(written: &SkillWrite, update: &SkillUpdate) -> SkillWrite {
    let mut new = written.clone();
    let texts = [
        (&mut new.name, &update.name),
        (&mut new.description, &update.description),
        (&mut new.prompt, &update.instructions),
    ];
    for (field, text) in texts {
        if let Some(text) = text {
            field.clone_from(text);
        }
    }
    new.kid_callable = update.kid_callable.or(new.kid_callable);
    new.age_range = update.age_range.clone().or(new.age_range);
    new.canvas_ids.retain(|id| !has(&update.remove_canvas_ids, id));
    for id in &update.add_canvas_ids {
        if !has(&new.canvas_ids, id) {
            new.canvas_ids.push(id.clone());
        }
    }
    new
}

/// A UUID is the same in capitals.
fn has(ids: &[String], id: &str) -> bool {
    ids.iter().any(|other| other.eq_ignore_ascii_case(id))
}

fn paths<'a>(field: &str, ids: &'a [String]) -> impl Iterator<Item = (String, &'a str)> {
    ids.iter().enumerate().map(move |(index, id)| (format!("/{field}/{index}"), id.as_str()))
}

/// What is wrong with adding and removing these canvases.
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
            let message = "this canvas is to be both linked and unlinked";
            issues.push(issue(path, "CANVAS_OPS_CONFLICT", message, "name it in one of the two"));
        }
    }
    for (path, id) in paths("removeCanvasIds", &update.remove_canvas_ids) {
        if !has(&written.canvas_ids, id) {
            let message = "the skill does not link this canvas";
            let fix = "leave it out; skill_get shows the canvases that the skill links";
            issues.push(issue(path, "CANVAS_NOT_IN_SKILL", message, fix));
        }
    }
    issues
}

/// What speaks against the skill as it would be, of the gates that the call opens.
fn reasons(
    changed: &SkillWrite,
    update: &SkillUpdate,
    call: &Call,
    problems: &[DraftProblem],
) -> Vec<PolicyReason> {
    let is_open = |found: &&DraftProblem| match found.reason.gate() {
        Gate::Ownership => true,
        Gate::Safety => update.instructions.is_some(),
        Gate::Policy => update.kid_callable.is_some() || update.age_range.is_some(),
    };
    let judged: Vec<_> = problems.iter().filter(is_open).cloned().collect();
    let mut reasons = draft::policy_decision(&judged).reasons;
    for (reason, found) in reasons.iter_mut().zip(&judged) {
        reason.path = path(found.problem.place.argument, changed, update, call);
    }
    reasons
}

/// Where an argument of `skill_write` stands in this call.
fn path(argument: Argument, changed: &SkillWrite, update: &SkillUpdate, call: &Call) -> String {
    match argument {
        Argument::Prompt if !call.arguments.contains_key(PROMPT_FIELD) => {
            format!("/{INSTRUCTIONS}")
        }
        Argument::Canvas(index) => {
            let id = &changed.canvas_ids[index];
            let added = update.add_canvas_ids.iter().position(|added| added == id);
            added.map_or(argument.json_pointer(), |index| format!("/addCanvasIds/{index}"))
        }
        other => other.json_pointer(),
    }
}

fn differing(before: &SkillWrite, after: &SkillWrite) -> Vec<&'static str> {
    let differ = [
        before.name != after.name,
        before.description != after.description,
        before.prompt != after.prompt,
        before.kid_callable.unwrap_or_default() != after.kid_callable.unwrap_or_default(),
        before.age_range != after.age_range,
        before.canvas_ids != after.canvas_ids,
    ];
    FIELDS.iter().zip(differ).filter(|(_, differs)| *differs).map(|(field, _)| *field).collect()
}

fn next_step(changed: &[&str], reasons: &[PolicyReason]) -> String {
    if changed.is_empty() {
        return "The skill is as it was; there is nothing more to do.".to_owned();
    }
    let review = reasons.iter().filter(|reason| reason.decision == Decision::Review);
    let review: Vec<_> = review.map(|reason| reason.message.as_str()).collect();
    match review[..] {
        [] => "Tell the parent what has changed; skill_get({skillId}) shows the skill.".to_owned(),
        _ => format!("Tell the parent what has changed, and also: {}.", review.join("; ")),
    }
}
