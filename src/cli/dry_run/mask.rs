//! Children's names and secrets in arguments.

use std::cell::Cell;

use serde_json::{Map, Value};

use crate::cli::mask::mask;
use dibber_lint::Privacy;
use dibber_skill::contract::{InputVariable, SkillWrite};
use dibber_skill::names::Roster;

/// What makes arguments private.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Private {
    /// They contain a child's name.
    Name,
    /// They contain a key or token.
    Secret,
}

/// Returns why arguments must not be printed exactly, if so.
pub(in crate::cli) fn private(arguments: &SkillWrite, roster: &Roster) -> Option<Private> {
    let has_name = Cell::new(false);
    let masked = map_strings(arguments, |text| {
        has_name.set(has_name.get() || roster.has_name(text));
        mask(text, roster)
    });
    let has_name = has_name.get() || roster.has_name(&arguments.hands_referenced.join(" "));
    if has_name { Some(Private::Name) } else { (masked != *arguments).then_some(Private::Secret) }
}

/// Returns the arguments with names and secrets masked.
pub(in crate::cli) fn masked(arguments: &SkillWrite, roster: &Roster) -> SkillWrite {
    let hands_referenced = Privacy { roster }.mask_items(&arguments.hands_referenced);
    SkillWrite { hands_referenced, ..map_strings(arguments, |text| mask(text, roster)) }
}

fn map_strings(arguments: &SkillWrite, change: impl Fn(&str) -> String) -> SkillWrite {
    let change_all = |strings: &[String]| strings.iter().map(|string| change(string)).collect();
    let inputs = arguments.input_variables.iter().map(|input| InputVariable {
        name: change(&input.name),
        kind: input.kind.as_deref().map(&change),
        description: input.description.as_deref().map(&change),
    });
    SkillWrite {
        name: change(&arguments.name),
        description: change(&arguments.description),
        category: arguments.category,
        prompt: change(&arguments.prompt),
        hands_referenced: change_all(&arguments.hands_referenced),
        input_variables: inputs.collect(),
        kid_callable: arguments.kid_callable,
        canvas_ids: arguments.canvas_ids.iter().map(|id| change(id.as_str()).into()).collect(),
        age_range: arguments.age_range.as_deref().map(&change),
        response_model: arguments.response_model.as_ref().map(|model| map_object(model, &change)),
    }
}

/// Changes every string of an object, names of fields included.
fn map_object(object: &Map<String, Value>, change: &impl Fn(&str) -> String) -> Map<String, Value> {
    object.iter().map(|(name, value)| (change(name), map_value(value, change))).collect()
}

fn map_value(value: &Value, change: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => change(text).into(),
        Value::Array(items) => items.iter().map(|item| map_value(item, change)).collect(),
        Value::Object(object) => map_object(object, change).into(),
        other => other.clone(),
    }
}
