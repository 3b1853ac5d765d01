//! What an agent says of its skills and commands.
//!
//! Version 1 of the protocol has no skills: `available_skills_update` is proposed (Agent Skills List), and
//! version 2 has commands with a type. All of it is experimental.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The key of `_meta` with the `metadata` of a skill.
pub const METADATA_KEY: &str = "agentskills.io/metadata";

/// The key of `_meta` of the capabilities of a client that knows `available_skills_update`, and of those of
/// an agent that sends it.
pub const SKILLS_CAPABILITY: &str = "agentskills.io/availableSkillsUpdate";

/// `session/update`.
pub const SESSION_UPDATE: &str = "session/update";

/// A notification that something of a session has changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UpdateNotification {
    /// The version of JSON-RPC.
    #[schemars(extend("const" = "2.0"))]
    pub jsonrpc: String,
    /// `session/update`.
    #[schemars(extend("const" = "session/update"))]
    pub method: String,
    /// The session and the update.
    pub params: UpdateParams,
}

/// The parameters of `session/update`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateParams {
    /// The session.
    pub session_id: String,
    /// What has changed.
    pub update: SessionUpdate,
}

/// What has changed in a session. Each update replaces the list that was sent before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "sessionUpdate", rename_all = "snake_case")]
pub enum SessionUpdate {
    /// The commands of the agent.
    AvailableCommandsUpdate(AvailableCommandsUpdate),
    /// The skills of the agent, as proposed for version 1.
    AvailableSkillsUpdate(AvailableSkillsUpdate),
    /// The skills of the agent, where version 2 allows names of one's own.
    #[serde(rename = "_dibber/available_skills_update")]
    CustomAvailableSkillsUpdate(AvailableSkillsUpdate),
}

/// The skills of an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvailableSkillsUpdate {
    /// All skills, sorted by name.
    pub available_skills: Vec<AvailableSkill>,
    /// What the protocol does not define.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// A skill as an agent announces it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvailableSkill {
    /// Lowercase letters, digits, and single hyphens between them.
    #[schemars(length(min = 1, max = 64), regex(pattern = r"^[a-z0-9]+(-[a-z0-9]+)*$"))]
    pub name: String,
    /// What the skill does and when to use it.
    #[schemars(length(min = 1, max = 1024))]
    pub description: String,
    /// The name of a licence, or the path of a file of the skill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// What the skill needs of its environment.
    #[schemars(length(max = 500))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<String>,
    /// The tools that the skill wants to use, as it names them. It is a wish, not a permission.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_tools: Vec<String>,
    /// `agentskills.io/metadata` of the skill, and the fields of clients.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// The commands of an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvailableCommandsUpdate {
    /// All commands.
    pub available_commands: Vec<AvailableCommand>,
    /// What the protocol does not define.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// A command, which a prompt begins with: `/name`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AvailableCommand {
    /// `command` in version 2; version 1 has no types.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The name without `/`.
    pub name: String,
    /// What the command does.
    pub description: String,
    /// What may follow the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<CommandInput>,
    /// What the protocol does not define.
    #[serde(rename = "_meta", default, skip_serializing_if = "Map::is_empty")]
    pub meta: Map<String, Value>,
}

/// What follows the name of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CommandInput {
    /// `text` in version 2; version 1 has no types.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What to show before something is typed.
    pub hint: String,
}

impl UpdateNotification {
    /// Creates the notification of an update.
    pub fn new(session_id: impl Into<String>, update: SessionUpdate) -> Self {
        let params = UpdateParams { session_id: session_id.into(), update };
        Self { jsonrpc: "2.0".to_owned(), method: SESSION_UPDATE.to_owned(), params }
    }

    /// Returns the notification as one line, without its end.
    pub fn to_line(&self) -> String {
        let line = serde_json::to_string(self);
        line.unwrap_or_else(|error| unreachable!("strings and lists are JSON: {error}"))
    }
}

/// Returns the JSON Schema of [`UpdateNotification`], and with it of all types here.
pub fn schema() -> Value {
    schemars::schema_for!(UpdateNotification).to_value()
}
