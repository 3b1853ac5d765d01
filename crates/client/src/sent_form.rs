//! Skills and heartbeats in the forms in which other servers send them, as those of the contract.

use super::stored_form::inputs_of_prompt;
use dibber_skill::contract::{Category, RUN_CONTEXT, RUN_CONTEXT_FIELDS, WireEnum as _};
use serde_json::{Map, Value, json};

/// The field with the schema of the results.
const RESPONSE_MODEL: &str = "responseModel";

/// Gives a skill of a list the fields of the contract that follow from others, or have a default.
pub(crate) fn complete_item(item: &mut Value) {
    let Value::Object(item) = item else { return };
    complete(item);
    if !item.get("category").is_some_and(Value::is_string) {
        item.insert("category".to_owned(), Category::default().name().into());
    }
}

/// Gives the answer of `skill_get` the fields of the contract that have a default. Inputs that are
/// sent by their names become inputs without anything else; where there are none at all, they are
/// those of the prompt.
pub(crate) fn complete_found(found: &mut Value) {
    let Value::Object(found) = found else { return };
    if !found.get("canvases").is_some_and(Value::is_array) {
        found.insert("canvases".to_owned(), json!([]));
    }
    if let Some(Value::Object(skill)) = found.get_mut("skill") {
        complete_skill(skill);
    }
}

/// Gives a heartbeat of a list the fields of the contract that follow from others, and what it runs
/// beside them.
pub(crate) fn complete_heartbeat(item: &mut Value) {
    let Value::Object(item) = item else { return };
    if !item.get("cadenceText").is_some_and(Value::is_string)
        && let Some(cron) = item.get("cron").cloned()
    {
        item.insert("cadenceText".to_owned(), cron);
    }
    let Some(Value::Object(mut context)) = item.remove(RUN_CONTEXT) else { return };
    for name in RUN_CONTEXT_FIELDS {
        if item.get(name).is_none_or(Value::is_null)
            && let Some(value) = context.remove(name)
        {
            item.insert(name.to_owned(), value);
        }
    }
}

/// Gives the answer of `mcp_health` the fields of the contract that are only shown.
pub(crate) fn complete_health(health: &mut Value) {
    let Value::Object(health) = health else { return };
    for name in ["time", "server"] {
        if !health.get(name).is_some_and(Value::is_string) {
            health.insert(name.to_owned(), "".into());
        }
    }
}

/// Gives the answer of `heartbeat_describe` a preview that can be read: it is only shown.
pub(crate) fn complete_description(description: &mut Value) {
    let Value::Object(description) = description else { return };
    let preview = description.entry("preview").or_insert(Value::Null);
    match preview {
        Value::Object(preview) => {
            preview.retain(|_, value| value.as_str().is_some_and(|value| !value.is_empty()));
        }
        other => *other = json!({}),
    }
}

fn complete_skill(skill: &mut Map<String, Value>) {
    complete(skill);
    let category = skill.get("category").and_then(Value::as_str);
    if category.and_then(Category::from_name).is_none() {
        skill.insert("category".to_owned(), Category::default().name().into());
    }
    match skill.get_mut("inputVariables") {
        Some(Value::Array(inputs)) => {
            for input in inputs.iter_mut().filter(|input| input.is_string()) {
                *input = json!({"name": input.take()});
            }
        }
        Some(_) => {}
        None => {
            let prompt = skill.get("prompt").and_then(Value::as_str).unwrap_or_default();
            let inputs = json!(inputs_of_prompt(prompt));
            skill.insert("inputVariables".to_owned(), inputs);
        }
    }
}

/// Removes the fields without a value. A server may say only by its status that a skill is archived.
fn complete(skill: &mut Map<String, Value>) {
    // A response model is null where there is none, and left out by a server that stores none.
    skill.retain(|name, value| !value.is_null() || name == RESPONSE_MODEL);
    let is_archived = match skill.get("status").and_then(Value::as_str) {
        Some("archived") => true,
        Some("active") => false,
        _ => return,
    };
    skill.entry("archived").or_insert(is_archived.into());
}
