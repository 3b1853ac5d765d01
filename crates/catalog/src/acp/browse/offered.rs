//! A skill or a command that an agent offers.

use serde_json::{Map, Value};

use dibber_skill::spec_hash::canonical_json;

use crate::acp::types::{AvailableCommand, AvailableSkill};
use crate::digest::Digest;

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferedKind {
    /// A skill.
    Skill,
    /// A command, which may be a skill to the agent.
    Command,
}

/// A skill or a command that an agent offers.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedSkill {
    /// What it is.
    pub kind: OfferedKind,
    /// What the agent says of it.
    pub skill: AvailableSkill,
    /// The digest of all that the agent says of it: an approval is lost when it changes.
    pub digest: Digest,
}

impl OfferedSkill {
    /// Returns a skill of an agent.
    pub fn of_skill(skill: AvailableSkill) -> Self {
        Self::new(OfferedKind::Skill, skill)
    }

    /// Returns a command of an agent.
    pub fn of_command(command: AvailableCommand) -> Self {
        let skill = AvailableSkill {
            name: command.name,
            description: command.description,
            license: None,
            compatibility: None,
            allowed_tools: Vec::new(),
            meta: command.meta,
        };
        Self::new(OfferedKind::Command, skill)
    }

    fn new(kind: OfferedKind, skill: AvailableSkill) -> Self {
        let object = match serde_json::to_value(&skill) {
            Ok(Value::Object(object)) => object,
            _ => Map::new(),
        };
        let digest = Digest::of(canonical_json(&object));
        Self { kind, skill, digest }
    }
}
