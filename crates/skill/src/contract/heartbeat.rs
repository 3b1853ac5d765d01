//! The Sprout heartbeat tools.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The time zone of a heartbeat that names none.
pub const TIME_ZONE_DEFAULT: &str = "America/New_York";

/// The most characters of a heartbeat's name.
pub const HEARTBEAT_NAME_CHARACTERS_MAX: usize = 100;

/// The arguments of `heartbeat_create`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatCreate {
    /// The label.
    pub name: String,
    /// Five fields of cron, in the heartbeat's time zone.
    pub cron: String,
    /// The IANA time zone; [`TIME_ZONE_DEFAULT`] when it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tz: Option<String>,
    /// The skill that it runs.
    pub run_skill_id: String,
    /// The skill that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment_skill_id: Option<String>,
    /// The child that it is for; the whole family when it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_id: Option<String>,
    /// The chat whose participants it has; the family's when it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_chat_id: Option<String>,
    /// The values of the skill's inputs, the same at each fire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_input: Option<Map<String, Value>>,
    /// Whether the result is posted to the family's inbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_result_notify: Option<bool>,
}

/// What `heartbeat_create` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatCreated {
    /// The heartbeat.
    pub heartbeat_id: String,
    /// Its chat.
    pub chat_id: String,
    /// When it fires next, with the offset of its time zone (RFC 3339).
    pub next_fire_at: String,
    /// The values that no input of the skill asks for, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_inputs: Vec<String>,
}

/// What `heartbeat_update` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeartbeatAction {
    /// Another `cron`, `tz` or both.
    EditSchedule,
    /// Another `promptText`; for heartbeats without a skill.
    EditText,
    /// Another `name`.
    EditName,
    /// It does not fire until it is resumed.
    Pause,
    /// It fires again.
    Resume,
    /// It never fires again.
    Cancel,
    /// `targetUserId` takes part.
    AddMember,
    /// `targetUserId` no longer takes part.
    RemoveMember,
    /// `targetUserId` may edit it.
    PromoteAdmin,
}

impl HeartbeatAction {
    /// Every action.
    pub const ALL: [Self; 9] = [
        Self::EditSchedule,
        Self::EditText,
        Self::EditName,
        Self::Pause,
        Self::Resume,
        Self::Cancel,
        Self::AddMember,
        Self::RemoveMember,
        Self::PromoteAdmin,
    ];

    /// The word for it on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EditSchedule => "edit_schedule",
            Self::EditText => "edit_text",
            Self::EditName => "edit_name",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Cancel => "cancel",
            Self::AddMember => "add_member",
            Self::RemoveMember => "remove_member",
            Self::PromoteAdmin => "promote_admin",
        }
    }
}

/// The arguments of `heartbeat_update`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatUpdate {
    /// The heartbeat.
    pub heartbeat_id: String,
    /// What is done with it.
    pub action: HeartbeatAction,
    /// For [`HeartbeatAction::EditSchedule`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    /// For [`HeartbeatAction::EditSchedule`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tz: Option<String>,
    /// For [`HeartbeatAction::EditText`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_text: Option<String>,
    /// For [`HeartbeatAction::EditName`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// For the actions on members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_user_id: Option<String>,
}

impl HeartbeatUpdate {
    /// Does an action that needs nothing else.
    pub fn new(heartbeat_id: impl Into<String>, action: HeartbeatAction) -> Self {
        Self {
            heartbeat_id: heartbeat_id.into(),
            action,
            cron: None,
            tz: None,
            prompt_text: None,
            name: None,
            target_user_id: None,
        }
    }
}

/// What `heartbeat_update` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatUpdated {
    /// The heartbeat.
    pub heartbeat_id: String,
    /// `updated`.
    pub status: String,
}

/// What a parent should hear before a heartbeat is made or changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeartbeatWarning {
    /// Another heartbeat of the family fires in the same minute.
    ScheduleConflict,
    /// The child will soon be older than the skill is for.
    AgeEdge,
    /// The child is younger or older than the skill is for.
    AgeMismatch,
    /// The skill cannot be run, or assigned, by a heartbeat.
    ProgramNotAssignable,
    /// Another heartbeat runs the same skill for the same child.
    AlreadyAssigned,
}

/// What `heartbeat_describe` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatDescription {
    /// When it fires, in words.
    pub cadence_text: String,
    /// When it fires next, with the offset of its time zone (RFC 3339); none if it will be paused
    /// or cancelled.
    pub next_fire_at: Option<String>,
    /// What it runs.
    pub preview: HeartbeatPreview,
    /// What a parent should hear.
    pub warnings: Vec<HeartbeatWarning>,
}

/// What a heartbeat runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatPreview {
    /// `skill`.
    pub kind: String,
    /// The skill.
    pub skill_id: String,
    /// Its label.
    pub name: String,
}

/// One heartbeat of `heartbeat_list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatListItem {
    /// The heartbeat.
    pub heartbeat_id: String,
    /// Its label.
    pub name: String,
    /// Its schedule.
    pub cron: String,
    /// Its schedule in words.
    pub cadence_text: String,
    /// Whether it fires: neither paused nor cancelled.
    pub enabled: bool,
    /// When it fires next, with the offset of its time zone (RFC 3339).
    pub next_run_at: Option<String>,
    /// When it fired last.
    pub last_run_at: Option<String>,
    /// Its chat.
    pub chat_id: String,
}
