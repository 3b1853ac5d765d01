//! `sprout.yaml` with some of its keys replaced.

use std::borrow::Borrow;

use crate::stored_form::inputs_of_prompt;
use dibber_skill::content_hash::{normal_canvases, normal_hands};
use dibber_skill::contract::{Category, StoredSkill, WireEnum};
use dibber_skill::draft::Draft;
use dibber_skill::manifest::Manifest;
use dibber_skill::skill::yaml_scalar::{as_any_scalar, as_scalar_like};
use dibber_skill::skill::{Entry, Node, NodeKind, Skill, parse_yaml};
use serde_json::{Map, Value};

/// The most characters of a key that is written before a colon on one line: YAML permits 1,024.
const KEY_CHARACTERS_MAX: usize = 1_000;

/// The first line of a new file.
pub(super) const HEADER: &str =
    "# How Sprout publishes this skill. `dibber dry-run` shows what would be sent.\n";

/// Returns the text of a `sprout.yaml` in which the keys whose values are not those of the stored
/// skill are replaced; the others keep their bytes. A new file always has a label.
pub(super) fn with_stored(
    text: &str,
    skill: &Skill,
    draft: &Draft,
    stored: &StoredSkill,
    is_new: bool,
) -> String {
    let arguments = draft.best_effort();
    let manifest = draft.manifest.as_ref();
    let keys = [
        ("label", is_new || arguments.name != stored.name, line(text, "label", &stored.name)),
        (
            "summary",
            arguments.description != stored.description,
            line(text, "summary", &stored.description),
        ),
        (
            "category",
            arguments.category.unwrap_or_default() != stored.category,
            category(stored.category),
        ),
        (
            "hands",
            normal_hands(&arguments.hands_referenced) != normal_hands(&stored.hands_referenced),
            hands_block(skill, stored),
        ),
        (
            "inputs",
            arguments.input_variables != stored.input_variables,
            inputs(&arguments.prompt, stored, manifest),
        ),
        (
            "kidCallable",
            arguments.kid_callable.unwrap_or_default() != stored.kid_callable,
            if stored.kid_callable { "kidCallable: true\n".to_owned() } else { String::new() },
        ),
        (
            "ageRange",
            arguments.age_range != stored.age_range,
            stored.age_range.as_ref().map(|ages| line(text, "ageRange", ages)).unwrap_or_default(),
        ),
        (
            "canvases",
            normal_canvases(&arguments.canvas_ids) != normal_canvases(&stored.canvas_ids),
            list("canvases", &stored.canvas_ids),
        ),
        (
            "result",
            !stored.response_model.is_not_sent()
                && arguments.response_model.as_ref() != stored.response_model.model(),
            stored.response_model.model().map(result).unwrap_or_default(),
        ),
    ];
    let changed = keys.into_iter().filter(|(_, differs, _)| *differs);
    changed.fold(text.to_owned(), |text, (key, _, block)| with_block(&text, key, &block))
}

/// Returns the line of a key with another value, in the quotes of the one that it has in the file.
fn line(file: &str, key: &str, text: &str) -> String {
    let (root, _) = parse_yaml(file);
    let entries = match root.map(|root| root.kind) {
        Some(NodeKind::Mapping(entries)) => entries,
        _ => Vec::new(),
    };
    let entry = entries.iter().find(|entry| entry.key.as_str() == Some(key));
    let replaced = entry.and_then(|entry| file.get(entry.value.span.range()));
    format!("{key}: {}\n", as_scalar_like(replaced.unwrap_or_default(), text))
}

/// Returns the block of the schema of the results.
fn result(model: &Map<String, Value>) -> String {
    format!("result:{}", yaml_value(&Value::Object(model.clone()), 1))
}

/// Returns a value as it is written after a colon or a hyphen, up to the end of its lines. What is in
/// it is indented by so many levels.
fn yaml_value(value: &Value, level: usize) -> String {
    let indent = "  ".repeat(level);
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let field = |(name, value): (&String, &Value)| {
                let (name, value) = (as_any_scalar(name), yaml_value(value, level + 1));
                if name.chars().count() > KEY_CHARACTERS_MAX {
                    return format!("{indent}? {name}\n{indent}:{value}");
                }
                format!("{indent}{name}:{value}")
            };
            format!("\n{}", fields.iter().map(field).collect::<String>())
        }
        Value::Array(items) if !items.is_empty() => {
            let item = |value: &Value| format!("{indent}-{}", yaml_value(value, level + 1));
            format!("\n{}", items.iter().map(item).collect::<String>())
        }
        Value::String(text) => format!(" {}\n", as_any_scalar(text)),
        // Numbers, booleans, null and what is empty are the same in YAML.
        other => format!(" {other}\n"),
    }
}

/// Returns the block of a list, which is empty if the list is.
pub(super) fn list(key: &str, items: &[impl Borrow<str>]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items = items.iter().map(|item| format!("  - {}\n", as_any_scalar(item.borrow())));
    format!("{key}:\n{}", items.collect::<String>())
}

fn category(category: Category) -> String {
    match category {
        Category::Generic => String::new(),
        Category::HomeAgent => format!("category: {}\n", category.name()),
    }
}

/// Returns the block of the tools. An empty list is written only if `SKILL.md` names tools, which
/// would count otherwise.
fn hands_block(skill: &Skill, stored: &StoredSkill) -> String {
    if stored.hands_referenced.is_empty() && skill.field("allowed-tools").is_some() {
        return "hands: []\n".to_owned();
    }
    list("hands", &stored.hands_referenced)
}

/// Returns the block of the inputs, unless they are just the placeholders of the prompt. Optional
/// inputs remain optional.
fn inputs(prompt: &str, stored: &StoredSkill, manifest: Option<&Manifest>) -> String {
    let known = manifest.and_then(|manifest| manifest.inputs.as_deref()).unwrap_or_default();
    let is_optional = |name: &str| {
        known.iter().any(|input| !input.is_required && input.name.value.trim() == name)
    };
    let has_optional = stored.input_variables.iter().any(|input| is_optional(&input.name));
    if stored.input_variables == inputs_of_prompt(prompt) && !has_optional {
        return String::new();
    }
    if stored.input_variables.is_empty() {
        return "inputs: []\n".to_owned();
    }
    let mut out = "inputs:\n".to_owned();
    for input in &stored.input_variables {
        out += &format!("  - name: {}\n", as_any_scalar(&input.name));
        if let Some(kind) = &input.kind {
            out += &format!("    type: {}\n", as_any_scalar(kind));
        }
        if let Some(description) = &input.description {
            out += &format!("    description: {}\n", as_any_scalar(description));
        }
        if is_optional(&input.name) {
            out += "    required: false\n";
        }
    }
    out
}

/// Returns the block of inputs that are optional, which is empty if there are none.
pub(super) fn optional_inputs(names: &[&str]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let inputs = names
        .iter()
        .map(|name| format!("  - name: {}\n    required: false\n", as_any_scalar(name)));
    format!("inputs:\n{}", inputs.collect::<String>())
}

/// Replaces the lines of a key, or appends them.
pub(super) fn with_block(text: &str, key: &str, block: &str) -> String {
    let mut text = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match entry_lines(&text, key) {
        Some(lines) => text.replace_range(lines, block),
        None => text += block,
    }
    text
}

/// Returns the bytes of the lines of a top-level key: up to the next key, without the comments and
/// empty lines before that.
fn entry_lines(text: &str, key: &str) -> Option<std::ops::Range<usize>> {
    let (root, _) = parse_yaml(text);
    let Some(Node { kind: NodeKind::Mapping(entries), .. }) = root else { return None };
    let start_of = |entry: &Entry| {
        let at = entry.key.span.start;
        text[..at].rfind('\n').map_or(0, |line| line + 1)
    };
    let index = entries.iter().position(|entry| entry.key.as_str() == Some(key))?;
    let start = start_of(&entries[index]);
    let end = entries.get(index + 1).map_or(text.len(), start_of);
    let own = text.get(start..end)?;
    let is_separator = |line: &&str| line.trim().is_empty() || line.starts_with('#');
    let separators: usize =
        own.split_inclusive('\n').rev().take_while(is_separator).map(str::len).sum();
    Some(start..end - separators)
}
