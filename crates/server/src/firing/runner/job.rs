//! What is executed, and how it ended.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::firing::finish::Retry;
use crate::run_result::RunResult;
use crate::store::FamilyId;
use dibber_skill::contract::{ChildId, HeartbeatId, RunId, SkillId};

/// A run to be executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// The family.
    #[serde(skip)]
    pub family: FamilyId,
    /// The run.
    pub run_id: RunId,
    /// The number of the attempt, from 1.
    pub attempt: i64,
    /// The heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// The label of the heartbeat.
    pub name: String,
    /// The skill.
    pub skill_id: SkillId,
    /// The child that it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub child_id: Option<ChildId>,
    /// When it was to fire, with the offset of its time zone (RFC 3339).
    pub planned_at: String,
    /// The IANA time zone.
    pub time_zone: String,
    /// Whether an earlier attempt may have done all or a part of it already.
    pub may_have_repeated: bool,
    /// The hash of the prompt.
    pub prompt_hash: String,
    /// What the data of the result have to be: the JSON Schema that the skill declares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_model: Option<Map<String, Value>>,
    /// The prompt.
    #[serde(skip)]
    pub prompt: String,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// With a result.
    Completed(RunResult),
    /// Without one.
    Failed {
        /// Why, for the owner.
        reason: String,
        /// Whether it is worth another attempt.
        retry: Retry,
    },
}
