//! `activity_list`: what has happened in the family.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::id_kinds::{EventId, HeartbeatId, ResultId, RunId, SkillId, UserId};
use super::skill_tools::{PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX};
use super::wire_enum::{OpenEnum, WireEnum};

/// The name of the tool that lists what has happened. Other servers may not have it.
pub const ACTIVITY_LIST: &str = "activity_list";

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActivityType {
    /// A skill was written.
    #[serde(rename = "skill.written")]
    SkillWritten,
    /// A skill was changed.
    #[serde(rename = "skill.updated")]
    SkillUpdated,
    /// A skill was archived.
    #[serde(rename = "skill.archived")]
    SkillArchived,
    /// A skill was unarchived.
    #[serde(rename = "skill.unarchived")]
    SkillUnarchived,
    /// A skill was invoked.
    #[serde(rename = "skill.invoked")]
    SkillInvoked,
    /// A card was posted to the inbox.
    #[serde(rename = "result.posted")]
    ResultPosted,
    /// A heartbeat was created.
    #[serde(rename = "heartbeat.created")]
    HeartbeatCreated,
    /// A heartbeat got another schedule, name or input.
    #[serde(rename = "heartbeat.updated")]
    HeartbeatUpdated,
    /// A heartbeat was paused.
    #[serde(rename = "heartbeat.paused")]
    HeartbeatPaused,
    /// A heartbeat was resumed.
    #[serde(rename = "heartbeat.resumed")]
    HeartbeatResumed,
    /// A heartbeat was cancelled.
    #[serde(rename = "heartbeat.cancelled")]
    HeartbeatCancelled,
    /// A planned time of a heartbeat was reached: a run of its skill is due.
    #[serde(rename = "heartbeat.due")]
    HeartbeatDue,
    /// A heartbeat fired: a run of its skill has started.
    #[serde(rename = "heartbeat.fired")]
    HeartbeatFired,
    /// A run has ended well.
    #[serde(rename = "run.completed")]
    RunCompleted,
    /// A run has failed.
    #[serde(rename = "run.failed")]
    RunFailed,
    /// A planned run was left out.
    #[serde(rename = "run.skipped")]
    RunSkipped,
    /// A grown-up joined the family, or takes part in a heartbeat.
    #[serde(rename = "member.added")]
    MemberAdded,
    /// A grown-up no longer takes part in a heartbeat.
    #[serde(rename = "member.removed")]
    MemberRemoved,
    /// A grown-up may edit a heartbeat.
    #[serde(rename = "member.promoted")]
    MemberPromoted,
}

impl WireEnum for ActivityType {}

/// The arguments of `activity_list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityListArguments {
    /// An eventId, or a time such as 2026-05-24T08:00:00Z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// nextCursor of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum events per page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_ITEMS_MAX), extend("default" = PAGE_ITEMS_DEFAULT))]
    pub limit: Option<usize>,
}

/// One event of `activity_list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityEvent {
    /// The event.
    // Other servers may not send it.
    #[serde(default)]
    #[schemars(description = "")]
    pub event_id: EventId,
    /// What happened, such as skill.invoked.
    #[serde(rename = "type")]
    #[schemars(with = "String")]
    pub kind: OpenEnum<ActivityType>,
    /// Its kind: user, with a userId, or server.
    #[serde(default)]
    #[schemars(with = "Map<String, Value>")]
    pub actor: ActivityActor,
    /// The ids that it is about, as skillId.
    #[serde(default)]
    #[schemars(with = "Map<String, Value>")]
    pub refs: ActivityRefs,
    /// A few more details.
    #[serde(default)]
    #[schemars(description = "")]
    pub payload: Map<String, Value>,
    /// When it happened.
    #[schemars(description = "")]
    pub timestamp: String,
}

/// Who did something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ActivityActor {
    /// A grown-up, or an agent in their name.
    #[serde(rename_all = "camelCase")]
    User {
        /// The grown-up.
        user_id: UserId,
    },
    /// The server, or the owner of its machine.
    #[default]
    #[serde(other)]
    Server,
}

/// What an event is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActivityRefs {
    /// The skill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_id: Option<SkillId>,
    /// The heartbeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heartbeat_id: Option<HeartbeatId>,
    /// The card of the inbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_id: Option<ResultId>,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<RunId>,
    /// The grown-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<UserId>,
}
