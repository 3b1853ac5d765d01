//! The response model of a skill: a JSON Schema (2020-12) that the data of its results match.
//!
//! Both come from others, and a check has to end soon. So a model has limits, its patterns are
//! matched in linear time, it refers only to its own `$defs`, and never to itself: what it amounts to
//! with every reference written out has a limit, too.

use std::collections::BTreeMap;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::{Map, Value};

use crate::spec_hash::SpecHash;
use crate::string_pattern::StringPattern;
use dibber_text::json_pointer;

/// The most bytes of a model, as JSON without spaces (16 KiB).
pub const MODEL_BYTES_MAX: usize = 16 << 10;
/// The most values inside one another in a model: as many as fit into `sprout.yaml`.
pub const MODEL_DEPTH_MAX: usize = 14;
/// The most schemas of a model, with those of a definition counted wherever it is used.
pub const MODEL_SCHEMAS_MAX: usize = 500;
/// The most problems of a model, or of data, that are reported.
pub const ISSUES_MAX: usize = 50;

/// The most bytes of a compiled pattern (1 MiB).
const COMPILED_BYTES_MAX: usize = 1 << 20;

/// The only dialect.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// The beginning of a reference.
const DEFINITION: &str = "#/$defs/";

/// The keywords whose value is a schema.
pub(crate) const SCHEMA_KEYWORDS: [&str; 11] = [
    "items",
    "contains",
    "additionalProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
];
/// The keywords whose value is a list of schemas.
pub(crate) const LIST_KEYWORDS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/// The keywords whose value has a schema for each name.
pub(crate) const NAMED_KEYWORDS: [&str; 4] =
    ["properties", "patternProperties", "$defs", "dependentSchemas"];
/// The keywords that lead out of a model, or around its limits.
const REFUSED_KEYWORDS: [&str; 6] =
    ["$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$vocabulary"];

/// What is wrong with a model, or with data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelIssue {
    /// The names and indexes that lead to it.
    pub path: Vec<String>,
    /// What is wrong, without the values of the data. It may contain names of its fields.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl ModelIssue {
    /// Returns the path as a JSON Pointer (RFC 6901).
    pub fn json_pointer(&self) -> String {
        json_pointer(&self.path)
    }

    fn new(path: &[String], message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { path: path.to_vec(), message: message.into(), help: help.into() }
    }
}

/// Returns what is wrong with a model: nothing if results can be checked with it.
pub fn check_model(model: &Map<String, Value>) -> Vec<ModelIssue> {
    let value = Value::Object(model.clone());
    if let Some(issue) = too_large(&value) {
        return vec![issue];
    }
    let meta = jsonschema::draft202012::meta::validator();
    let errors = meta.iter_errors(&value).take(ISSUES_MAX);
    let mut issues: Vec<_> = errors.map(|error| invalid(&error)).collect();
    if !issues.is_empty() {
        return issues;
    }
    if let Err(number) = SpecHash::compute("", model) {
        let path: Vec<_> = number.path.split('/').skip(1).map(unescape).collect();
        let message = format!("the number {} is too large to be stored exactly", number.number);
        return vec![ModelIssue::new(&path, message, "write a smaller number")];
    }
    let mut walk = Walk { model, path: Vec::new(), issues: Vec::new() };
    walk.schema(&value);
    issues = walk.issues;
    issues.truncate(ISSUES_MAX);
    if issues.is_empty() {
        issues.extend(too_many_schemas(model));
    }
    if issues.is_empty()
        && let Err(message) = compile(&value)
    {
        issues.push(ModelIssue::new(&[], message, "correct the schema"));
    }
    issues
}

/// Checks data with a model. Data that a model cannot be compiled for do not match.
///
/// # Errors
/// What does not match, at most [`ISSUES_MAX`] issues.
pub fn check_data(model: &Map<String, Value>, data: &Value) -> Result<(), Vec<ModelIssue>> {
    let validator = compile(&Value::Object(model.clone())).map_err(|message| {
        vec![ModelIssue::new(&[], message, "correct the response model of the skill")]
    })?;
    let issue = |error: jsonschema::ValidationError<'_>| {
        let path = segments(error.instance_path().as_str());
        // The values of the data are not repeated: they may be long, or private.
        let message = error.masked_with("the value").to_string();
        ModelIssue::new(&path, message, "post data as the response model of the skill has it")
    };
    let issues: Vec<_> = validator.iter_errors(data).take(ISSUES_MAX).map(issue).collect();
    if issues.is_empty() { Ok(()) } else { Err(issues) }
}

/// Returns every string of a model, names of fields included: they are published with it.
pub fn strings(model: &Map<String, Value>) -> Vec<&str> {
    fn collect<'m>(value: &'m Value, strings: &mut Vec<&'m str>) {
        match value {
            Value::String(text) => strings.push(text),
            Value::Array(items) => items.iter().for_each(|item| collect(item, strings)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    strings.push(name);
                    collect(value, strings);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut strings = Vec::new();
    for (name, value) in model {
        strings.push(name.as_str());
        collect(value, &mut strings);
    }
    strings
}

fn compile(model: &Value) -> Result<Validator, String> {
    let patterns = PatternOptions::regex().size_limit(COMPILED_BYTES_MAX);
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(patterns)
        .build(model)
        .map_err(|error| format!("not a schema that can be used: {}", error.masked()))
}

/// Returns the issue of a model that is larger than its limits.
fn too_large(model: &Value) -> Option<ModelIssue> {
    if depth(model) > MODEL_DEPTH_MAX {
        let message = format!("the schema has more than {MODEL_DEPTH_MAX} levels");
        return Some(ModelIssue::new(&[], message, "write a flatter schema"));
    }
    let bytes = serde_json::to_vec(model).map_or(usize::MAX, |json| json.len());
    if bytes > MODEL_BYTES_MAX {
        let message = format!("the schema has {bytes} bytes; the maximum is {MODEL_BYTES_MAX}");
        return Some(ModelIssue::new(&[], message, "describe only what is needed"));
    }
    None
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or_default(),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or_default(),
        _ => 0,
    }
}

fn invalid(error: &jsonschema::ValidationError<'_>) -> ModelIssue {
    let path = segments(error.instance_path().as_str());
    let is_type = match &path[..] {
        [.., outer, last] => last == "type" && !NAMED_KEYWORDS.contains(&outer.as_str()),
        [only] => only == "type",
        [] => false,
    };
    if is_type {
        let help = "write `string`, `number`, `integer`, `boolean`, `array`, `object` or `null`";
        return ModelIssue::new(&path, "not a type of JSON Schema", help);
    }
    let message = format!("not valid in a JSON Schema: {}", error.masked_with("the value"));
    ModelIssue::new(&path, message, "write it as JSON Schema 2020-12 has it")
}

fn segments(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(unescape).collect()
}

fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

/// Returns the definition that a reference of a model leads to.
fn definition<'m>(model: &'m Map<String, Value>, reference: &str) -> Option<(&'m str, &'m Value)> {
    let name = unescape(reference.strip_prefix(DEFINITION)?);
    let definitions = model.get("$defs")?.as_object()?;
    definitions.iter().find(|(known, _)| **known == name).map(|(name, it)| (name.as_str(), it))
}

/// The schemas of a model, as they are found.
struct Walk<'m> {
    model: &'m Map<String, Value>,
    path: Vec<String>,
    issues: Vec<ModelIssue>,
}

impl Walk<'_> {
    fn schema(&mut self, schema: &Value) {
        let Value::Object(schema) = schema else { return };
        for (keyword, value) in schema {
            self.path.push(keyword.clone());
            self.keyword(keyword, value);
            self.path.pop();
        }
    }

    fn keyword(&mut self, keyword: &str, value: &Value) {
        match (keyword, value) {
            ("$schema", Value::String(dialect)) if self.path.len() > 1 || dialect != DIALECT => {
                self.issue("another `$schema` than that of 2020-12", "remove it");
            }
            ("$ref", Value::String(reference)) if definition(self.model, reference).is_none() => {
                let help = "write the schema below `$defs`, and refer to it as `#/$defs/NAME`";
                self.issue("a reference to something outside of `$defs`", help);
            }
            ("pattern", Value::String(pattern)) => self.pattern(pattern),
            _ if REFUSED_KEYWORDS.contains(&keyword) => {
                self.issue("a keyword that is not supported", "remove it");
            }
            _ => {}
        }
        self.subschemas(keyword, value);
    }

    fn subschemas(&mut self, keyword: &str, value: &Value) {
        let inner: Vec<(String, &Value)> = match value {
            Value::Array(items) if LIST_KEYWORDS.contains(&keyword) => {
                items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
            }
            Value::Object(named) if NAMED_KEYWORDS.contains(&keyword) => {
                named.iter().map(|(name, schema)| (name.clone(), schema)).collect()
            }
            schema if SCHEMA_KEYWORDS.contains(&keyword) => return self.schema(schema),
            _ => return,
        };
        for (name, schema) in inner {
            self.path.push(name.clone());
            if keyword == "patternProperties" {
                self.pattern(&name);
            }
            self.schema(schema);
            self.path.pop();
        }
    }

    fn pattern(&mut self, pattern: &str) {
        if StringPattern::parse(pattern).is_err() {
            let help = "write one without look-around and references back, of at most 1 KiB";
            self.issue("not a pattern that can be matched in linear time", help);
        }
    }

    fn issue(&mut self, message: &str, help: &str) {
        self.issues.push(ModelIssue::new(&self.path, message, help));
    }
}

/// Returns the issue of a model that amounts to too many schemas, or refers to itself.
fn too_many_schemas(model: &Map<String, Value>) -> Option<ModelIssue> {
    let mut count = Count { model, known: BTreeMap::new() };
    let root = count.schema(&Value::Object(without_definitions(model)));
    let issue = |message: String, help: &str| Some(ModelIssue::new(&[], message, help));
    match root {
        None => issue(
            "the schema refers to itself".to_owned(),
            "write out as many levels as the data have",
        ),
        Some(schemas) if schemas > MODEL_SCHEMAS_MAX => issue(
            format!("the schema amounts to more than {MODEL_SCHEMAS_MAX} schemas"),
            "describe only what is needed",
        ),
        Some(_) => None,
    }
}

fn without_definitions(model: &Map<String, Value>) -> Map<String, Value> {
    let mut model = model.clone();
    model.remove("$defs");
    model
}

/// Counts the schemas of a model with every reference written out.
struct Count<'m> {
    model: &'m Map<String, Value>,
    /// The schemas of each definition; none while it is counted.
    known: BTreeMap<&'m str, Option<usize>>,
}

impl Count<'_> {
    /// Returns the number of schemas, itself included; none if a definition refers to itself.
    fn schema(&mut self, schema: &Value) -> Option<usize> {
        let mut sum = 1_usize;
        let Value::Object(schema) = schema else { return Some(sum) };
        for (keyword, value) in schema {
            let inner: Vec<&Value> = match value {
                Value::String(reference) if keyword == "$ref" => {
                    sum = sum.saturating_add(self.definition(reference)?);
                    continue;
                }
                Value::Array(items) if LIST_KEYWORDS.contains(&keyword.as_str()) => {
                    items.iter().collect()
                }
                Value::Object(named) if NAMED_KEYWORDS.contains(&keyword.as_str()) => {
                    named.values().collect()
                }
                schema if SCHEMA_KEYWORDS.contains(&keyword.as_str()) => vec![schema],
                _ => continue,
            };
            for schema in inner {
                sum = sum.saturating_add(self.schema(schema)?);
            }
        }
        Some(sum)
    }

    fn definition(&mut self, reference: &str) -> Option<usize> {
        let (name, schema) = definition(self.model, reference)?;
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        self.known.insert(name, None);
        let count = self.schema(schema);
        self.known.insert(name, count);
        count
    }
}
