//! Finding and reading skills.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::blobs::Encoding;
use crate::contract::wire_enum::WireEnum;

/// The items of a page when a call names no limit.
pub const LIST_ITEMS_DEFAULT: u32 = 50;

/// The most items of a page.
pub const LIST_ITEMS_MAX: u32 = 200;

/// How much of each skill is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListDetail {
    /// The name and the version.
    #[default]
    Names,
    /// Also the description, the namespace and the kind.
    Summary,
}

impl WireEnum for ListDetail {}

/// The parameters of `list_skills`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ListSkills {
    /// Only skills of this namespace: one or more whole segments of their names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// How much of each skill is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<ListDetail>,
    /// The most items; [`LIST_ITEMS_DEFAULT`] if it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Where to continue: `next_cursor` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// The result of `list_skills`: one item for each name, in the order of the bytes of the names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkillsPage {
    /// The skills.
    pub skills: Vec<SkillListItem>,
    /// Where the next page begins; null if this one is the last.
    #[serde(default)]
    pub next_cursor: Option<String>,
    /// What was ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A skill in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkillListItem {
    /// The name.
    pub name: String,
    /// The latest version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The first segment of the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// `action` or `instruction`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// How much of a skill is described.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DescribeDetail {
    /// The manifest.
    Manifest,
    /// Also the frontmatter and the beginning of `SKILL.md`.
    #[default]
    Summary,
    /// The manifest, the frontmatter and all of `SKILL.md`.
    Full,
}

impl WireEnum for DescribeDetail {}

/// The parameters of `describe_skill`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DescribeSkill {
    /// The name of the skill.
    pub name: String,
    /// The version; the latest one if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How much is described.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<DescribeDetail>,
}

/// The result of `describe_skill`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DescribedSkill {
    /// The skill.
    pub skill: SkillDescription,
    /// What was ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// What a server says about a skill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkillDescription {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
    /// `action` or `instruction`.
    pub kind: String,
    /// The first segment of the name.
    pub namespace: String,
    /// `skill.toml` as JSON.
    pub manifest: Map<String, Value>,
    /// The frontmatter of `SKILL.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frontmatter: Option<Map<String, Value>>,
    /// The text of `SKILL.md`, or its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
}

/// The parameters of `read_skill_file`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadSkillFile {
    /// The name of the skill.
    pub name: String,
    /// The version; the latest one if it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The path from the directory of the skill.
    pub path: String,
}

/// The result of `read_skill_file`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SkillFile {
    /// The name of the skill.
    pub name: String,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The path of the file.
    pub path: String,
    /// The content.
    pub content: String,
    /// How the content is written.
    #[serde(default)]
    pub encoding: Encoding,
    /// The size of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// What was ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// The result of `load_skills_protocol_guide`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Guide {
    /// The guide, in Markdown.
    pub content: String,
    /// What was ignored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
