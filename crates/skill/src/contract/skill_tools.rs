//! The Sprout skill tools other than `skill_write` and `skill_update`.

#![expect(clippy::doc_markdown, reason = "agents read these descriptions as they are")]

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::id_kinds::{CanvasId, ChatId, HeartbeatId, ResultId, SkillId};
use super::schema::always_sent;
use super::skill::{Category, InputVariable, SkillWrite};
use super::wire_enum::OpenEnum;

/// The name of the tool that archives a skill. Other servers may not have it.
pub const SKILL_ARCHIVE: &str = "skill_archive";

/// The name of the tool that posts the result of a run.
pub const SKILL_POST_RESULT: &str = "skill_post_result";

/// The items of a page of a list when no limit is given.
pub const PAGE_ITEMS_DEFAULT: usize = 50;

/// The most items of a page of a list.
pub const PAGE_ITEMS_MAX: usize = 200;

/// The arguments of `skill_archive`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillArchive {
    /// The skill: its skillId in skill_list.
    pub skill_id: SkillId,
    /// True to archive it, false to unarchive it.
    pub archived: bool,
}

/// The answer of `skill_archive`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillArchived {
    /// The skill.
    pub skill_id: SkillId,
    /// Whether it is archived now.
    pub archived: bool,
}

/// The arguments of `skill_list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillListArguments {
    /// nextCursor of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Maximum skills per page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = PAGE_ITEMS_MAX), extend("default" = PAGE_ITEMS_DEFAULT))]
    pub limit: Option<usize>,
    /// Whether archived skills are listed, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub include_archived: Option<bool>,
    /// Only skills of that category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Only skills with all of these words in their name or description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// Where the next page begins; null after the last.
    pub next_cursor: Option<String>,
    /// How many damaged items are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damaged_items: Option<u64>,
}

/// One skill of `skill_list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillListItem {
    /// The skill.
    #[schemars(description = "")]
    pub skill_id: SkillId,
    /// Its label.
    #[schemars(description = "")]
    pub name: String,
    /// What it does.
    // Other servers do not send it.
    #[serde(default)]
    #[schemars(description = "")]
    pub description: String,
    /// Which agent it is for.
    #[schemars(description = "", with = "Category")]
    pub category: OpenEnum<Category>,
    /// Whether it can be run.
    #[serde(default)]
    #[schemars(extend("enum" = ["active", "archived"]))]
    pub status: String,
    /// Whether it is archived.
    #[schemars(description = "", with = "bool")]
    pub archived: Option<bool>,
    /// Who wrote it.
    #[serde(default)]
    #[schemars(description = "", extend("enum" = ["family"]))]
    pub author_tier: String,
    /// Whether a child may launch it.
    #[serde(default)]
    #[schemars(description = "")]
    pub kid_callable: bool,
    /// The canvases that it links.
    #[serde(default)]
    #[schemars(description = "")]
    pub canvas_ids: Vec<CanvasId>,
    /// When it was invoked last.
    pub last_triggered_at: Option<String>,
}

impl SkillListItem {
    /// Returns `true` if the server says that it is archived.
    pub fn is_archived(&self) -> bool {
        self.archived == Some(true)
    }
}

/// The arguments of `skill_get`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillGet {
    /// The skill: its skillId in skill_list.
    pub skill_id: SkillId,
}

/// A whole skill, as `skill_get` returns it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = always_sent("contentHash"))]
pub struct StoredSkill {
    /// The skill.
    #[schemars(description = "")]
    pub skill_id: SkillId,
    /// Its label.
    #[schemars(description = "")]
    pub name: String,
    /// What it does.
    #[schemars(description = "")]
    pub description: String,
    /// Which agent it is for.
    #[schemars(description = "")]
    pub category: Category,
    /// The procedure.
    #[schemars(description = "")]
    pub prompt: String,
    /// The tools that it uses.
    #[serde(default)]
    #[schemars(description = "")]
    pub hands_referenced: Vec<String>,
    /// The placeholders.
    #[serde(default)]
    #[schemars(description = "")]
    pub input_variables: Vec<InputVariable>,
    /// Whether a child may launch it.
    #[serde(default)]
    #[schemars(description = "")]
    pub kid_callable: bool,
    /// The ages that it is for.
    #[serde(default)]
    #[schemars(description = "")]
    pub age_range: Option<String>,
    /// The canvases that it links.
    #[serde(default)]
    #[schemars(description = "")]
    pub canvas_ids: Vec<CanvasId>,
    /// The schema of its results.
    #[serde(default, skip_serializing_if = "StoredModel::is_not_sent")]
    #[schemars(
        description = "",
        with = "Option<Map<String, Value>>",
        extend("nullable" = true)
    )]
    pub response_model: StoredModel,
    /// Whether it is archived.
    // Other servers may not say it, here or in the list.
    #[schemars(description = "", with = "bool")]
    pub archived: Option<bool>,
    /// When it was invoked last.
    #[serde(default)]
    pub last_triggered_at: Option<String>,
    /// The hash of the skill, for expectedHash of skill_update.
    // Other servers do not send it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
}

/// The response model of a skill, as its server sends it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StoredModel {
    /// It has this one.
    Model(Map<String, Value>),
    /// It has none; null on the wire.
    None,
    /// The server sends none: it may store none.
    #[default]
    #[serde(skip)]
    NotSent,
}

impl StoredModel {
    /// Returns the model.
    pub const fn model(&self) -> Option<&Map<String, Value>> {
        match self {
            Self::Model(model) => Some(model),
            Self::None | Self::NotSent => None,
        }
    }

    /// Returns `true` if the server sends none.
    pub const fn is_not_sent(&self) -> bool {
        matches!(self, Self::NotSent)
    }
}

impl From<Option<Map<String, Value>>> for StoredModel {
    fn from(model: Option<Map<String, Value>>) -> Self {
        model.map_or(Self::None, Self::Model)
    }
}

impl StoredSkill {
    /// Returns `true` if the server says that it is archived.
    pub fn is_archived(&self) -> bool {
        self.archived == Some(true)
    }
}

/// Returns the arguments that write the same content.
impl From<&StoredSkill> for SkillWrite {
    fn from(stored: &StoredSkill) -> Self {
        Self {
            name: stored.name.clone(),
            description: stored.description.clone(),
            category: Some(stored.category),
            prompt: stored.prompt.clone(),
            hands_referenced: stored.hands_referenced.clone(),
            input_variables: stored.input_variables.clone(),
            kid_callable: Some(stored.kid_callable),
            canvas_ids: stored.canvas_ids.clone(),
            age_range: stored.age_range.clone(),
            response_model: stored.response_model.model().cloned(),
        }
    }
}

/// A canvas, with what a chooser shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CanvasSummary {
    /// The canvas.
    #[schemars(description = "")]
    pub canvas_id: CanvasId,
    /// Its name.
    #[schemars(description = "")]
    pub name: String,
    /// Its emoji.
    #[schemars(description = "")]
    pub emoji: Option<String>,
}

/// The answer of `skill_get`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkillFound {
    /// The skill.
    pub skill: StoredSkill,
    /// The canvases that it links.
    pub canvases: Vec<CanvasSummary>,
}

/// The arguments of `skill_invoke`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillInvoke {
    /// The skill: its skillId in skill_list.
    pub skill_id: SkillId,
    /// A value for each of the skill's inputs, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Map<String, Value>>,
}

/// The answer of `skill_invoke`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillInvoked {
    /// The prompt to follow.
    pub rendered_prompt: String,
    /// The canvases that the skill links.
    pub canvases: Vec<CanvasSummary>,
    /// The values that no input asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_inputs: Vec<String>,
}

/// The arguments of `skill_post_result`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillPostResult {
    /// The skill whose result it is: its skillId in skill_list.
    pub skill_id: SkillId,
    /// The result: a summary for a parent, and the data.
    pub result: Map<String, Value>,
    /// The heartbeat that it was run for, if any: then it is in that chat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heartbeat_id: Option<HeartbeatId>,
}

/// The answer of `skill_post_result`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResultPosted {
    /// The result.
    pub result_id: ResultId,
    /// The thread of the inbox that holds it.
    pub thread_id: ChatId,
    /// When it was posted.
    pub posted_at: String,
}
