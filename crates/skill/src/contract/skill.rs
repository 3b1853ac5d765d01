//! The tool that writes a skill: its arguments, the preview of a dry run and the policy decision.

#![expect(clippy::doc_markdown, reason = "agents read these descriptions as they are")]

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::id_kinds::{CanvasId, SkillId};
use super::limits::{
    CANVAS_IDS_MAX, HANDS_MAX, INPUTS_MAX, PROMPT_CHARACTERS_MAX, SUMMARY_CHARACTERS_MAX,
};
use super::wire_enum::WireEnum;
use crate::spec_hash::SpecHash;

/// The name of the tool that writes a skill, in the spelling that `tools/list` has.
pub const SKILL_WRITE: &str = "skill_write";

/// The names of the arguments in [`SkillWrite`], in the order of the contract; the last one is only
/// of some servers.
pub const SKILL_WRITE_FIELDS: [&str; 10] = [
    "name",
    "description",
    "category",
    "prompt",
    "handsReferenced",
    "inputVariables",
    "kidCallable",
    "canvasIds",
    "ageRange",
    "responseModel",
];

/// The most canvases that a skill may link.
pub const CANVASES_MAX: usize = 5;

/// The type of an input that a schedule fills in with the day of each run.
pub const DATE_TYPE: &str = "date";

/// The content of a new skill: the arguments of `skill_write`, without `dryRun` and `specHash`.
///
/// What is not given is not sent: no default is filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillWrite {
    /// The label under which the family finds the skill.
    pub name: String,
    /// What it does, in a parent's words.
    #[schemars(length(max = SUMMARY_CHARACTERS_MAX))]
    pub description: String,
    /// Who runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = Category::default().name()))]
    pub category: Option<Category>,
    /// The procedure, with {{input.name}} placeholders.
    #[schemars(length(max = PROMPT_CHARACTERS_MAX))]
    pub prompt: String,
    /// The tools that it uses, as task_create.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = HANDS_MAX))]
    pub hands_referenced: Vec<String>,
    /// What fills the placeholders, as [{"name": "child_name"}].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = INPUTS_MAX))]
    pub input_variables: Vec<InputVariable>,
    /// Whether a child may launch it; needs ageRange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub kid_callable: Option<bool>,
    /// The canvases that it links: canvases[].canvasId of family_query_overview.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = CANVAS_IDS_MAX))]
    pub canvas_ids: Vec<CanvasId>,
    /// The youngest and the oldest age.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("examples" = ["5-7"]))]
    pub age_range: Option<String>,
    /// A JSON Schema of the data of its results.
    // Other servers may not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_model: Option<Map<String, Value>>,
}

/// The arguments of `skill_write`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillWriteArguments {
    /// The content.
    #[serde(flatten)]
    pub skill: SkillWrite,
    /// Return a preview and the specHash, and write nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = false))]
    pub dry_run: Option<bool>,
    /// The hash of the dry-run that the parent agreed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec_hash: Option<String>,
}

/// The answer of `skill_write`: the first two fields after a write, the others after a dry run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillWriteAnswer {
    /// The skill that was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill_id: Option<SkillId>,
    /// Its hash, for expectedHash of skill_update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
    /// The skill as it would be, with the fields of the arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub preview_skill: Option<SkillPreview>,
    /// What the safety checks say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_decision: Option<PolicyDecision>,
    /// The hash of these arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub spec_hash: Option<SpecHash>,
}

/// Which agent may run a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(description = "")]
pub enum Category {
    /// Sprout's own agent and the family's home agent.
    #[default]
    Generic,
    /// The family's home agent alone.
    HomeAgent,
}

impl WireEnum for Category {}

/// What a skill is for, by the tools that it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// It does something when it runs, and a heartbeat can run it.
    Run,
    /// It creates heartbeats (`heartbeat_create`), and no heartbeat can run it.
    Assignment,
}

impl WireEnum for Shape {}

/// One placeholder that is filled at each run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputVariable {
    /// The name, as in {{input.name}}.
    pub name: String,
    /// The JSON Schema type, such as string.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What is to be filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = SUMMARY_CHARACTERS_MAX))]
    pub description: Option<String>,
}

impl InputVariable {
    /// Returns `true` for a date, which a schedule fills in with the day of each run.
    pub fn is_date(&self) -> bool {
        self.kind.as_deref() == Some(DATE_TYPE)
    }
}

/// A skill as it would be once it is written, with the defaults filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillPreview {
    /// The label.
    #[schemars(description = "")]
    pub name: String,
    /// What it does.
    #[schemars(description = "")]
    pub description: String,
    /// Which agent it is for.
    #[schemars(description = "")]
    pub category: Category,
    /// Who can run it.
    #[schemars(description = "")]
    pub runnable_by: Vec<Runner>,
    /// Whether it runs or schedules.
    pub shape: Shape,
    /// The procedure.
    #[schemars(description = "")]
    pub prompt: String,
    /// The bytes of the procedure.
    pub prompt_bytes: usize,
    /// The tools that it uses.
    #[schemars(description = "")]
    pub hands_referenced: Vec<String>,
    /// The placeholders.
    #[schemars(description = "")]
    pub input_variables: Vec<InputVariable>,
    /// Whether a child may launch it.
    #[schemars(description = "")]
    pub kid_callable: bool,
    /// The ages that it is for.
    #[schemars(description = "")]
    pub age_range: Option<String>,
    /// The canvases that it links.
    #[schemars(description = "")]
    pub canvas_ids: Vec<CanvasId>,
    /// The schema of its results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(description = "")]
    pub response_model: Option<Map<String, Value>>,
}

/// Who can run a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Runner {
    /// Sprout's own agent.
    SproutAgent,
    /// The family's home agent.
    HomeAgent,
    /// A child.
    Child,
}

impl WireEnum for Runner {}

/// The result of the safety checks of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyDecision {
    /// Whether it may be written.
    pub decision: Decision,
    /// The reasons for it.
    pub reasons: Vec<PolicyReason>,
}

/// Whether a skill may be written.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It may be written.
    Allow,
    /// It may be written, and a person should look at the reasons first.
    Review,
    /// It may not be written.
    Refuse,
}

impl WireEnum for Decision {}

/// A reason for the decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyReason {
    /// What is wrong, as a code.
    pub reason: Cow<'static, str>,
    /// What it alone would lead to.
    #[serde(default = "unstated_decision")]
    pub decision: Decision,
    /// The argument, as a JSON Pointer.
    #[serde(default)]
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// How to correct it.
    #[serde(default)]
    pub fix: String,
}

/// Returns the decision of a reason of another server that states none.
const fn unstated_decision() -> Decision {
    Decision::Review
}
