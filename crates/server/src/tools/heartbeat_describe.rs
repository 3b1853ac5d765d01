//! `heartbeat_describe`: what a heartbeat would be, before it is created or changed.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::heartbeats::{self, PlannedHeartbeat, PlannedUpdate, warnings};
use crate::input_schema::InputSchema;
use crate::problems::Problems;
use crate::store::{Cadence, HeartbeatState, Reader, Skill, StoreError};
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{
    DescribeMode, DescribedWarning, HeartbeatAction, HeartbeatCreate, HeartbeatDescribe,
    HeartbeatDescription, HeartbeatId, HeartbeatPreview, HeartbeatUpdate, HeartbeatWarning, Issue,
    Scope, SkillId, WireEnum, input_schema, output_schema,
};

/// The most problems that one sentence names.
const NAMED_MAX: usize = 5;

pub(super) static TOOL: Tool = Tool {
    name: "heartbeat_describe",
    title: "Describe a heartbeat",
    description: "Preview heartbeat_create (mode create, with its arguments as payload) or \
            heartbeat_update (mode update, with heartbeatId and its other arguments as patch). \
            Read the cadence, the next fire and every warning back to the parent \
            before you write.",
    scope: Some(Scope::HeartbeatRead),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<HeartbeatDescribe>),
    output: LazyLock::new(output_schema::<HeartbeatDescription>),
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let arguments: HeartbeatDescribe = call.parse_arguments()?;
    let needed: &[_] = match arguments.mode {
        DescribeMode::Create => &["payload"],
        DescribeMode::Update => &["patch", "heartbeatId"],
    };
    check_members(&call.arguments, arguments.mode, needed)?;
    match arguments {
        HeartbeatDescribe { payload: Some(create), .. } => describe_create(&create, call, store),
        HeartbeatDescribe { patch: Some(patch), heartbeat_id: Some(id), .. } => {
            describe_update(&read_patch(patch, id)?, call, store)
        }
        _ => unreachable!("the members of the mode have been checked"),
    }
}

/// Checks that the call has what the mode needs, and nothing that it does not take.
fn check_members(
    arguments: &Map<String, Value>,
    mode: DescribeMode,
    needed: &[&str],
) -> Result<(), Failure> {
    let mode = mode.name();
    let issue = |name: &str, reason: &str, message: String, fix: &str| Issue {
        path: format!("/{name}"),
        reason: reason.to_owned(),
        message,
        fix: fix.to_owned(),
    };
    let mut issues = Vec::new();
    for name in needed.iter().filter(|name| !arguments.contains_key(**name)) {
        let message = format!("`{name}` is missing, which mode `{mode}` needs");
        issues.push(issue(name, "MISSING_FIELD", message, "add it"));
    }
    for name in arguments.keys().filter(|name| !needed.contains(&name.as_str()) && *name != "mode")
    {
        let message = format!("mode `{mode}` takes no `{name}`");
        issues.push(issue(name, "UNKNOWN_FIELD", message, "remove it, or use the other mode"));
    }
    if issues.is_empty() { Ok(()) } else { Err(Failure::invalid_arguments(&issues, issues.len())) }
}

/// Reads a patch, in which the heartbeat need not be named again.
fn read_patch(
    mut patch: Map<String, Value>,
    heartbeat_id: HeartbeatId,
) -> Result<HeartbeatUpdate, Failure> {
    let id = Value::String(heartbeat_id.into());
    if patch.get("heartbeatId").is_some_and(|other| *other != id) {
        let issue = Issue {
            path: "/patch/heartbeatId".to_owned(),
            reason: "CONFLICTING_FIELDS".to_owned(),
            message: "the patch names another heartbeat".to_owned(),
            fix: "remove it from the patch".to_owned(),
        };
        return Err(Failure::invalid_arguments(&[issue], 1));
    }
    if !patch.contains_key("action") {
        let issue = Issue {
            path: "/patch/action".to_owned(),
            reason: "MISSING_FIELD".to_owned(),
            message: "`patch/action` is missing".to_owned(),
            fix: format!("add it as one of {}", HeartbeatAction::words().join(", ")),
        };
        return Err(Failure::invalid_arguments(&[issue], 1));
    }
    patch.insert("heartbeatId".to_owned(), id);
    let arguments = serde_json::from_value(patch.into());
    heartbeats::parse_change(arguments.map_err(|error| Failure::Internal(error.into()))?, "/patch")
}

fn describe_create(
    create: &HeartbeatCreate,
    call: &Call,
    store: &dyn Reader,
) -> Result<Value, Failure> {
    let mut problems = Problems::with_prefix("/payload");
    let resolved = heartbeats::resolve(create, Scope::HeartbeatRead, call, store, &mut problems)?;
    problems.into_result()?;
    let (Some(cadence), Some(run)) = (&resolved.cadence, &resolved.run) else {
        unreachable!("what is missing is a problem");
    };
    let planned = PlannedHeartbeat {
        id: None,
        cadence,
        run,
        assignment: resolved.assignment.as_ref(),
        child: resolved.child.as_ref(),
        input: create.skill_input.as_ref(),
    };
    let warnings = warnings(&planned, call, store)?;
    let mut refusals = Problems::with_prefix("/payload");
    heartbeats::check_skills(create, &resolved, &mut refusals);
    let mut review = Vec::new();
    if refusals.is_empty() {
        let input = create.skill_input.as_ref();
        review = heartbeats::add_safety_reasons(&create.name, cadence, input, call, &mut refusals)?;
    }
    let mut next_step = match (refusals.is_empty(), warnings.is_empty()) {
        (false, _) => would_be_refused(&refusals),
        (true, true) => {
            "Read this back to the parent. Once they agree, call heartbeat_create.".to_owned()
        }
        (true, false) => "Read this and the warnings back to the parent. Once they agree to \
                          both, call heartbeat_create."
            .to_owned(),
    };
    next_step += &heartbeats::review_in_words(&review);
    let next_fire_at = heartbeats::next_fire(cadence, call.now);
    Ok(answer(cadence, next_fire_at, run, warnings, &next_step))
}

/// Returns what to do before `heartbeat_create`, which would refuse the heartbeat as it is.
fn would_be_refused(refusals: &Problems) -> String {
    let named = || refusals.issues().take(NAMED_MAX);
    let messages: Vec<_> = named().map(|issue| issue.message.as_str()).collect();
    let mut fixes: Vec<_> = named().map(|issue| issue.fix.as_str()).collect();
    fixes.dedup();
    format!(
        "heartbeat_create would refuse this: {}. To repair it: {}. Then describe it again.",
        messages.join("; "),
        fixes.join("; ")
    )
}

fn describe_update(
    update: &HeartbeatUpdate,
    call: &Call,
    store: &dyn Reader,
) -> Result<Value, Failure> {
    let PlannedUpdate { heartbeat, effect, review, .. } =
        heartbeats::plan_change(update, "/patch", Scope::HeartbeatRead, call, store)?;
    let family = &call.caller.family;
    let skill =
        |id: &SkillId| store.skill(family, id)?.ok_or_else(|| Failure::from(StoreError::Damaged));
    let run = skill(&heartbeat.run_skill_id)?;
    let assignment = heartbeat.assignment_skill_id.as_ref().map(skill).transpose()?;
    let child = match &heartbeat.child_id {
        Some(id) => store.child(family, id)?,
        None => None,
    };
    let mut found_warnings = Vec::new();
    let mut next_fire_at = None;
    if heartbeat.state == HeartbeatState::Active {
        let planned = PlannedHeartbeat {
            id: Some(&heartbeat.id),
            cadence: &heartbeat.cadence,
            run: &run,
            assignment: assignment.as_ref(),
            child: child.as_ref(),
            input: Some(&heartbeat.skill_input),
        };
        found_warnings = warnings(&planned, call, store)?;
        next_fire_at = heartbeats::next_fire(&heartbeat.cadence, call.now);
    }
    let next_step = format!(
        "heartbeat_update would {}. Read this back to the parent. Once they agree, call it.{}",
        effect.planned,
        heartbeats::review_in_words(&review)
    );
    Ok(answer(&heartbeat.cadence, next_fire_at, &run, found_warnings, &next_step))
}

fn answer(
    cadence: &Cadence,
    next_fire_at: Option<String>,
    run: &Skill,
    warnings: Vec<HeartbeatWarning>,
    next_step: &str,
) -> Value {
    let description = HeartbeatDescription {
        cadence_text: heartbeats::in_words(cadence),
        next_fire_at,
        preview: HeartbeatPreview {
            kind: "skill".to_owned(),
            skill_id: run.id.clone(),
            name: run.written.name.clone(),
        },
        warnings: warnings.into_iter().map(DescribedWarning::Known).collect(),
    };
    success(&description, next_step)
}
