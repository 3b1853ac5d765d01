//! A tool of a server, and whether a call of it can be repeated.

use serde_json::{Map, Value};

use super::key::IdempotencyKey;
use super::retry_safety::{DeclaredKeys, KeySupport, RetrySafety};
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
    /// Its `destructiveHint`: it may change or remove what exists. It means nothing for a tool that
    /// is read-only.
    pub is_destructive: bool,
    /// Its `idempotentHint`: the same call again changes nothing more.
    pub is_idempotent: bool,
    /// Whether the server declares that it honours idempotency keys in calls of this tool.
    pub key_support: KeySupport,
}

impl ToolInfo {
    /// Returns the tool of this name, in either spelling.
    pub fn find<'a>(tools: &'a [Self], name: &str) -> Option<&'a Self> {
        let exact = tools.iter().find(|tool| tool.name == name);
        let name = wire_name(name);
        exact.or_else(|| tools.iter().find(|tool| wire_name(&tool.name) == name))
    }

    /// Parses a tool of a list; none if it has no name. Everything else may be missing, or be
    /// malformed, which does not hide the tool. `declared` is what the server declares about
    /// keys.
    pub(super) fn parse(tool: &Value, declared: &DeclaredKeys) -> Option<Self> {
        let string = |name: &str| tool.get(name).and_then(Value::as_str).map(str::to_owned);
        let object = |name: &str| tool.get(name).and_then(Value::as_object).cloned();
        let annotations = tool.get("annotations");
        let hint = |name: &str| annotations.and_then(|hints| hints.get(name)?.as_bool());
        let is_read_only = hint("readOnlyHint").unwrap_or(false);
        let name = string("name")?;
        let title = annotations.and_then(|hints| hints.get("title")?.as_str());
        Some(Self {
            title: string("title").or_else(|| title.map(str::to_owned)),
            description: string("description"),
            output_schema: object("outputSchema"),
            // The defaults are those of the protocol.
            is_read_only,
            is_destructive: hint("destructiveHint").unwrap_or(true),
            is_idempotent: hint("idempotentHint").unwrap_or(is_read_only),
            key_support: declared.support(&name),
            name,
            input_schema: object("inputSchema").unwrap_or_default(),
        })
    }

    /// Returns `true` if the schema of its arguments has one of this name.
    pub fn has_argument(&self, name: &str) -> bool {
        let properties = self.input_schema.get("properties").and_then(Value::as_object);
        properties.is_some_and(|properties| properties.contains_key(name))
    }

    /// Returns `true` if the schema of its arguments has others, and none of this name: a call with
    /// it may be carried out as one without it.
    pub fn lacks_argument(&self, name: &str) -> bool {
        self.input_schema.contains_key("properties") && !self.has_argument(name)
    }

    /// Returns `true` if a call of this tool has side effects and the server declares that the tool
    /// honours an idempotency key, so that a call with one can be repeated.
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
