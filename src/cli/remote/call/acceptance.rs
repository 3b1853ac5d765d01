//! Whether the schemas of a tool accept values: their types, choices, bounds, lengths and patterns,
//! and those of what they contain. What is not supported is left to the server.

use serde_json::{Map, Value};

use super::json_type::{own_types, target};
use dibber_skill::string_pattern::StringPattern;

/// The deepest schema that is looked into: one may be its own part.
const DEPTH_MAX: usize = 16;
/// The most schemas, types and choices that are looked into for one call: a schema may be its own
/// part several times. What comes after them is left to the server.
const NODES_MAX: usize = 10_000;

/// The first value of an argument that its schema does not accept.
pub(super) struct Mismatch<'a> {
    /// Where it is: the fields and items that contain it, from the outermost.
    parts: Vec<PathPart<'a>>,
    pub(super) problem: Problem<'a>,
}

enum PathPart<'a> {
    Field(&'a str),
    Item(usize),
}

/// What a schema does not accept.
pub(super) enum Problem<'a> {
    /// A value of another type, or out of its choices or bounds.
    Value { value: &'a Value, schema: &'a Value },
    /// A string that does not match its pattern.
    Pattern { text: &'a str, pattern: &'a str },
    /// A string or a list that is too short or too long.
    Length(WrongLength),
    /// A field that an object does not have.
    UnknownField { name: &'a str, object: &'a Value },
    /// A required field that an object lacks, and its schema.
    MissingField { name: &'a str, schema: Option<&'a Value> },
}

/// A string or a list that is too short or too long.
pub(super) struct WrongLength {
    pub(super) length: u64,
    /// What is counted, of one and of several.
    pub(super) unit: [&'static str; 2],
    pub(super) limit: LengthLimit,
}

pub(super) enum LengthLimit {
    AtLeast(u64),
    AtMost(u64),
}

/// Whether the schemas of a tool accept values.
pub(super) struct Acceptance<'a> {
    root: &'a Value,
    /// How many more schemas, types and choices are looked into.
    nodes_left: usize,
}

impl<'a> Problem<'a> {
    const fn at_value(self) -> Mismatch<'a> {
        Mismatch { parts: Vec::new(), problem: self }
    }
}

impl<'a> Mismatch<'a> {
    fn inside(mut self, part: PathPart<'a>) -> Self {
        self.parts.insert(0, part);
        self
    }

    /// Returns `true` if it is the value itself that is not accepted, and not a part of it.
    const fn is_whole_value(&self) -> bool {
        self.parts.is_empty() && matches!(self.problem, Problem::Value { .. })
    }

    /// Returns `true` if an argument itself is not accepted, and not a part of one.
    pub(super) const fn is_argument(&self) -> bool {
        match self.problem {
            Problem::UnknownField { .. } | Problem::MissingField { .. } => self.parts.is_empty(),
            _ => self.parts.len() == 1,
        }
    }

    /// Returns where it is, as in `filter.days[0]`.
    pub(super) fn path(&self) -> String {
        let mut path = String::new();
        for part in &self.parts {
            match part {
                PathPart::Field(name) if path.is_empty() => path.push_str(name),
                PathPart::Field(name) => path += &format!(".{name}"),
                PathPart::Item(index) => path += &format!("[{index}]"),
            }
        }
        path
    }
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
                    Some(mismatch) => mismatches.push(mismatch),
                }
            }
            if mismatches.len() < parts.len() {
                continue;
            }
            // The one that has the type of the value says more.
            let inner = mismatches.into_iter().find(|mismatch| !mismatch.is_whole_value());
            return inner.or_else(not_accepted);
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

/// Returns the schema of a field of an object.
pub(super) fn field<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    let named = object.get("properties").and_then(|properties| properties.get(name));
    named.or_else(|| {
        let others = object.get("additionalProperties").filter(|schema| schema.is_object());
        others.filter(|_| object.get("patternProperties").is_none())
    })
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
