//! The Sprout heartbeat tools.

#![expect(clippy::doc_markdown, reason = "agents read these descriptions as they are")]

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::heartbeat_change::HeartbeatUpdateArguments;
use super::id_kinds::{ChatId, ChildId, HeartbeatId, SkillId, UserId};
use super::ids::read_optional;
use super::limits::{CRON_CHARACTERS_MAX, HEARTBEAT_NAME_CHARACTERS_MAX};
use super::run::MissedFires;
use super::skill_tools::{PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX};
use super::wire_enum::{OpenEnum, WireEnum};

/// The time zone of a heartbeat that names none.
pub const TIME_ZONE_DEFAULT: &str = "America/New_York";

/// Cron expressions, as an agent should write them.
const CRON_EXAMPLES: [&str; 2] = ["0 8 * * 1-5", "30 18 * * sun"];

/// Names of time zones, as an agent should write them.
const TIME_ZONE_EXAMPLES: [&str; 1] = ["Europe/Berlin"];

/// The arguments of `heartbeat_create`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatCreate {
    /// What the family calls it.
    #[schemars(length(max = HEARTBEAT_NAME_CHARACTERS_MAX))]
    pub name: String,
    /// Five fields of cron in the heartbeat's time zone.
    #[schemars(length(max = CRON_CHARACTERS_MAX), extend("examples" = CRON_EXAMPLES))]
    pub cron: String,
    /// The IANA time zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = TIME_ZONE_DEFAULT, "examples" = TIME_ZONE_EXAMPLES))]
    pub tz: Option<String>,
    /// The skill that it runs each time: its skillId in skill_list.
    pub run_skill_id: SkillId,
    /// The skill that schedules it, if any: the skillId of one that uses heartbeat_create.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment_skill_id: Option<SkillId>,
    /// The child that it is for: kids[].childId of family_query_overview. All when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub child_id: Option<ChildId>,
    /// The chat whose participants it gets: a chatId of heartbeat_list; the family's when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_chat_id: Option<ChatId>,
    /// A value for each of the skill's inputs, as {"day": "{{fireDate}}"}; the same at each fire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_input: Option<Map<String, Value>>,
    /// Whether the result of each run is posted to the family's inbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub post_result_notify: Option<bool>,
    /// What runs of the times that were missed: the latest (once), none (skip) or all of a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "once"))]
    pub missed_fires: Option<MissedFires>,
}

/// The answer of `heartbeat_create`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatCreated {
    /// The heartbeat that was created.
    pub heartbeat_id: HeartbeatId,
    /// Its chat.
    pub chat_id: ChatId,
    /// When it fires next, on the clock of its time zone.
    pub next_fire_at: String,
    /// The values in skillInput that no input of the skill asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_inputs: Vec<String>,
}

/// The answer of `heartbeat_update`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatUpdated {
    /// The heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// The outcome.
    #[schemars(extend("enum" = ["updated"]))]
    pub status: String,
}

/// Which tool `heartbeat_describe` previews.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DescribeMode {
    /// `heartbeat_create`.
    Create,
    /// `heartbeat_update`.
    Update,
}

impl WireEnum for DescribeMode {}

/// The arguments of `heartbeat_describe`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatDescribe {
    /// Which tool is previewed.
    pub mode: DescribeMode,
    /// For create: the arguments of heartbeat_create.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "payload_schema")]
    pub payload: Option<HeartbeatCreate>,
    /// For update: the arguments of heartbeat_update, without heartbeatId.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "patch_schema")]
    pub patch: Option<Map<String, Value>>,
    /// For update: the heartbeatId of heartbeat_list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heartbeat_id: Option<HeartbeatId>,
}

/// The schema of the arguments of `heartbeat_create` as a part of `heartbeat_describe`.
fn payload_schema(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = HeartbeatCreate::json_schema(generator);
    remove_descriptions(&mut schema);
    schema
}

/// The schema of the arguments of `heartbeat_update` as a part of `heartbeat_describe`, where the
/// heartbeat is named beside them.
fn patch_schema(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = HeartbeatUpdateArguments::json_schema(generator);
    // The issue of a patch in a mode that takes none is the patch itself, not what it lacks.
    schema.remove("required");
    remove_descriptions(&mut schema);
    schema
}

/// Removes what the tool that writes says of its fields, and what it checks before it reads them: a
/// preview reports an id of another form as it reports an unknown one.
fn remove_descriptions(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flatten().filter_map(|(_, it)| it.as_object_mut()) {
        for keyword in ["description", "default", "examples", "pattern"] {
            property.remove(keyword);
        }
    }
}

/// What a parent should hear before a heartbeat is created or changed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
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
    /// It also has the same schedule and the same inputs, so that everything is done twice.
    Duplicate,
}

impl WireEnum for HeartbeatWarning {}

/// The answer of `heartbeat_describe`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatDescription {
    /// When it fires, in words.
    pub cadence_text: String,
    /// When it fires next, on the clock of its time zone; null if it will not.
    pub next_fire_at: Option<String>,
    /// What it runs: kind, skillId and name.
    #[schemars(with = "Map<String, Value>")]
    pub preview: HeartbeatPreview,
    /// What a parent should hear.
    #[schemars(with = "Vec<HeartbeatWarning>")]
    pub warnings: Vec<DescribedWarning>,
}

/// A warning in the answer of `heartbeat_describe`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DescribedWarning {
    /// One of the contract.
    Known(HeartbeatWarning),
    /// One that only another server knows, in its own form.
    Other(Value),
}

/// What a heartbeat runs. Other servers leave some of it out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HeartbeatPreview {
    /// `skill`.
    pub kind: String,
    /// The skill.
    pub skill_id: SkillId,
    /// Its label.
    pub name: String,
}

/// The arguments of `heartbeat_list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatListArguments {
    /// nextCursor of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum items per page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_ITEMS_MAX), extend("default" = PAGE_ITEMS_DEFAULT))]
    pub limit: Option<usize>,
}

/// One heartbeat of `heartbeat_list`, as a client reads it: what it runs is beside the rest, as some
/// servers send it. This one sends it as [`ListedHeartbeat`](super::ListedHeartbeat).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatListItem {
    /// The heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// Its label.
    pub name: String,
    /// Its schedule.
    pub cron: String,
    /// The IANA time zone of its schedule.
    // Other servers do not send it, nor the fields that follow the chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    pub chat_id: ChatId,
    /// The skill that it runs.
    #[serde(default, deserialize_with = "read_optional", skip_serializing_if = "Option::is_none")]
    pub run_skill_id: Option<SkillId>,
    /// The child that it is for; none for the whole family.
    #[serde(default, deserialize_with = "read_optional", skip_serializing_if = "Option::is_none")]
    pub child_id: Option<ChildId>,
    /// Changes whenever its name, its schedule or what it runs changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// The values of the inputs, the same for every fire; left out if they are long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_input: Option<Map<String, Value>>,
    /// Whether the result of each fire is posted to the family's inbox.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_result_notify: Option<bool>,
    /// What runs of the times that were missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_fires: Option<OpenEnum<MissedFires>>,
    /// Who takes part, the owner first.
    #[serde(default)]
    pub members: Vec<HeartbeatMember>,
}

/// A grown-up who takes part in a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeartbeatMember {
    /// The grown-up.
    #[schemars(description = "")]
    pub user_id: UserId,
    /// What they may do.
    #[schemars(description = "", with = "MemberRole")]
    pub role: OpenEnum<MemberRole>,
}

/// What a member may do with a heartbeat.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "")]
pub enum MemberRole {
    /// Everything, including cancelling it.
    Owner,
    /// Editing it.
    Admin,
    /// Leaving it.
    Member,
}

impl WireEnum for MemberRole {}
