//! Schemas as OpenAI's strict mode has them: every object is closed and requires all of its
//! properties, and null takes the place of one that is left out.
//!
//! Limits of a value that strict mode does not know, such as `maxLength`, are dropped: whoever reads
//! the arguments checks them again. What changes the shape of a value cannot be dropped, and such a
//! tool has no strict form.

use serde_json::{Map, Value, json};

/// The most objects inside one another.
const DEPTH_MAX: usize = 10;
/// The most properties of all objects together.
const PROPERTIES_MAX: usize = 5_000;
/// The most values of all lists of values together.
const ENUM_VALUES_MAX: usize = 1_000;

/// The keywords that have no strict form.
const REFUSED: [&str; 16] = [
    "$ref",
    "allOf",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "maxProperties",
    "minProperties",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedProperties",
];

/// The keywords that are kept as they are.
const KEPT: [&str; 10] = [
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "multipleOf",
    "type",
];

/// Returns the strict form of the arguments of a tool; otherwise why there is none.
pub(super) fn strict(parameters: &Map<String, Value>) -> Result<Map<String, Value>, String> {
    let mut conversion = Conversion { path: Vec::new(), depth: 0, properties: 0, values: 0 };
    conversion.schema(parameters)
}

struct Conversion<'s> {
    /// The names of the properties that lead to the schema.
    path: Vec<&'s str>,
    depth: usize,
    properties: usize,
    values: usize,
}

impl<'s> Conversion<'s> {
    fn schema(&mut self, schema: &'s Map<String, Value>) -> Result<Map<String, Value>, String> {
        if let Some(keyword) = REFUSED.iter().find(|keyword| schema.contains_key(**keyword)) {
            return Err(self.refusal(&format!("has `{keyword}`")));
        }
        let mut strict = Map::new();
        for (keyword, value) in schema {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(_)) => self.object(schema, &mut strict)?,
                ("items", Value::Object(items)) => {
                    strict.insert("items".to_owned(), self.schema(items)?.into());
                }
                ("anyOf", Value::Array(kinds)) => {
                    let kinds: Result<Vec<_>, _> = kinds
                        .iter()
                        .filter_map(Value::as_object)
                        .map(|it| self.schema(it))
                        .collect();
                    strict.insert("anyOf".to_owned(), kinds?.into());
                }
                ("const", value) => {
                    strict.insert("enum".to_owned(), json!([value]));
                }
                (keyword, value) if KEPT.contains(&keyword) => {
                    strict.insert(keyword.to_owned(), value.clone());
                }
                _ => {}
            }
        }
        self.values += schema.get("enum").and_then(Value::as_array).map_or(0, Vec::len);
        self.check_shape(schema)?;
        Ok(strict)
    }

    /// Adds the properties of an object, all of which are required.
    fn object(
        &mut self,
        schema: &'s Map<String, Value>,
        strict: &mut Map<String, Value>,
    ) -> Result<(), String> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|it| it == name));
        self.depth += 1;
        let mut all = Map::new();
        for (name, property) in properties.into_iter().flatten() {
            self.path.push(name);
            let Value::Object(property) = property else {
                return Err(self.refusal("may have any value"));
            };
            let mut inner = self.schema(property)?;
            if !is_required(name) {
                if has_type(property, "null") {
                    return Err(self.refusal("is null for another reason than being left out"));
                }
                inner = or_null(inner, property.get("default"));
            }
            all.insert(name.clone(), inner.into());
            self.path.pop();
        }
        self.depth -= 1;
        self.properties += all.len();
        let names: Vec<_> = all.keys().cloned().collect();
        strict.insert("properties".to_owned(), all.into());
        strict.insert("required".to_owned(), names.into());
        strict.insert("additionalProperties".to_owned(), false.into());
        Ok(())
    }

    /// Checks what a schema allows that strict mode cannot say.
    fn check_shape(&self, schema: &Map<String, Value>) -> Result<(), String> {
        let is_object = has_type(schema, "object");
        let more = schema.get("additionalProperties");
        let has_fields = schema.get("properties").is_some_and(Value::is_object);
        if is_object && (!has_fields || more.is_some_and(|more| more != &Value::from(false))) {
            return Err(self.refusal("may have any fields"));
        }
        let items = schema.get("items").and_then(Value::as_object);
        if has_type(schema, "array") && items.is_none_or(Map::is_empty) {
            return Err(self.refusal("may have any items"));
        }
        if !["type", "anyOf", "enum", "const"].iter().any(|keyword| schema.contains_key(*keyword)) {
            return Err(self.refusal("may have any value"));
        }
        if self.depth >= DEPTH_MAX {
            return Err(self.refusal(&format!("is inside of more than {DEPTH_MAX} objects")));
        }
        if self.properties > PROPERTIES_MAX || self.values > ENUM_VALUES_MAX {
            return Err("its arguments have too many properties or values".to_owned());
        }
        Ok(())
    }

    fn refusal(&self, reason: &str) -> String {
        match &self.path[..] {
            [] => format!("the object of its arguments {reason}"),
            path => format!("`{}` {reason}", path.join(".")),
        }
    }
}

fn has_type(schema: &Map<String, Value>, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|it| it == name),
        Some(it) => it == name,
        None => false,
    }
}

/// Returns a schema that also allows null, and says what null means if there is a default.
fn or_null(mut schema: Map<String, Value>, default: Option<&Value>) -> Map<String, Value> {
    if let Some(default) = default {
        let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let default = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
        let text = format!("{description} (null means {default})");
        schema.insert("description".to_owned(), text.trim_start().into());
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
    match schema.get_mut("type") {
        Some(Value::Array(types)) => types.push("null".into()),
        Some(name) => *name = json!([name.clone(), "null"]),
        None => {
            if let Some(Value::Array(kinds)) = schema.get_mut("anyOf") {
                kinds.push(json!({ "type": "null" }));
            }
        }
    }
    schema
}
