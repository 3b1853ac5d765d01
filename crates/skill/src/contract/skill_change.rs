//! `skill_update`: its arguments and its answer.

#![expect(clippy::doc_markdown, reason = "agents read these descriptions as they are")]

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::id_kinds::{CanvasId, SkillId};
use super::limits::{CANVAS_IDS_MAX, PROMPT_CHARACTERS_MAX, SUMMARY_CHARACTERS_MAX};
use super::skill::{PolicyDecision, SkillPreview, SkillWrite};
use super::wire_enum::WireEnum;

/// The name of the tool that changes a skill, in the spelling that `tools/list` has.
pub const SKILL_UPDATE: &str = "skill_update";

/// The reason of an error: the skill no longer has the content of `expectedHash`.
pub const SKILL_CHANGED: &str = "SKILL_CHANGED";

/// The arguments of `skill_update` without `prompt`. A field that is not given does not change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillUpdate {
    /// The skill: its skillId in skill_list.
    pub skill_id: SkillId,
    /// Another label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Another description, in a parent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = SUMMARY_CHARACTERS_MAX))]
    pub description: Option<String>,
    /// Another prompt, with the placeholders of its inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = PROMPT_CHARACTERS_MAX))]
    pub instructions: Option<String>,
    /// Whether a child may launch it; needs ages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kid_callable: Option<bool>,
    /// The youngest and the oldest age. Null removes them.
    #[serde(
        default,
        deserialize_with = "present_age_range",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<String>", extend("nullable" = true, "examples" = ["5-7"]))]
    pub age_range: Option<AgeRangeChange>,
    /// Canvases to link: canvases[].canvasId of family_query_overview.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = CANVAS_IDS_MAX))]
    pub add_canvas_ids: Vec<CanvasId>,
    /// Canvases to unlink: canvases[].canvasId of skill_get.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = CANVAS_IDS_MAX))]
    pub remove_canvas_ids: Vec<CanvasId>,
    /// Another schema of the data of its results. Null removes it.
    #[serde(
        default,
        deserialize_with = "present_response_model",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(with = "Option<Map<String, Value>>", extend("nullable" = true))]
    pub response_model: Option<ResponseModelChange>,
    /// The contentHash of skill_get; nothing is changed if the skill has another one by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_hash: Option<String>,
}

impl SkillUpdate {
    /// Returns a skill after the update. A canvas that it links already is not linked again.
    pub fn apply_to(&self, mut skill: SkillWrite) -> SkillWrite {
        let strings = [
            (&mut skill.name, &self.name),
            (&mut skill.description, &self.description),
            (&mut skill.prompt, &self.instructions),
        ];
        for (old, new) in strings {
            if let Some(new) = new {
                old.clone_from(new);
            }
        }
        skill.kid_callable = self.kid_callable.or(skill.kid_callable);
        if let Some(change) = &self.age_range {
            skill.age_range = change.ages().map(str::to_owned);
        }
        if let Some(change) = &self.response_model {
            skill.response_model = change.model().cloned();
        }
        let has = |ids: &[CanvasId], id: &CanvasId| ids.iter().any(|other| other.is_same(id));
        skill.canvas_ids.retain(|id| !has(&self.remove_canvas_ids, id));
        for id in &self.add_canvas_ids {
            if !has(&skill.canvas_ids, id) {
                skill.canvas_ids.push(id.clone());
            }
        }
        skill
    }
}

/// A change of the ages that a skill is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AgeRangeChange {
    /// To these.
    Set(String),
    /// To none; null on the wire.
    Remove,
}

impl AgeRangeChange {
    /// Returns the change that leads to these ages.
    pub fn to(ages: Option<&str>) -> Self {
        ages.map_or(Self::Remove, |ages| Self::Set(ages.to_owned()))
    }

    /// Returns the ages after the change.
    pub fn ages(&self) -> Option<&str> {
        match self {
            Self::Set(ages) => Some(ages),
            Self::Remove => None,
        }
    }
}

/// A change of the schema of a skill's results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ResponseModelChange {
    /// To this one.
    Set(Map<String, Value>),
    /// To none; null on the wire.
    Remove,
}

impl ResponseModelChange {
    /// Returns the change that leads to this schema.
    pub fn to(model: Option<&Map<String, Value>>) -> Self {
        model.map_or(Self::Remove, |model| Self::Set(model.clone()))
    }

    /// Returns the schema after the change.
    pub const fn model(&self) -> Option<&Map<String, Value>> {
        match self {
            Self::Set(model) => Some(model),
            Self::Remove => None,
        }
    }
}

/// Does the same as [`present_age_range`].
fn present_response_model<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<ResponseModelChange>, D::Error> {
    ResponseModelChange::deserialize(deserializer).map(Some)
}

/// Reads null as a change: what is left out is none.
fn present_age_range<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<AgeRangeChange>, D::Error> {
    AgeRangeChange::deserialize(deserializer).map(Some)
}

/// The arguments of `skill_update`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillUpdateArguments {
    /// The change.
    #[serde(flatten)]
    pub update: SkillUpdate,
    /// The same as instructions; give one of the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = PROMPT_CHARACTERS_MAX))]
    pub prompt: Option<String>,
    /// As in skill_write: changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub dry_run: Option<bool>,
    /// The hash of the dry-run, as in skill_write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec_hash: Option<String>,
}

/// A part of a skill that `skill_update` can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum SkillField {
    /// The label.
    Name,
    /// The summary.
    Description,
    /// The prompt.
    Instructions,
    /// Whether a child may launch it.
    KidCallable,
    /// The ages.
    AgeRange,
    /// The canvases.
    CanvasIds,
    /// The schema of its results.
    ResponseModel,
}

impl WireEnum for SkillField {}

/// The answer of `skill_update`; the last two fields are those of a dry run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillUpdated {
    /// The skill.
    pub skill_id: SkillId,
    /// The changed fields.
    #[schemars(with = "Vec<SkillField>")]
    pub changed_fields: Vec<String>,
    /// The hash of the skill as it is now.
    // Other servers do not send it, and older recorded answers lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// What the safety checks say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub policy_decision: Option<PolicyDecision>,
    /// The skill as it would be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub preview_skill: Option<SkillPreview>,
    /// The hash of this change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec_hash: Option<String>,
}
