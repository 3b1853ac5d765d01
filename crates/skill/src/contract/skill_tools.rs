//! The Sprout skill tools other than `skill_write`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::skill::{Category, InputVariable};

/// The name of the tool that changes a skill, in the spelling that `tools/list` has.
pub const SKILL_UPDATE: &str = "skill_update";

/// The name of the tool that posts the result of a run.
pub const SKILL_POST_RESULT: &str = "skill_post_result";

/// The items of a page of a list when no limit is given.
pub const PAGE_ITEMS_DEFAULT: usize = 50;

/// The most items of a page of a list.
pub const PAGE_ITEMS_MAX: usize = 200;

/// The reason of an error: the skill is not the one of `expectedHash` any more.
pub const SKILL_CHANGED: &str = "SKILL_CHANGED";

/// The arguments of `skill_update`: what is not given stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillUpdate {
    /// The skill.
    pub skill_id: String,
    /// Another label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Another summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Another prompt; `prompt` is taken for the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// Whether a child may launch it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kid_callable: Option<bool>,
    /// Other ages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age_range: Option<String>,
    /// Canvases to link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub add_canvas_ids: Vec<String>,
    /// Canvases to unlink, before others are linked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove_canvas_ids: Vec<String>,
    /// The [`StoredSkill::content_hash`] of the skill as it was read; nothing is changed when it
    /// has another one by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_hash: Option<String>,
}

/// What `skill_update` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillUpdated {
    /// The skill.
    pub skill_id: String,
    /// The fields that are not what they were.
    pub changed_fields: Vec<String>,
    /// The [`StoredSkill::content_hash`] after the update. Other servers do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
}

/// The arguments of `skill_list` and `heartbeat_list`; the latter has only the first two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListArguments {
    /// Where the page before ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// The most items; [`PAGE_ITEMS_DEFAULT`] when it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Whether archived skills are listed, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub include_archived: Option<bool>,
    /// Only skills of that category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// Where the next page begins; none after the last one.
    pub next_cursor: Option<String>,
}

/// One skill of `skill_list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillListItem {
    /// The skill.
    pub skill_id: String,
    /// Its label.
    pub name: String,
    /// Which agent it is for.
    pub category: Category,
    /// `active` or `archived`.
    #[serde(default)]
    pub status: String,
    /// Whether it is archived.
    pub archived: bool,
    /// Who wrote it: `family`.
    #[serde(default)]
    pub author_tier: String,
    /// Whether a child may launch it.
    #[serde(default)]
    pub kid_callable: bool,
    /// The canvases that it links.
    #[serde(default)]
    pub canvas_ids: Vec<String>,
    /// When it was invoked last, with an offset (RFC 3339).
    pub last_triggered_at: Option<String>,
}

/// A whole skill, as `skill_get` returns it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredSkill {
    /// The skill.
    pub skill_id: String,
    /// Its label.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Which agent it is for.
    pub category: Category,
    /// The procedure.
    pub prompt: String,
    /// The tools that it uses.
    #[serde(default)]
    pub hands_referenced: Vec<String>,
    /// The placeholders.
    #[serde(default)]
    pub input_variables: Vec<InputVariable>,
    /// Whether a child may launch it.
    #[serde(default)]
    pub kid_callable: bool,
    /// The ages that it is for.
    #[serde(default)]
    pub age_range: Option<String>,
    /// The canvases that it links.
    #[serde(default)]
    pub canvas_ids: Vec<String>,
    /// Whether it is archived.
    #[serde(default)]
    pub archived: bool,
    /// When it was invoked last, with an offset (RFC 3339).
    #[serde(default)]
    pub last_triggered_at: Option<String>,
    /// The hash of what the skill says, for `expectedHash` of `skill_update`. Other servers do not
    /// have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
}

/// A canvas, as far as a chooser shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CanvasSummary {
    /// The canvas.
    pub canvas_id: String,
    /// Its name.
    pub name: String,
    /// Its sign.
    pub emoji: Option<String>,
}

/// What `skill_get` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkillFound {
    /// The skill.
    pub skill: StoredSkill,
    /// Its canvases, as they are now.
    pub canvases: Vec<CanvasSummary>,
}

/// The arguments of `skill_invoke`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillInvoke {
    /// The skill.
    pub skill_id: String,
    /// The values of its inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Map<String, Value>>,
}

/// What `skill_invoke` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillInvoked {
    /// The prompt, filled in.
    pub rendered_prompt: String,
    /// The skill's canvases, as they are now.
    pub canvases: Vec<CanvasSummary>,
    /// The values that no input asks for, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_inputs: Vec<String>,
}

/// The arguments of `skill_post_result`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillPostResult {
    /// The skill whose result it is.
    pub skill_id: String,
    /// The result.
    pub result: Map<String, Value>,
}

/// What `skill_post_result` returns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResultPosted {
    /// The result.
    pub result_id: String,
    /// The thread of the family's inbox that it stands in.
    pub thread_id: String,
    /// When, with an offset (RFC 3339).
    pub posted_at: String,
}
