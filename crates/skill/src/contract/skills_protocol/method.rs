//! The names of the methods.

use serde::{Deserialize, Serialize};

use crate::contract::wire_enum::WireEnum;

/// One of the eight methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProtocolMethod {
    /// Lists skills.
    ListSkills,
    /// Describes a skill.
    DescribeSkill,
    /// Reads a file of a skill.
    ReadSkillFile,
    /// Runs a skill.
    ExecuteSkill,
    /// Runs code.
    RunCode,
    /// Stores a blob.
    CreateBlob,
    /// Reads a blob.
    ReadBlob,
    /// Reads the guide for models.
    LoadSkillsProtocolGuide,
}

impl WireEnum for ProtocolMethod {}

impl ProtocolMethod {
    /// Returns `true` if a call that is sent twice has the effect of one.
    pub const fn is_repeatable(self) -> bool {
        !matches!(self, Self::ExecuteSkill | Self::RunCode | Self::CreateBlob)
    }
}
