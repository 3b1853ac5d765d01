//! The prompt with its placeholders filled in.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::contract::InputVariable;
use crate::skill::{Placeholder, PlaceholderKind, placeholders};

/// A prompt with its placeholders filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The prompt.
    pub prompt: String,
    /// The names of the values that belong to no input.
    pub ignored: Vec<String>,
}

/// The names of the inputs that have no value, in the order of their declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingInputs(pub Vec<String>);

/// Returns the inputs that have no value, in the order of their declaration.
pub fn missing_inputs<'a>(
    inputs: &'a [InputVariable],
    values: &Map<String, Value>,
) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    let names = inputs.iter().map(|input| input.name.as_str());
    names.filter(|name| seen.insert(*name) && !values.contains_key(*name)).collect()
}

/// Returns the names of the values that belong to no input.
pub fn ignored_inputs(inputs: &[InputVariable], values: &Map<String, Value>) -> Vec<String> {
    let declared: BTreeSet<_> = inputs.iter().map(|input| input.name.as_str()).collect();
    values.keys().filter(|name| !declared.contains(name.as_str())).cloned().collect()
}

/// Fills in a prompt in one pass: placeholders in a value are not filled in.
///
/// A string is inserted as it is, and any other value as JSON without spaces. A placeholder that
/// is not declared, and other text in braces such as `{{fireDate}}`, stays as it is.
pub fn render(
    prompt: &str,
    inputs: &[InputVariable],
    values: &Map<String, Value>,
) -> Result<Rendered, MissingInputs> {
    let missing = missing_inputs(inputs, values);
    if !missing.is_empty() {
        return Err(MissingInputs(missing.into_iter().map(str::to_owned).collect()));
    }
    let declared: BTreeSet<_> = inputs.iter().map(|input| input.name.as_str()).collect();
    let mut rendered = String::with_capacity(prompt.len());
    let mut done = 0;
    for Placeholder { span, kind } in placeholders(prompt) {
        let PlaceholderKind::Input(name) = kind else { continue };
        if let Some(value) = values.get(&name).filter(|_| declared.contains(name.as_str())) {
            rendered.push_str(&prompt[done..span.start]);
            match value {
                Value::String(text) => rendered.push_str(text),
                other => rendered.push_str(&other.to_string()),
            }
            done = span.end;
        }
    }
    rendered.push_str(&prompt[done..]);
    Ok(Rendered { prompt: rendered, ignored: ignored_inputs(inputs, values) })
}
