//! The methods as tools of MCP, for clients that know only that.

use std::sync::{Arc, OnceLock};

use rmcp::model::{Tool as ListedTool, ToolAnnotations};
use serde_json::{Map, json};

use super::parameters::json_schema;
use super::scope::scope;
use crate::caller::Caller;
use dibber_skill::contract::skills_protocol::{ProtocolMethod, RpcError, RpcReason};
use dibber_skill::contract::{ErrorCode, ToolError, WireEnum};
use dibber_skill::protocol::tools;

/// Returns the tools that a caller may call.
pub(crate) fn mcp_tools(caller: &Caller) -> impl Iterator<Item = ListedTool> {
    let methods = ProtocolMethod::all().into_iter();
    methods.filter(|method| caller.may_call(Some(scope(*method)))).filter_map(mcp_tool)
}

/// Returns a method as `tools/list` describes it.
pub(crate) fn mcp_tool(method: ProtocolMethod) -> Option<ListedTool> {
    static LISTED: OnceLock<Vec<ListedTool>> = OnceLock::new();
    let listed = LISTED.get_or_init(|| tools().into_iter().filter_map(list).collect());
    listed.iter().find(|tool| tool.name == method.name()).cloned()
}

fn list(tool: dibber_skill::function_tool::FunctionTool) -> Option<ListedTool> {
    let method = ProtocolMethod::from_name(&tool.name)?;
    let mut annotations = ToolAnnotations::new()
        .read_only(method.is_repeatable())
        // A run is isolated, and a blob is only added.
        .destructive(false)
        .open_world(false);
    if !method.is_repeatable() {
        // A run runs again, and a blob is stored again.
        annotations = annotations.idempotent(false);
    }
    let schema = Arc::new(json_schema(method));
    // A server of a family has skills of another kind, and tools for them.
    let description = format!("Skills Protocol: {}", tool.description);
    Some(ListedTool::new(tool.name, description, schema).annotate(annotations))
}

/// Returns the refusal of a call as the error of a tool.
pub(crate) fn tool_error(error: RpcError) -> ToolError {
    let Some(data) = error.data else {
        return ToolError::new(ErrorCode::InternalError, error.message, "");
    };
    let code = match data.reason {
        RpcReason::ScopeMissing => ErrorCode::PermissionDenied,
        RpcReason::SkillNotFound
        | RpcReason::VersionNotFound
        | RpcReason::FileNotFound
        | RpcReason::BlobNotFound => ErrorCode::DomainNotFound,
        RpcReason::SandboxUnavailable | RpcReason::Busy | RpcReason::Internal => {
            ErrorCode::InternalError
        }
        _ => ErrorCode::BadInput,
    };
    let refused = ToolError::new(code, error.message, data.help).reason(data.reason.name());
    let parts = [("issues", json!(data.issues)), ("warnings", json!(data.warnings))];
    let parts = parts.into_iter().filter(|(_, part)| *part != json!([]));
    let details: Map<_, _> = parts.map(|(name, part)| (name.to_owned(), part)).collect();
    if details.is_empty() { refused } else { refused.details(details.into()) }
}
