//! What a skill says of itself in its frontmatter.

mod fields;
mod json;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use dibber_skill::skill::Skill;
use dibber_text::{Problem, Span};

pub use fields::{COMPATIBILITY_CHARACTERS_MAX, DESCRIPTION_CHARACTERS_MAX};

/// The fields of the specification (section "Frontmatter"), and what clients have added to them.
#[derive(Clone, Debug, PartialEq)]
pub struct SkillDescription {
    /// `name`.
    pub name: String,
    /// `description`: what the skill does and when to use it.
    pub description: String,
    /// `license`: a name, or the path of a file of the skill.
    pub license: Option<String>,
    /// `compatibility`: what the skill needs of its environment.
    pub compatibility: Option<String>,
    /// `metadata`, without the values that are not strings.
    pub metadata: BTreeMap<String, String>,
    /// `allowed-tools`, each tool with the pattern after it: `Bash(git:*)`.
    pub allowed_tools: Vec<String>,
    /// The fields of clients.
    pub flags: ClientFlags,
    /// All of the frontmatter, as the author wrote it.
    pub frontmatter: Map<String, Value>,
}

/// Fields that some clients have added to the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientFlags {
    /// A model may use the skill by itself: not `disable-model-invocation: true`.
    pub model_invocable: bool,
    /// A user may call the skill by its name: not `user-invocable: false`.
    pub user_invocable: bool,
    /// `argument-hint`: what a user may write after the name.
    pub argument_hint: Option<String>,
}

/// A description with what is wrong with it.
#[derive(Debug)]
pub struct Description {
    /// The description; none without a name or a description.
    pub description: Option<SkillDescription>,
    /// What differs from the specification, at its places in `SKILL.md`.
    pub problems: Vec<Problem<Span>>,
}

/// Returns what a skill says of itself.
///
/// A field that differs from the specification is a problem, and its value is kept: clients are lenient.
pub fn describe(skill: &Skill) -> Description {
    let mut fields = fields::Fields::new(skill);
    let (name, description) = (fields.name(), fields.description());
    let (license, compatibility) = (fields.string("license"), fields.compatibility());
    let (metadata, allowed_tools) = (fields.metadata(), fields.allowed_tools());
    let flags = ClientFlags {
        model_invocable: !fields.is("disable-model-invocation", true),
        user_invocable: !fields.is("user-invocable", false),
        argument_hint: fields.lenient_string("argument-hint"),
    };
    let frontmatter = json::frontmatter(skill);
    let description = name.zip(description).map(|(name, description)| SkillDescription {
        name,
        description,
        license,
        compatibility,
        metadata,
        allowed_tools,
        flags,
        frontmatter,
    });
    Description { description, problems: fields.problems }
}
