//! The table `[input_schema]`: a JSON Schema of the arguments of a run.

use serde_json::{Map, Number, Value as Json};
use toml::de::{DeFloat, DeInteger, DeTable, DeValue};

use super::problem::ProtocolProblemKind as Kind;
use super::reader::{Reader, Value, span};
use super::schema_keys::{SchemaHint, hints};
use crate::manifest::Located;
use crate::response_model::{ModelIssue, check_model};
use dibber_text::{Problem, Span, message, quote_in_full};

/// Reads the schema, and reports each fault of it at its place.
pub(super) fn read(value: &Value<'_>, reader: &mut Reader) -> Option<Located<Map<String, Json>>> {
    reader.table(value, "input_schema")?;
    let mut conversion = Conversion::default();
    let Json::Object(schema) = conversion.json(value) else { return None };
    for (span, message, help) in &conversion.problems {
        reader.invalid(*span, *message, *help);
    }
    if !conversion.problems.is_empty() {
        return None;
    }
    if schema.get("type") != Some(&Json::from("object")) {
        let message = "the type of the `input_schema` is not `object`";
        let help = "add `type = \"object\"`: the arguments of a run have names";
        reader.invalid(span_at(value, &["type".to_owned()]), message, help);
        return None;
    }
    let issues = check_model(&schema);
    for ModelIssue { path, message, help } in &issues {
        let message = message!["`input_schema`: ", quote_in_full(message)];
        reader.invalid(span_at(value, path), message, message![quote_in_full(help)]);
    }
    if !issues.is_empty() {
        return None;
    }
    for SchemaHint { path, message, help } in hints(&schema) {
        let message = message!["`input_schema`: ", message];
        let problem = Problem::new(key_span_at(value, &path), message).with_help(help);
        reader.add(Kind::UnknownKey, problem);
    }
    Some(Located { value: schema, span: span(value) })
}

/// Returns the place of the last name on the way, or of the value if that is an index.
fn key_span_at(root: &Value<'_>, path: &[String]) -> Span {
    let Some((last, parents)) = path.split_last() else { return span(root) };
    let parent = value_at(root, parents);
    let key = parent.get_ref().as_table().and_then(|table| table.get_key_value(last.as_str()));
    key.map_or_else(|| span_at(root, path), |(key, _)| Span::from(key.span()))
}

/// Returns the place to which these names and indexes lead, or the last one on the way.
fn span_at(root: &Value<'_>, path: &[String]) -> Span {
    span(value_at(root, path))
}

fn value_at<'v, 't>(root: &'v Value<'t>, path: &[String]) -> &'v Value<'t> {
    let mut value = root;
    for part in path {
        let next = match value.get_ref() {
            DeValue::Table(table) => table.get(part.as_str()),
            DeValue::Array(items) => part.parse().ok().and_then(|at: usize| items.get(at)),
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => break,
        }
    }
    value
}

/// Returns a TOML table as JSON. What JSON does not have is a string.
pub(super) fn as_json(table: &DeTable<'_>) -> Map<String, Json> {
    Conversion::default().table(table)
}

/// Converts TOML to JSON, which has no dates and no infinite numbers.
#[derive(Default)]
struct Conversion {
    problems: Vec<(Span, &'static str, &'static str)>,
}

impl Conversion {
    fn json(&mut self, value: &Value<'_>) -> Json {
        match value.get_ref() {
            DeValue::String(text) => Json::from(text.as_ref()),
            DeValue::Boolean(value) => Json::from(*value),
            DeValue::Integer(number) => integer(number).unwrap_or_else(|| {
                let message = "the integer does not fit into 64 bits";
                self.problems.push((span(value), message, "write a smaller number"));
                Json::from(number.as_str())
            }),
            DeValue::Float(number) => float(number).unwrap_or_else(|| {
                self.problems.push((
                    span(value),
                    "JSON has no such number",
                    "write a finite number",
                ));
                Json::from(number.as_str())
            }),
            DeValue::Datetime(date) => {
                self.problems.push((span(value), "JSON has no dates", "write it as a string"));
                Json::from(date.to_string())
            }
            DeValue::Array(items) => items.iter().map(|item| self.json(item)).collect(),
            DeValue::Table(table) => Json::Object(self.table(table)),
        }
    }

    fn table(&mut self, table: &DeTable<'_>) -> Map<String, Json> {
        let fields = table.iter();
        fields.map(|(key, value)| (key.get_ref().to_string(), self.json(value))).collect()
    }
}

fn integer(number: &DeInteger<'_>) -> Option<Json> {
    i64::from_str_radix(number.as_str(), number.radix()).ok().map(Json::from)
}

fn float(number: &DeFloat<'_>) -> Option<Json> {
    number.as_str().parse().ok().and_then(Number::from_f64).map(Json::Number)
}
