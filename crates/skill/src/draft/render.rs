//! The prompt with its placeholders filled in.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::contract::InputVariable;
use crate::skill::{Placeholder, PlaceholderKind, placeholders};

/// A prompt that is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The prompt.
    pub prompt: String,
    /// The values that no input asks for, by name.
    pub ignored: Vec<String>,
}

/// The inputs that are declared and were given no value, in the order of their declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingInputs(pub Vec<String>);

/// Fills a prompt in, in one pass: what a value holds is never filled in again.
///
/// A text is put in as it is, and anything else as JSON without spaces. A placeholder that is not
/// declared, and other text in braces such as `{{fireDate}}`, stays as it is.
pub fn render(
    prompt: &str,
    inputs: &[InputVariable],
    values: &Map<String, Value>,
) -> Result<Rendered, MissingInputs> {
    let mut declared = BTreeSet::new();
    let mut missing = Vec::new();
    for InputVariable { name, .. } in inputs {
        if declared.insert(name.as_str()) && !values.contains_key(name) {
            missing.push(name.clone());
        }
    }
    if !missing.is_empty() {
        return Err(MissingInputs(missing));
    }
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
    let ignored = values.keys().filter(|name| !declared.contains(name.as_str()));
    Ok(Rendered { prompt: rendered, ignored: ignored.cloned().collect() })
}
