//! `skill_post_result`: the result of a run, for the family's inbox.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::caller::{EntityKind, not_found_in_family};
use crate::failure::Failure;
use crate::inbox::{self, NewCard};
use crate::input_schema::InputSchema;
use crate::store::{Skill, StoreError, Writer};
use crate::tool::{Call, Run, Tool, success};
use crate::{response_model, roster, skills, times};
use dibber_skill::contract::{
    CardKind, ChatId, HeartbeatId, Issue, RESULT_DATA, RESULT_SUMMARY, ResultPosted, Scope,
    SkillPostResult, output_schema, write_input_schema,
};

/// The most bytes of a result, as JSON without spaces (256 KiB).
const RESULT_BYTES_MAX: usize = 256 << 10;

/// The most characters of the summary of a result.
const SUMMARY_CHARACTERS_MAX: usize = 4_000;

pub(super) static TOOL: Tool = Tool {
    name: "skill_post_result",
    title: "Post a skill's result",
    description: "Posts the result of a run that you made yourself to the family's inbox, as a card \
            that a parent reads.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: false,
    is_destructive: false,
    input: InputSchema::new(write_input_schema::<SkillPostResult>),
    output: LazyLock::new(output_schema::<ResultPosted>),
    run: Run::Write(run),
};

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let SkillPostResult { skill_id, result, heartbeat_id } = call.parse_arguments()?;
    let family = &call.caller.family;
    let skill = skills::find_active(call, store, &skill_id, Scope::SkillWrite)?;
    check_size(&result)?;
    check_summary(&result)?;
    check_data(call, store, &skill, &result)?;
    let thread_id = thread(call, store, &skill, heartbeat_id.as_ref())?;
    let zone = times::family_zone(store, family)?;
    let card = NewCard {
        skill_id: skill.id.clone(),
        thread_id,
        user_id: call.caller.user_id.clone(),
        actor: Some(call.caller.user_id.clone()),
        heartbeat_id,
        run_id: None,
        kind: CardKind::Result,
        result,
        at: call.millisecond(),
    };
    let posted = inbox::post(store, family, card)?;
    // A home agent runs skills without invoking them here.
    store.touch_skill(family, &skill.id, call.millisecond())?;
    let answer = ResultPosted {
        result_id: posted.id,
        thread_id: posted.thread_id,
        posted_at: times::format_time(call.now, &zone),
    };
    Ok(success(&answer, "It is in the family's inbox; tell the parent in a sentence."))
}

fn check_size(result: &Map<String, Value>) -> Result<(), Failure> {
    let bytes = serde_json::to_string(result).map_err(StoreError::new)?.len();
    if bytes <= RESULT_BYTES_MAX {
        return Ok(());
    }
    let message = format!("the result has {bytes} bytes; the maximum is {RESULT_BYTES_MAX}");
    let fix = "post a summary, and keep the data elsewhere";
    Err(Failure::bad_input("RESULT_TOO_LARGE", message, fix))
}

/// Refuses a result that says nothing to a parent.
fn check_summary(result: &Map<String, Value>) -> Result<(), Failure> {
    let (reason, message, fix) = match result.get(RESULT_SUMMARY) {
        None => ("SUMMARY_MISSING", "the result has no `summary`".to_owned(), WRITE_SUMMARY),
        Some(Value::String(summary)) if summary.trim().is_empty() => {
            ("SUMMARY_MISSING", "the `summary` of the result is blank".to_owned(), WRITE_SUMMARY)
        }
        Some(Value::String(summary)) => {
            let characters = summary.chars().count();
            if characters <= SUMMARY_CHARACTERS_MAX {
                return Ok(());
            }
            let message = format!(
                "the `summary` of the result has {characters} characters; the maximum is \
                 {SUMMARY_CHARACTERS_MAX}"
            );
            ("SUMMARY_TOO_LONG", message, "shorten it, and put the rest into `data`")
        }
        Some(_) => (
            "SUMMARY_MISSING",
            "the `summary` of the result is no string".to_owned(),
            WRITE_SUMMARY,
        ),
    };
    let path = format!("/result/{RESULT_SUMMARY}");
    let (reason, fix) = (reason.to_owned(), fix.to_owned());
    Err(Failure::from_issues(&[Issue { path, reason, message, fix }]))
}

const WRITE_SUMMARY: &str = "add `summary`: what a parent should know, in a few sentences";

/// Refuses data that do not match the response model of the skill.
fn check_data(
    call: &Call,
    store: &dyn Writer,
    skill: &Skill,
    result: &Map<String, Value>,
) -> Result<(), Failure> {
    let Some(model) = &skill.written.response_model else { return Ok(()) };
    let roster = roster::load(store, &call.caller.family)?;
    let issues = response_model::check(model, result.get(RESULT_DATA), &roster);
    issues.map_err(|issues| Failure::from_issues(&issues))
}

/// Returns the chat in which the result is shown: that of the heartbeat, or of the family.
fn thread(
    call: &Call,
    store: &dyn Writer,
    skill: &Skill,
    heartbeat: Option<&HeartbeatId>,
) -> Result<ChatId, Failure> {
    let family = &call.caller.family;
    let Some(id) = heartbeat else {
        let row = store.family(family)?;
        return Ok(row.ok_or(StoreError::Damaged)?.chat_id);
    };
    let heartbeat = store.heartbeat(family, id)?;
    let heartbeat = heartbeat
        .ok_or_else(|| not_found_in_family(Scope::HeartbeatWrite, EntityKind::Heartbeat))?;
    if heartbeat.run_skill_id != skill.id {
        let message = "the heartbeat runs another skill";
        let fix =
            "name the heartbeat that runs the skill, or none; heartbeat_list shows runSkillId";
        return Err(Failure::bad_input("HEARTBEAT_OF_OTHER_SKILL", message, fix));
    }
    Ok(heartbeat.chat_id)
}
