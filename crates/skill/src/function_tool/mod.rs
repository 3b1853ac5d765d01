//! Definitions of tools for function calling, in the forms that vendors of models read.

mod strict;

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A tool: what a model is told of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct FunctionTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments, an object.
    pub parameters: Map<String, Value>,
}

/// The form of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolFormat {
    /// `name`, `description` and `parameters`, as they are.
    Json,
    /// A function of OpenAI.
    OpenAi,
    /// A function of OpenAI whose arguments always match its schema.
    OpenAiStrict,
    /// A tool of Anthropic.
    Anthropic,
}

/// A definition in a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    /// The definition.
    pub json: Value,
    /// Why it is not a strict one, although it was to be.
    pub not_strict: Option<String>,
}

/// The longest name of a tool that vendors accept.
pub const TOOL_NAME_BYTES_MAX: usize = 64;

/// The keywords that vendors refuse at the top of the arguments.
const REFUSED_AT_TOP: [&str; 5] = ["anyOf", "oneOf", "allOf", "not", "enum"];

impl FunctionTool {
    /// Returns the definition in a form.
    ///
    /// # Errors
    /// Why no vendor accepts the tool.
    pub fn definition(&self, format: ToolFormat) -> Result<ToolDefinition, String> {
        if format != ToolFormat::Json {
            self.check()?;
        }
        let Self { name, description, .. } = self;
        let mut parameters = self.parameters.clone();
        parameters.entry("properties").or_insert_with(|| json!({}));
        let mut not_strict = None;
        let json = match format {
            ToolFormat::Json => {
                json!({ "name": name, "description": description, "parameters": self.parameters })
            }
            ToolFormat::Anthropic => {
                json!({ "name": name, "description": description, "input_schema": parameters })
            }
            ToolFormat::OpenAi => {
                add_items(&mut parameters);
                function(&json!({
                    "name": name, "description": description, "parameters": parameters,
                }))
            }
            ToolFormat::OpenAiStrict => {
                add_items(&mut parameters);
                let is_strict = match strict::strict(&parameters) {
                    Ok(strict) => {
                        parameters = strict;
                        true
                    }
                    Err(reason) => {
                        not_strict = Some(reason);
                        false
                    }
                };
                function(&json!({
                    "name": name, "description": description, "strict": is_strict,
                    "parameters": parameters,
                }))
            }
        };
        Ok(ToolDefinition { json, not_strict })
    }

    /// Checks the rules that OpenAI and Anthropic have in common.
    fn check(&self) -> Result<(), String> {
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if self.name.is_empty()
            || self.name.len() > TOOL_NAME_BYTES_MAX
            || !self.name.bytes().all(is_of_name)
        {
            return Err(format!(
                "its name is not one of 1 to {TOOL_NAME_BYTES_MAX} letters, digits, `_` and `-`"
            ));
        }
        if self.parameters.get("type") != Some(&Value::from("object")) {
            return Err("its arguments are not an object".to_owned());
        }
        match REFUSED_AT_TOP.iter().find(|keyword| self.parameters.contains_key(**keyword)) {
            Some(keyword) => Err(format!("its arguments have `{keyword}` at the top")),
            None => Ok(()),
        }
    }
}

fn function(function: &Value) -> Value {
    json!({ "type": "function", "function": function })
}

/// Adds the `items` that OpenAI requires of every list; an empty schema allows any.
fn add_items(schema: &mut Map<String, Value>) {
    if schema.get("type") == Some(&Value::from("array")) {
        schema.entry("items").or_insert_with(|| json!({}));
    }
    for value in schema.values_mut() {
        match value {
            Value::Object(inner) => add_items(inner),
            Value::Array(items) => {
                items.iter_mut().filter_map(Value::as_object_mut).for_each(add_items);
            }
            _ => {}
        }
    }
}
