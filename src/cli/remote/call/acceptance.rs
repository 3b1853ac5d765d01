//! Whether the schemas of a tool accept values: their types, choices, bounds, lengths and patterns,
//! and those of what they contain. What is not supported is left to the server.

use serde_json::{Map, Value};

use super::branches::closest_branch;
use super::json_type::{field, own_types};
use super::mismatch::{LengthLimit, Mismatch, PathPart, Problem, WrongLength};
use crate::cli::remote::schema_words::target;
use dibber_skill::string_pattern::StringPattern;

/// The deepest schema that is looked into: one may be its own part.
const DEPTH_MAX: usize = 16;
/// The most schemas, types and choices that are looked into for one call: a schema may be its own
/// part several times. What comes after them is left to the server.
const NODES_MAX: usize = 10_000;

/// Whether the schemas of a tool accept values.
pub(super) struct Acceptance<'a> {
    root: &'a Value,
    /// How many more schemas, types and choices are looked into.
    nodes_left: usize,
}

impl<'a> Acceptance<'a> {
    /// Creates the acceptance of the parts of this schema.
    pub(super) const fn new(root: &'a Value) -> Self {
        Self { root, nodes_left: NODES_MAX }
    }

    /// Returns the schema that contains the others.
    pub(super) const fn root(&self) -> &'a Value {
        self.root
    }

    /// Returns `true` if a schema accepts a value.
    pub(super) fn accepts(&mut self, schema: &Value, value: &Value) -> bool {
        self.find_value_mismatch(schema, value, DEPTH_MAX).is_none()
    }

    /// Returns the first mismatch of the arguments of a call.
    pub(super) fn find_mismatch<'v>(
        &mut self,
        arguments: &'v Map<String, Value>,
    ) -> Option<Mismatch<'v>>
    where
        'a: 'v,
    {
        self.find_field_mismatch(self.root, arguments, DEPTH_MAX)
    }

    fn find_value_mismatch<'v>(
        &mut self,
        schema: &'v Value,
        value: &'v Value,
        depth: usize,
    ) -> Option<Mismatch<'v>>
    where
        'a: 'v,
    {
        if depth == 0 || self.nodes_left == 0 {
            return None;
        }
        let list = |name: &str| schema.get(name).and_then(Value::as_array);
        let values: usize = ["type", "enum"].into_iter().filter_map(list).map(Vec::len).sum();
        self.nodes_left = self.nodes_left.saturating_sub(1 + values);
        let is_accepted = has_type(schema, value)
            && list("enum").is_none_or(|choices| choices.contains(value))
            && schema.get("const").is_none_or(|only| only == value)
            && is_in_bounds(schema, value);
        let not_accepted = || Some(Problem::Value { value, schema }.at_value());
        if !is_accepted {
            return not_accepted();
        }
        for parts in ["anyOf", "oneOf"].into_iter().filter_map(list) {
            let mut mismatches = Vec::new();
            for part in parts {
                match self.find_value_mismatch(part, value, depth - 1) {
                    None => break,
                    Some(mismatch) => mismatches.push((part, mismatch)),
                }
            }
            if mismatches.len() < parts.len() {
                continue;
            }
            return closest_branch(mismatches, value, self.root).or_else(not_accepted);
        }
        let own = length_problem(schema, value).or_else(|| pattern_problem(schema, value));
        if let Some(problem) = own {
            return Some(problem.at_value());
        }
        let parts = list("allOf").into_iter().flatten().chain(target(schema, self.root));
        for part in parts {
            if let Some(mismatch) = self.find_value_mismatch(part, value, depth - 1) {
                return Some(mismatch);
            }
        }
        match value {
            Value::Array(items) => self.find_item_mismatch(schema, items, depth - 1),
            Value::Object(fields) => self.find_field_mismatch(schema, fields, depth - 1),
            _ => None,
        }
    }

    fn find_item_mismatch<'v>(
        &mut self,
        schema: &'v Value,
        items: &'v [Value],
        depth: usize,
    ) -> Option<Mismatch<'v>>
    where
        'a: 'v,
    {
        let schema = schema.get("items").filter(|schema| schema.is_object())?;
        items.iter().enumerate().find_map(|(index, item)| {
            let mismatch = self.find_value_mismatch(schema, item, depth)?;
            Some(mismatch.inside(PathPart::Item(index)))
        })
    }

    fn find_field_mismatch<'v>(
        &mut self,
        schema: &'v Value,
        fields: &'v Map<String, Value>,
        depth: usize,
    ) -> Option<Mismatch<'v>>
    where
        'a: 'v,
    {
        for (name, value) in fields {
            let Some(field) = field(schema, name) else {
                if is_closed(schema) {
                    return Some(Problem::UnknownField { name, object: schema }.at_value());
                }
                continue;
            };
            // What may be left out may usually be null instead.
            let mismatch =
                if value.is_null() { None } else { self.find_value_mismatch(field, value, depth) };
            if let Some(mismatch) = mismatch {
                return Some(mismatch.inside(PathPart::Field(name)));
            }
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let mut required = required.filter_map(Value::as_str);
        let name = required.find(|name| !fields.contains_key(*name))?;
        Some(Problem::MissingField { name, schema: field(schema, name) }.at_value())
    }
}

/// Returns `true` if an object has no other fields than those with a name in its schema.
fn is_closed(object: &Value) -> bool {
    object.get("additionalProperties") == Some(&Value::Bool(false))
        && object.get("patternProperties").is_none()
}

fn has_type(schema: &Value, value: &Value) -> bool {
    // An integer may be written with a fraction of zero.
    let is_whole = value.as_f64().is_some_and(|number| number.fract() == 0.0);
    let whole = Value::from(0);
    let mut types = own_types(schema).peekable();
    types.peek().is_none() || types.any(|it| it.accepts(value) || (is_whole && it.accepts(&whole)))
}

fn is_in_bounds(schema: &Value, value: &Value) -> bool {
    let Some(number) = value.as_f64() else { return true };
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    bound("minimum").is_none_or(|min| number >= min)
        && bound("maximum").is_none_or(|max| number <= max)
        && bound("exclusiveMinimum").is_none_or(|min| number > min)
        && bound("exclusiveMaximum").is_none_or(|max| number < max)
}

fn length_problem<'v>(schema: &'v Value, value: &'v Value) -> Option<Problem<'v>> {
    let (length, unit, names) = match value {
        Value::String(text) => {
            (text.chars().count(), ["character", "characters"], ["minLength", "maxLength"])
        }
        Value::Array(items) => (items.len(), ["item", "items"], ["minItems", "maxItems"]),
        _ => return None,
    };
    let length = length as u64;
    let [min, max] = names.map(|name| schema.get(name).and_then(Value::as_u64));
    let too_short = min.filter(|min| length < *min).map(LengthLimit::AtLeast);
    let limit = too_short.or(max.filter(|max| length > *max).map(LengthLimit::AtMost))?;
    Some(Problem::Length(WrongLength { length, unit, limit }))
}

/// A pattern that this program does not support is left to the server, and so is a `format`, which
/// only describes a value.
fn pattern_problem<'v>(schema: &'v Value, value: &'v Value) -> Option<Problem<'v>> {
    let (text, pattern) = (value.as_str()?, schema.get("pattern")?.as_str()?);
    let is_match = StringPattern::parse(pattern).ok()?.is_match(text);
    (!is_match).then_some(Problem::Pattern { text, pattern })
}
