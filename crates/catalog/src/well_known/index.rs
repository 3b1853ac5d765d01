//! The index as it is written: version 0.2.0.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;

/// What `$schema` of an index is, which says its version.
pub const INDEX_SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

/// An index of skills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexFile {
    /// The version of the format, which is that of this URL.
    #[serde(rename = "$schema")]
    pub schema: Cow<'static, str>,
    /// The skills, each name once.
    pub skills: Vec<IndexedSkill>,
}

/// A skill of an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IndexedSkill {
    /// The `name` of its `SKILL.md`.
    #[schemars(length(min = 1, max = 64))]
    pub name: String,
    /// What is at the URL.
    #[serde(rename = "type")]
    pub kind: IndexedType,
    /// The `description` of its `SKILL.md`.
    #[schemars(length(min = 1, max = 1024))]
    pub description: String,
    /// Where it is; a relative URL is resolved against that of the index.
    pub url: String,
    /// The SHA-256 digest of the bytes at the URL.
    pub digest: Digest,
}

/// What is at the URL of a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IndexedType {
    /// A `SKILL.md`, which is all of the skill.
    SkillMd,
    /// An archive with `SKILL.md` at its top.
    Archive,
}

impl IndexFile {
    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_else(|error| {
            unreachable!("strings are always JSON: {error}");
        });
        bytes.push(b'\n');
        bytes
    }
}
