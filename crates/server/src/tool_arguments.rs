//! The schemas of the arguments of the tools, for those who read them without a connection.

use serde_json::{Map, Value};

use super::input_schema::InputSchema;
use super::tools::TOOLS;

/// The arguments of a tool.
pub struct ToolArguments {
    /// The name of the tool, as `tools/list` has it.
    pub tool: &'static str,
    /// The name of the tool for people.
    pub title: &'static str,
    /// What the tool does, as `tools/list` has it.
    pub description: &'static str,
    schema: &'static InputSchema,
}

impl ToolArguments {
    /// Returns the JSON Schema of the arguments, as `tools/list` has it.
    pub fn schema(&self) -> &'static Map<String, Value> {
        self.schema.json()
    }
}

/// Returns the arguments of every tool, in the order of `tools/list`.
pub fn tool_arguments() -> impl Iterator<Item = ToolArguments> {
    TOOLS.iter().map(|tool| ToolArguments {
        tool: tool.name,
        title: tool.title,
        description: tool.description,
        schema: &tool.input,
    })
}
