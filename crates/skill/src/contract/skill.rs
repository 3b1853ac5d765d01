//! The Sprout skill tools.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// The name of the tool that writes a skill, in the spelling that `tools/list` has.
pub const SKILL_WRITE: &str = "skill_write";

/// The most canvases that a skill may link.
pub const CANVASES_MAX: usize = 5;

/// The arguments of `skill_write`, without `dryRun` and `specHash`.
///
/// What is not given is not sent: no default is filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillWrite {
    /// The label under which a family finds the skill.
    pub name: String,
    /// What it does, in a parent's words.
    pub description: String,
    /// Which agent it is for; `generic` when it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// The procedure that the agent reads, with `{{input.*}}` placeholders.
    pub prompt: String,
    /// The tools that it uses, as `task_create`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hands_referenced: Vec<String>,
    /// The placeholders that are filled at each run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub input_variables: Vec<InputVariable>,
    /// Whether a child may launch it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kid_callable: Option<bool>,
    /// The canvases that it links: UUIDs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub canvas_ids: Vec<String>,
    /// The ages that it is for, in years: `5-7`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age_range: Option<String>,
}

/// Which agent may run a skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Sprout's own agent and the family's home agent.
    #[default]
    Generic,
    /// The family's home agent alone.
    HomeAgent,
}

impl Category {
    /// Every category.
    pub const ALL: [Self; 2] = [Self::Generic, Self::HomeAgent];

    /// The word for it on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::HomeAgent => "home_agent",
        }
    }

    /// The category of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// What a skill is for, by the tools that it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// It does something when it runs, and a heartbeat can run it.
    Run,
    /// It makes heartbeats (`heartbeat_create`), and no heartbeat can run it.
    Assignment,
}

/// One placeholder that is filled at each run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputVariable {
    /// The name, as in `{{input.name}}`.
    pub name: String,
    /// The type, in the words of JSON Schema.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What is to be filled in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A skill as it would be once it is written, with the defaults filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillPreview {
    /// The label.
    pub name: String,
    /// What it does.
    pub description: String,
    /// Which agent it is for.
    pub category: Category,
    /// Who can run it: `sprout_agent`, `home_agent`, `child`.
    pub runnable_by: Vec<&'static str>,
    /// Whether a heartbeat can run it, or whether it makes heartbeats.
    pub shape: Shape,
    /// The procedure.
    pub prompt: String,
    /// The bytes of the procedure.
    pub prompt_bytes: usize,
    /// The tools that it uses.
    pub hands_referenced: Vec<String>,
    /// The placeholders.
    pub input_variables: Vec<InputVariable>,
    /// Whether a child may launch it.
    pub kid_callable: bool,
    /// The ages that it is for.
    pub age_range: Option<String>,
    /// The canvases that it links.
    pub canvas_ids: Vec<String>,
}

/// What the safety checks say of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyDecision {
    /// Whether it may be written.
    pub decision: Decision,
    /// Everything that speaks against it; empty for `allow`.
    pub reasons: Vec<PolicyReason>,
}

/// Whether a skill may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It may.
    Allow,
    /// It may, and a person should look at the reasons first.
    Review,
    /// It may not.
    Refuse,
}

impl Decision {
    /// The word for it on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Review => "review",
            Self::Refuse => "refuse",
        }
    }
}

/// One thing that speaks against writing a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyReason {
    /// The reason's code: `PII_IN_PROMPT`.
    pub reason: Cow<'static, str>,
    /// What it alone would lead to.
    pub decision: Decision,
    /// The argument that it is about, as a JSON Pointer (RFC 6901): `/inputVariables/2/name`.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// The way out.
    pub fix: String,
}
