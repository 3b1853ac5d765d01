//! The tools, one file each.

pub(super) mod activity_list;
mod family_query_overview;
mod heartbeat_create;
mod heartbeat_describe;
mod heartbeat_due;
pub(super) mod heartbeat_list;
mod heartbeat_update;
pub(super) mod inbox_list;
mod inbox_update;
mod mcp_health;
mod mcp_whoami;
mod resource_wait;
mod skill_archive;
pub(super) mod skill_get;
mod skill_invoke;
mod skill_list;
mod skill_post_result;
mod skill_update;
mod skill_write;

use crate::tool::Tool;

/// Every tool, in the order of `tools/list`.
pub(super) static TOOLS: &[&Tool] = &[
    &skill_write::TOOL,
    &skill_update::TOOL,
    &skill_archive::TOOL,
    &skill_list::TOOL,
    &skill_get::TOOL,
    &skill_invoke::TOOL,
    &skill_post_result::TOOL,
    &heartbeat_create::TOOL,
    &heartbeat_update::TOOL,
    &heartbeat_describe::TOOL,
    &heartbeat_list::TOOL,
    &heartbeat_due::TOOL,
    &family_query_overview::TOOL,
    &inbox_list::TOOL,
    &inbox_update::TOOL,
    &activity_list::TOOL,
    &resource_wait::TOOL,
    &mcp_whoami::TOOL,
    &mcp_health::TOOL,
];

/// Returns the tool of that name, in either spelling.
pub(super) fn find_tool(name: &str) -> Option<&'static Tool> {
    let is_named = |tool: &&&Tool| name == tool.name || name == tool.name.replacen('_', ".", 1);
    TOOLS.iter().find(is_named).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_of_the_input_schemas_is_checked() {
        for tool in TOOLS {
            // It panics at a keyword that the checker does not interpret.
            assert_eq!(tool.input.parsed().additional_properties, Some(false), "{}", tool.name);
        }
    }
}
