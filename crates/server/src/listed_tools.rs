//! The tools as `tools/list` describes them.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

use rmcp::model::{Tool as ListedTool, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::tool::Tool;
use super::tools::TOOLS;
use dibber_skill::contract::{ERROR, NEXT_STEP, REPLAYED};

/// How long a client may keep a list that changes only with the program, in milliseconds (1 hour).
pub(super) const LIST_TTL_MILLISECONDS: u64 = 60 * 60 * 1000;

/// Returns a tool as `tools/list` describes it.
pub(super) fn listed_tool(tool: &Tool) -> Option<&'static ListedTool> {
    let index = TOOLS.iter().position(|listed| listed.name == tool.name)?;
    Some(LISTED[index].get_or_init(|| list(TOOLS[index])))
}

/// The tools as `tools/list` describes them, in the order of [`TOOLS`]. Each is described when it
/// is first asked for: deriving a schema takes as long as many a call.
static LISTED: LazyLock<Vec<OnceLock<ListedTool>>> =
    LazyLock::new(|| TOOLS.iter().map(|_| OnceLock::new()).collect());

/// Returns the schema of the results of a tool: the fields of a success, or `error`.
///
/// The root requires nothing of its own. Some clients validate the result of a call that failed
/// as well, and discard it with its error if it does not match.
fn result_schema(tool: &Tool) -> Map<String, Value> {
    let mut schema = tool.output.clone();
    let Some(Value::Array(mut required)) = schema.remove("required").or(Some(json!([]))) else {
        unreachable!("`required` is a list")
    };
    required.push(NEXT_STEP.into());
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(shorten);
        // Every tool has the same envelope, which the instructions explain once.
        properties.insert(NEXT_STEP.to_owned(), json!({"type": "string"}));
        if tool.has_side_effects() {
            properties.insert(REPLAYED.to_owned(), json!({"type": "boolean"}));
        }
        properties.insert(ERROR.to_owned(), json!({"type": "object"}));
    }
    schema.insert("anyOf".to_owned(), json!([{"required": required}, {"required": [ERROR]}]));
    schema
}

/// Removes what a schema says beyond the names and the types of its fields: models read the schemas of
/// all tools before their first call.
fn shorten(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            keywords.retain(|name, value| !(name == "description" && value.is_string()));
            keywords.retain(|name, value| !(name == "required" && value.is_array()));
            keywords.values_mut().for_each(shorten);
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        _ => {}
    }
}

fn list(tool: &Tool) -> ListedTool {
    let mut annotations = ToolAnnotations::new()
        .read_only(!tool.has_side_effects())
        .destructive(tool.is_destructive)
        .open_world(false);
    // It says nothing of a tool that only reads.
    if tool.has_side_effects() {
        annotations = annotations.idempotent(tool.is_idempotent);
    }
    ListedTool::new(
        Cow::Borrowed(tool.name),
        Cow::Borrowed(tool.description),
        Arc::new(tool.input.json().clone()),
    )
    .with_title(tool.title)
    .with_raw_output_schema(Arc::new(result_schema(tool)))
    .annotate(annotations)
}
