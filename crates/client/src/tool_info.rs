//! A tool of a server, and whether a call of it can be repeated.

use serde_json::{Map, Value};

use super::key::IdempotencyKey;
use super::retry_safety::{KeySupport, RetrySafety, is_contract_write};
use dibber_skill::contract::wire_name;

/// A tool, as a server lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolInfo {
    /// The name.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input_schema: Map<String, Value>,
    /// The JSON Schema of its result.
    pub output_schema: Option<Map<String, Value>>,
    /// Its `readOnlyHint`: it changes nothing.
    pub is_read_only: bool,
    /// Its `destructiveHint`: it may remove something.
    pub is_destructive: bool,
    /// Its `idempotentHint`: the same call again changes nothing more.
    pub is_idempotent: bool,
    /// Whether the server is known to honour idempotency keys.
    pub key_support: KeySupport,
}

impl ToolInfo {
    /// Returns the tool of this name, in either spelling.
    pub fn find<'a>(tools: &'a [Self], name: &str) -> Option<&'a Self> {
        let exact = tools.iter().find(|tool| tool.name == name);
        let name = wire_name(name);
        exact.or_else(|| tools.iter().find(|tool| wire_name(&tool.name) == name))
    }

    /// Converts a tool of a list. `declared` is the support of keys that the server declares.
    pub(super) fn from_listed(tool: rmcp::model::Tool, declared: KeySupport) -> Self {
        let annotations = tool.annotations.unwrap_or_default();
        let key_support = if is_contract_write(&tool.name, &tool.input_schema) {
            KeySupport::Honoured
        } else {
            declared
        };
        Self {
            name: tool.name.into_owned(),
            title: tool.title,
            description: tool.description.map(std::borrow::Cow::into_owned),
            input_schema: tool.input_schema.as_ref().clone(),
            output_schema: tool.output_schema.map(|schema| schema.as_ref().clone()),
            is_destructive: annotations.destructive_hint.unwrap_or_default(),
            is_read_only: annotations.read_only_hint.unwrap_or_default(),
            is_idempotent: annotations.idempotent_hint.unwrap_or_default(),
            key_support,
        }
    }

    /// Returns `true` if a call of this tool has side effects and the server is known to honour
    /// an idempotency key, so that a call with one can be repeated.
    pub const fn honours_keys(&self) -> bool {
        !self.is_read_only && matches!(self.key_support, KeySupport::Honoured)
    }

    /// Returns how a call of this tool can be repeated. With a key, the caller asserts that the
    /// server honours it; [`ToolInfo::honours_keys`] says what is known about that.
    pub const fn retry_safety<'a>(&self, key: Option<&'a IdempotencyKey>) -> RetrySafety<'a> {
        match key {
            Some(key) => RetrySafety::Keyed(key),
            None if self.is_read_only => RetrySafety::ReadOnly,
            None if self.is_idempotent => RetrySafety::Idempotent,
            None => RetrySafety::Once,
        }
    }
}
