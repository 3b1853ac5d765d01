//! `skill_post_result`: what came of a run, for the family's inbox.

use serde_json::Value;

use crate::call::{Call, Run, Tool, success};
use crate::failure::Failure;
use crate::fields::{SHORT_TEXT, TIME};
use crate::shape::{Kind, required};
use crate::store::{Posted, StoreError, Writer};
use crate::{id, skills, times};
use dibber_skill::contract::{ResultPosted, Scope, SkillPostResult};

/// The most bytes of a result, as JSON without spaces (256 KiB).
const RESULT_BYTES_MAX: usize = 256 << 10;

pub(super) const TOOL: Tool = Tool {
    name: "skill_post_result",
    title: "Post a skill's result",
    description: "Posts the result of a run that you made yourself to the family's inbox, as a card \
            that a parent reads.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: false,
    is_destructive: false,
    input: &[
        required("skillId", SHORT_TEXT, "The skill whose result it is."),
        required("result", Kind::AnyObject, "The result: a summary for a parent, and the data."),
    ],
    output: &[
        required("resultId", SHORT_TEXT, "The result."),
        required("threadId", SHORT_TEXT, "The thread of the inbox that it stands in."),
        required("postedAt", TIME, "When it was posted."),
    ],
    run: Run::Write(run),
};

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let SkillPostResult { skill_id, result } = call.parse_arguments()?;
    let family = &call.caller.family;
    let skill = skills::find_active(call, store, &skill_id, Scope::SkillWrite)?;
    let bytes = Value::Object(result.clone()).to_string().len();
    if bytes > RESULT_BYTES_MAX {
        let message = format!("the result has {bytes} bytes; {RESULT_BYTES_MAX} are allowed");
        let fix = "post a summary, and keep the data elsewhere";
        return Err(Failure::bad_input("RESULT_TOO_LARGE", message, fix));
    }
    let row = store.family(family)?;
    let row = row.ok_or_else(|| StoreError::new(format!("the family {} is gone", family.0)))?;
    let zone = times::zone_of(store, family)?;
    let posted = Posted {
        id: id::new("rs"),
        skill_id: skill.id,
        thread_id: row.chat_id,
        user_id: call.caller.user_id.clone(),
        posted_at: call.millisecond(),
        result,
    };
    store.add_result(family, &posted)?;
    let answer = ResultPosted {
        result_id: posted.id,
        thread_id: posted.thread_id,
        posted_at: times::shown(call.now, &zone),
    };
    Ok(success(&answer, "It stands in the family's inbox; tell the parent in a sentence."))
}
