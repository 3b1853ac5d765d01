//! A heartbeat as `heartbeat_list` of this program sends it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::heartbeat::{HeartbeatListItem, HeartbeatMember};
use super::id_kinds::{ChatId, ChildId, HeartbeatId, SkillId};
use super::run::MissedFires;
use super::wire_enum::OpenEnum;

/// The field of a listed heartbeat with what it runs.
pub const RUN_CONTEXT: &str = "runContext";

/// The fields in [`RUN_CONTEXT`], which some servers send beside the others.
pub const RUN_CONTEXT_FIELDS: [&str; 6] =
    ["runSkillId", "childId", "skillInput", "postResultNotify", "missedFires", "members"];

/// One heartbeat of `heartbeat_list`, as it is sent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedHeartbeat {
    /// The heartbeat.
    #[schemars(description = "")]
    pub heartbeat_id: HeartbeatId,
    /// Its label.
    #[schemars(description = "")]
    pub name: String,
    /// Its schedule.
    #[schemars(description = "")]
    pub cron: String,
    /// The IANA time zone of its schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub tz: Option<String>,
    /// Its schedule in words.
    pub cadence_text: String,
    /// Whether it fires; a paused one does not.
    pub enabled: bool,
    /// When it fires next; null while it is paused.
    pub next_run_at: Option<String>,
    /// When it fired last.
    pub last_run_at: Option<String>,
    /// Its chat.
    #[schemars(description = "")]
    pub chat_id: ChatId,
    /// Changes whenever its name, its schedule or what it runs changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub content_hash: Option<String>,
    /// What it runs: runSkillId, childId, skillInput, postResultNotify, missedFires, and the members,
    /// each with a role.
    #[schemars(with = "Map<String, Value>")]
    pub run_context: RunContext,
}

/// What a heartbeat runs, for whom, and who takes part.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunContext {
    /// The skill.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run_skill_id: Option<SkillId>,
    /// The child that it is for; none for the whole family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub child_id: Option<ChildId>,
    /// The values of the inputs, the same for every fire; left out if they are long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_input: Option<Map<String, Value>>,
    /// Whether the result of each fire is posted to the family's inbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_result_notify: Option<bool>,
    /// What runs of the times that were missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missed_fires: Option<OpenEnum<MissedFires>>,
    /// Who takes part, the owner first.
    pub members: Vec<HeartbeatMember>,
}

impl From<HeartbeatListItem> for ListedHeartbeat {
    fn from(item: HeartbeatListItem) -> Self {
        Self {
            heartbeat_id: item.heartbeat_id,
            name: item.name,
            cron: item.cron,
            tz: item.tz,
            cadence_text: item.cadence_text,
            enabled: item.enabled,
            next_run_at: item.next_run_at,
            last_run_at: item.last_run_at,
            chat_id: item.chat_id,
            content_hash: item.content_hash,
            run_context: RunContext {
                run_skill_id: item.run_skill_id,
                child_id: item.child_id,
                skill_input: item.skill_input,
                post_result_notify: item.post_result_notify,
                missed_fires: item.missed_fires,
                members: item.members,
            },
        }
    }
}
