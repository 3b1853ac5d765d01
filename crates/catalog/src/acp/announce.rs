//! From descriptions of skills to what an agent says of them.

use dibber_skill::skill::name;
use serde_json::{Map, Value};

use super::types::{
    AvailableCommand, AvailableCommandsUpdate, AvailableSkill, AvailableSkillsUpdate, CommandInput,
    METADATA_KEY, SessionUpdate,
};
use super::version::Version;
use crate::catalog::Catalog;
use crate::description::SkillDescription;

/// The key of `_meta` that says that a command is a skill.
pub const SKILL_KEY: &str = "agentskills.io/skill";

/// The keys of `_meta` that the protocol itself uses.
const RESERVED_KEYS: [&str; 3] = ["traceparent", "tracestate", "baggage"];

/// What the keys begin with that belong to another protocol.
const RESERVED_PREFIX: &str = "io.modelcontextprotocol/";

/// The key of `_meta` of a skill that a model does not use by itself.
const MODEL_KEY: &str = "agentskills.io/disableModelInvocation";

/// The key of `_meta` of a skill that a user does not call by its name.
const USER_KEY: &str = "agentskills.io/userInvocable";

/// The form in which skills are announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `available_commands_update` of a version, which every client knows.
    Commands(Version),
    /// `available_skills_update`, which is not part of a version yet.
    Skills,
    /// `_dibber/available_skills_update`, as version 2 names what it does not define.
    CustomSkills,
}

/// Returns the update that announces the skills of folders, sorted by name. Those in the directory of
/// another skill are part of that one, of several skills with one name the first is listed, and one
/// without a valid name is not. Nor is a skill a command that users do not call.
pub fn update_of(catalog: &Catalog, form: Form) -> SessionUpdate {
    let is_command = matches!(form, Form::Commands(_));
    let listed = listed(catalog).filter(|skill| !is_command || skill.flags.user_invocable);
    update(listed, form)
}

/// Returns the descriptions of the skills that are announced.
fn listed(catalog: &Catalog) -> impl Iterator<Item = &SkillDescription> {
    let mut previous = None;
    let outer = catalog.skills.iter().filter(|skill| !skill.is_nested);
    outer.map(|skill| &skill.description).filter(move |description| {
        let is_new = previous.replace(&description.name) != Some(&description.name);
        is_new && is_announced(description)
    })
}

/// Returns `true` if a skill has a name that clients accept.
pub fn is_announced(skill: &SkillDescription) -> bool {
    let name = &skill.name;
    name::is_valid(name) && name.is_ascii() && name.len() <= name::CHARACTERS_MAX
}

/// Returns the update that announces these skills.
pub fn update<'a>(
    skills: impl IntoIterator<Item = &'a SkillDescription>,
    form: Form,
) -> SessionUpdate {
    let skills = skills.into_iter();
    match form {
        Form::Commands(version) => {
            let commands = skills.map(|skill| command(&skill.name, skill, version)).collect();
            SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate {
                available_commands: commands,
                meta: Map::new(),
            })
        }
        Form::Skills => SessionUpdate::AvailableSkillsUpdate(skills_update(skills)),
        Form::CustomSkills => SessionUpdate::CustomAvailableSkillsUpdate(skills_update(skills)),
    }
}

fn skills_update<'a>(skills: impl Iterator<Item = &'a SkillDescription>) -> AvailableSkillsUpdate {
    AvailableSkillsUpdate {
        available_skills: skills.map(AvailableSkill::from).collect(),
        meta: Map::new(),
    }
}

/// Returns a skill as a command of that name.
pub(super) fn command(name: &str, skill: &SkillDescription, version: Version) -> AvailableCommand {
    let typed = |kind: &str| (version == Version::V2).then(|| kind.to_owned());
    let mut meta = meta(skill);
    meta.insert(SKILL_KEY.to_owned(), Value::Bool(true));
    AvailableCommand {
        kind: typed("command"),
        name: name.to_owned(),
        description: skill.description.clone(),
        input: skill
            .flags
            .argument_hint
            .clone()
            .map(|hint| CommandInput { kind: typed("text"), hint }),
        meta,
    }
}

impl From<&SkillDescription> for AvailableSkill {
    fn from(skill: &SkillDescription) -> Self {
        Self {
            name: skill.name.clone(),
            description: skill.description.clone(),
            license: skill.license.clone(),
            compatibility: skill.compatibility.clone(),
            allowed_tools: skill.allowed_tools.clone(),
            meta: meta(skill),
        }
    }
}

fn meta(skill: &SkillDescription) -> Map<String, Value> {
    let mut meta = Map::new();
    let is_own =
        |key: &&String| !RESERVED_KEYS.contains(&key.as_str()) && !key.starts_with(RESERVED_PREFIX);
    let metadata: Map<String, Value> = skill
        .metadata
        .iter()
        .filter(|(key, _)| is_own(key))
        .map(|(key, value)| (key.clone(), Value::String(value.clone())))
        .collect();
    if !metadata.is_empty() {
        meta.insert(METADATA_KEY.to_owned(), Value::Object(metadata));
    }
    if !skill.flags.model_invocable {
        meta.insert(MODEL_KEY.to_owned(), Value::Bool(true));
    }
    if !skill.flags.user_invocable {
        meta.insert(USER_KEY.to_owned(), Value::Bool(false));
    }
    meta
}
