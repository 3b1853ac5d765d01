//! `heartbeat_describe`: what a heartbeat would be, before it is made or changed.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::call::{Call, Run, Tool, success};
use crate::failure::Failure;
use crate::fields::SHORT_TEXT;
use crate::heartbeats::{self, CREATE, Change, Faults, PATCH, Planned, missing_inputs, warnings};
use crate::shape::{Kind, optional, required};
use crate::store::{HeartbeatState, Reader, Skill, StoreError};
use dibber_schedule::Schedule;
use dibber_skill::contract::{
    HeartbeatCreate, HeartbeatDescription, HeartbeatPreview, HeartbeatWarning, Issue, Scope,
};

const WARNINGS: Kind = Kind::OneOf(&[
    "schedule_conflict",
    "age_edge",
    "age_mismatch",
    "program_not_assignable",
    "already_assigned",
]);

pub(super) const TOOL: Tool = Tool {
    name: "heartbeat_describe",
    title: "Describe a heartbeat",
    description: "Preview heartbeat_create (mode create, with its arguments as payload) or \
            heartbeat_update (mode update, with heartbeatId and its other arguments as patch). It \
            changes nothing. Read the cadence, the next fire and every warning back to the parent \
            before you write.",
    scope: Some(Scope::HeartbeatRead),
    is_idempotent: true,
    is_destructive: false,
    input: &[
        required("mode", Kind::OneOf(&["create", "update"]), "Which tool is previewed."),
        optional("payload", Kind::Object(CREATE), "For create: the arguments."),
        optional("patch", Kind::Object(PATCH), "For update: the arguments."),
        optional("heartbeatId", SHORT_TEXT, "For update: the heartbeat."),
    ],
    output: &[
        required("cadenceText", SHORT_TEXT, "When it fires, in words."),
        required(
            "nextFireAt",
            Kind::Nullable(&SHORT_TEXT),
            "When it fires next, on the clock of its time zone; null if it will not.",
        ),
        required("preview", Kind::AnyObject, "What it runs: kind, skillId and name."),
        required("warnings", Kind::List { of: &WARNINGS, max: 5 }, "What a parent should hear."),
    ],
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    if call.required_str("mode") == "create" {
        check_members(&call.arguments, &["payload"])?;
        create(&part(call, "payload", [])?, call, store)
    } else {
        check_members(&call.arguments, &["patch", "heartbeatId"])?;
        update(call, store)
    }
}

/// Checks that there is what the mode needs, and nothing that it does not take.
fn check_members(arguments: &Map<String, Value>, needed: &[&str]) -> Result<(), Failure> {
    let mode = arguments["mode"].as_str().unwrap_or_default();
    let issue = |name: &str, reason: &str, message: String, fix: &str| Issue {
        path: format!("/{name}"),
        reason: reason.to_owned(),
        message,
        fix: fix.to_owned(),
    };
    let mut issues = Vec::new();
    for name in needed.iter().filter(|name| !arguments.contains_key(**name)) {
        let message = format!("`{name}` is missing, which mode `{mode}` needs");
        issues.push(issue(name, "MISSING_FIELD", message, "give it"));
    }
    for name in arguments.keys().filter(|name| !needed.contains(&name.as_str()) && *name != "mode")
    {
        let message = format!("mode `{mode}` takes no `{name}`");
        issues.push(issue(name, "UNKNOWN_FIELD", message, "leave it out, or use the other mode"));
    }
    if issues.is_empty() { Ok(()) } else { Err(Failure::of_shape(&issues, issues.len())) }
}

/// A part of the arguments as a type, with what stands beside it.
fn part<T: DeserializeOwned, const N: usize>(
    call: &Call,
    name: &str,
    beside: [(&str, Value); N],
) -> Result<T, Failure> {
    let mut part = call.arguments[name].clone();
    for (name, value) in beside {
        part[name] = value;
    }
    serde_json::from_value(part).map_err(|error| Failure::Internal(error.into()))
}

fn create(create: &HeartbeatCreate, call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let mut faults = Faults::under("/payload");
    let found = heartbeats::look_up(create, Scope::HeartbeatRead, call, store, &mut faults)?;
    faults.finish()?;
    let (Some(schedule), Some(run)) = (&found.schedule, &found.run) else {
        unreachable!("what is not there is a fault");
    };
    let planned = Planned {
        id: None,
        schedule,
        run,
        assignment: found.assignment.as_ref(),
        child: found.child.as_ref(),
    };
    let warnings = warnings(&planned, call, store)?;
    let missing = missing_inputs(run, &create.skill_input.clone().unwrap_or_default()).join(", ");
    let next_step = match (missing.is_empty(), warnings.is_empty()) {
        (false, _) => format!(
            "heartbeat_create will ask for these inputs in skillInput, too: {missing}. Read this \
             back to the parent, with the warnings."
        ),
        (true, true) => {
            "Read this back to the parent. Once they agree, call heartbeat_create.".to_owned()
        }
        (true, false) => "Read this and the warnings back to the parent. Once they agree to \
                          both, call heartbeat_create."
            .to_owned(),
    };
    let next_fire_at = heartbeats::next_fire(schedule, call.now);
    Ok(answer(schedule, next_fire_at, run, warnings, &next_step))
}

fn update(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let id = &call.arguments["heartbeatId"];
    if call.arguments["patch"].get("heartbeatId").is_some_and(|other| other != id) {
        let issue = Issue {
            path: "/patch/heartbeatId".to_owned(),
            reason: "CONFLICTING_FIELDS".to_owned(),
            message: "the patch names another heartbeat".to_owned(),
            fix: "leave it out of the patch".to_owned(),
        };
        return Err(Failure::of_shape(&[issue], 1));
    }
    let update = part(call, "patch", [("heartbeatId", id.clone())])?;
    let Change { heartbeat, words, .. } =
        heartbeats::plan_change(&update, "/patch", Scope::HeartbeatRead, call, store)?;
    let family = &call.caller.family;
    let skill = |id: &str| {
        let gone = || Failure::from(StoreError::new(format!("the skill {id} is gone")));
        store.skill(family, id)?.ok_or_else(gone)
    };
    let schedule = heartbeats::of_heartbeat(&heartbeat)?;
    let run = skill(&heartbeat.run_skill_id)?;
    let assignment = heartbeat.assignment_skill_id.as_deref().map(skill).transpose()?;
    let children = store.children(family)?;
    let child = children.iter().find(|child| Some(&child.id) == heartbeat.child_id.as_ref());
    let mut found = Vec::new();
    let mut next_fire_at = None;
    if heartbeat.state == HeartbeatState::Active {
        let planned = Planned {
            id: Some(&heartbeat.id),
            schedule: &schedule,
            run: &run,
            assignment: assignment.as_ref(),
            child,
        };
        found = warnings(&planned, call, store)?;
        next_fire_at = heartbeats::next_fire(&schedule, call.now);
    }
    let next_step = format!(
        "With heartbeat_update: {words} Read this back to the parent. Once they agree, call it."
    );
    Ok(answer(&schedule, next_fire_at, &run, found, &next_step))
}

fn answer(
    schedule: &Schedule,
    next_fire_at: Option<String>,
    run: &Skill,
    warnings: Vec<HeartbeatWarning>,
    next_step: &str,
) -> Value {
    let description = HeartbeatDescription {
        cadence_text: heartbeats::cadence(schedule),
        next_fire_at,
        preview: HeartbeatPreview {
            kind: "skill".to_owned(),
            skill_id: run.id.clone(),
            name: run.written.name.clone(),
        },
        warnings,
    };
    success(&description, next_step)
}
