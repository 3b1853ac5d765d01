//! The schema of the results of a skill.

use serde_json::{Map, Value};

use super::input_values::value_as_json;
use super::located::Located;
use super::problems::Problems;
use crate::response_model::{ModelIssue, check_model};
use crate::skill::{Entry, Node, NodeKind, ScalarType};
use dibber_text::{message, quote_in_full};

/// Reads the schema, and reports each fault of it at its place.
pub(super) fn read(value: &Node, problems: &mut Problems) -> Option<Located<Map<String, Value>>> {
    let Value::Object(model) = value_as_json(value) else {
        let is_empty = value.scalar_type() == Some(ScalarType::Null);
        let found = if is_empty { "empty" } else { value.describe() };
        let message = message!["`result` is ", found, ", not a mapping"];
        let help = "write a JSON Schema: `type: object`, with `properties` below it";
        problems.value(value, message, help);
        return None;
    };
    let issues = check_model(&model);
    for ModelIssue { path, message, help } in &issues {
        let message = message!["`result`: ", quote_in_full(message)];
        problems.value(node_at(value, path), message, message![quote_in_full(help)]);
    }
    issues.is_empty().then_some(Located { value: model, span: value.span })
}

/// Returns the node to which these names and indexes lead, or the last one on the way.
fn node_at<'n>(root: &'n Node, path: &[String]) -> &'n Node {
    let mut node = root;
    for part in path {
        let next = match &node.kind {
            NodeKind::Mapping(entries) => {
                let is_it = |entry: &&Entry| entry.key.as_str() == Some(part);
                entries.iter().find(is_it).map(|entry| &entry.value)
            }
            NodeKind::Sequence(items) => part.parse().ok().and_then(|at: usize| items.get(at)),
            NodeKind::Scalar { .. } => None,
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node
}
