//! The family's inbox: its cards, and the tools that list and sort them.

#![expect(clippy::doc_markdown, reason = "agents read these descriptions as they are")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::id_kinds::{ChatId, HeartbeatId, ResultId, RunId, SkillId};
use super::skill_tools::{PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX};
use super::wire_enum::{OpenEnum, WireEnum};

/// The name of the tool that lists the inbox. Other servers may not have it.
pub const INBOX_LIST: &str = "inbox_list";

/// The name of the tool that sorts the inbox. Other servers may not have it.
pub const INBOX_UPDATE: &str = "inbox_update";

/// The key of a result that says in a few sentences what a parent should know.
pub const RESULT_SUMMARY: &str = "summary";

/// The key of a result with its data, which match the response model of the skill.
pub const RESULT_DATA: &str = "data";

/// What a card says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardKind {
    /// The result of a run.
    #[default]
    Result,
    /// Something that the server has to say, such as that a heartbeat was paused.
    Notice,
}

impl WireEnum for CardKind {}

/// Whether a card was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "")]
pub enum CardState {
    /// It is new.
    #[default]
    Unread,
    /// It was read.
    Read,
    /// It was put away.
    Archived,
}

impl WireEnum for CardState {}

/// The arguments of `inbox_list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxListArguments {
    /// Only these; all but archived when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<CardState>,
    /// Only cards of this thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<ChatId>,
    /// Only this card, and all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_id: Option<ResultId>,
    /// nextCursor of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum cards per page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_ITEMS_MAX), extend("default" = PAGE_ITEMS_DEFAULT))]
    pub limit: Option<usize>,
}

/// One card of `inbox_list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxCard {
    /// The card.
    #[schemars(description = "")]
    pub result_id: ResultId,
    /// Its thread: the chat of the heartbeat, or that of the family.
    #[schemars(description = "")]
    pub thread_id: ChatId,
    /// The skill whose run it is about.
    #[schemars(description = "")]
    pub skill_id: SkillId,
    /// The heartbeat that ran it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub heartbeat_id: Option<HeartbeatId>,
    /// The run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub run_id: Option<RunId>,
    /// What it says.
    #[schemars(description = "", with = "String")]
    pub kind: OpenEnum<CardKind>,
    /// Whether it was read.
    #[schemars(description = "", with = "String")]
    pub state: OpenEnum<CardState>,
    /// When it was posted.
    #[schemars(description = "")]
    pub posted_at: String,
    /// What a parent should know.
    #[serde(default)]
    #[schemars(description = "")]
    pub summary: String,
    /// What was posted; left out of a list if it is long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Map<String, Value>>,
}

/// The arguments of `inbox_update`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxUpdate {
    /// The resultIds of inbox_list.
    #[schemars(length(max = PAGE_ITEMS_MAX))]
    pub result_ids: Vec<ResultId>,
    /// Their new state.
    pub state: CardState,
}

/// The answer of `inbox_update`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InboxUpdated {
    /// How many cards had another state before.
    pub changed: usize,
}
