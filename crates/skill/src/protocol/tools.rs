//! The tools of the Skills Protocol, and a skill as a tool.

use serde_json::{Map, Value};

use super::model::ProtocolManifest;
use crate::function_tool::FunctionTool;

/// The definitions of the eight tools, as the protocol has them.
const TOOLS: &str = include_str!("../../schema/skills-protocol-tools.json");

/// Returns the eight tools of the protocol, in its order.
pub fn tools() -> Vec<FunctionTool> {
    match serde_json::from_str(TOOLS) {
        Ok(tools) => tools,
        Err(error) => unreachable!("the file is a part of the program: {error}"),
    }
}

/// Returns a skill as a tool whose arguments are those of a run; none if the manifest has no name or
/// no description.
///
/// Vendors accept no dots in the name of a tool, so that hyphens take their place: a dotted name has
/// none of its own.
pub fn as_tool(manifest: &ProtocolManifest) -> Option<FunctionTool> {
    let any = || Map::from_iter([("type".to_owned(), Value::from("object"))]);
    Some(FunctionTool {
        name: manifest.name.as_ref()?.value.as_str().replace('.', "-"),
        description: manifest.description.as_ref()?.value.clone(),
        parameters: manifest.input_schema.as_ref().map_or_else(any, |schema| schema.value.clone()),
    })
}
