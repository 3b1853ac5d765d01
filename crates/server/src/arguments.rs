//! Checks the arguments of a call against the input schema of its tool. It reports every problem
//! at once, each with its path, in the words of the tool's own fields.

use serde_json::{Map, Number, Value};

use super::failure::{Failure, ISSUES_MAX};
use super::input_schema::{ValueSchema, ValueType};
use super::type_words::type_in_words;
use dibber_skill::contract::{Issue, check_id};
use dibber_text::{CappedByKey, Mask, Shown, closest_match, json_pointer};

/// Arguments that do not match the schema of their tool.
#[derive(Debug)]
pub(super) struct InvalidArguments {
    issues: Vec<Issue>,
    /// The number of issues, with those that are left out.
    count: usize,
}

impl InvalidArguments {
    /// Returns the refusal of the call, which quotes the arguments.
    pub(super) fn into_failure(self, mask: &dyn Mask) -> Failure {
        let (issues, count) = self.into_issues(mask);
        Failure::invalid_arguments(&issues, count)
    }

    /// Returns what is wrong, at least one issue, and the number of issues with those that are left out.
    pub(super) fn into_issues(mut self, mask: &dyn Mask) -> (Vec<Issue>, usize) {
        for issue in &mut self.issues {
            for quoting in [&mut issue.path, &mut issue.message] {
                *quoting = mask.mask(quoting).into_owned();
            }
        }
        (self.issues, self.count)
    }
}

/// Returns the arguments of a call if they match the schema of its tool. An integer that is written
/// with a fraction of zero, such as `1.0`, becomes `1`.
pub(super) fn check(
    arguments: Map<String, Value>,
    schema: &ValueSchema,
) -> Result<Map<String, Value>, InvalidArguments> {
    let mut checker = Checker::new();
    let mut arguments = arguments;
    checker.object(&mut arguments, schema);
    if checker.is_ok {
        return Ok(arguments);
    }
    let mut omitted = 0;
    let issues = checker.issues.into_items(|_, more| omitted = more);
    let count = issues.len() + omitted;
    Err(InvalidArguments { issues, count })
}

struct Checker {
    path: Vec<String>,
    issues: CappedByKey<(), Issue>,
    is_ok: bool,
}

impl Checker {
    const fn new() -> Self {
        Self { path: Vec::new(), issues: CappedByKey::new(ISSUES_MAX), is_ok: true }
    }

    fn object(&mut self, object: &mut Map<String, Value>, schema: &ValueSchema) {
        let ValueSchema { properties, required, .. } = schema;
        // What may be left out may be null instead, which means the same.
        object.retain(|name, value| {
            !value.is_null()
                || required.contains(name)
                || properties.get(name).is_none_or(|field| has_type(value, field))
        });
        for name in required.iter().filter(|name| !object.contains_key(*name)) {
            self.in_field(name, |checker| checker.missing_field(properties.get(name)));
        }
        for (name, value) in object {
            self.in_field(name, |checker| match properties.get(name) {
                Some(schema) => checker.value(value, schema),
                None if schema.additional_properties == Some(false) => {
                    checker.unknown_field(name, schema);
                }
                None => {}
            });
        }
    }

    fn missing_field(&mut self, schema: Option<&ValueSchema>) {
        let message = format!("`{}` is missing", self.name());
        let mut fix = "add it".to_owned();
        if let Some(schema) = schema.filter(|schema| schema.choices.is_some()) {
            fix += &format!(" as {}", expected(schema));
        }
        if let Some(schema) = schema.filter(|schema| !schema.description.is_empty()) {
            fix += &format!(": {}", schema.description);
        }
        self.issue("MISSING_FIELD", message, fix);
    }

    fn unknown_field(&mut self, name: &str, schema: &ValueSchema) {
        let known = schema.properties.keys().map(String::as_str);
        let fix = match closest_match(name, known.clone()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if schema.properties.is_empty() => {
                "remove it; the tool takes no arguments".to_owned()
            }
            None => format!("remove it; the fields are {}", known.collect::<Vec<_>>().join(", ")),
        };
        let shown = Shown::to_be_masked(name);
        self.issue("UNKNOWN_FIELD", format!("unknown field `{shown}`"), fix);
    }

    fn value(&mut self, value: &mut Value, schema: &ValueSchema) {
        if !has_type(value, schema) {
            return self.wrong_type(value, schema);
        }
        if let Some(choices) = schema.choices.as_ref().filter(|choices| !choices.contains(value)) {
            return match value {
                Value::String(word) => self.unknown_word(word, choices, schema),
                _ => self.wrong_type(value, schema),
            };
        }
        match value {
            Value::String(string) => self.string(string, schema),
            Value::Number(number) => self.integer(number, schema),
            Value::Array(items) => self.array(items, schema),
            Value::Object(object) => self.object(object, schema),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn string(&mut self, string: &str, schema: &ValueSchema) {
        // An empty string is an id of nothing, which the tool refuses.
        let id = Some(string).filter(|string| self.is_id() && !string.is_empty());
        if let Some(Err(cause)) = id.map(check_id) {
            let message = format!("invalid `{}`: {cause}", self.name());
            let fix = "use an id as the other tools answer with it".to_owned();
            return self.issue("WRONG_FORM", message, fix);
        }
        let characters = string.chars().count();
        if let Some(max) = schema.max_length.filter(|max| characters > *max) {
            let message =
                format!("`{}` has {characters} characters; the maximum is {max}", self.name());
            return self.issue("TOO_LONG", message, "shorten it".to_owned());
        }
        if let Some(pattern) = schema.pattern.as_ref().filter(|it| !it.is_match(string)) {
            let message =
                format!("`{}` does not match the pattern `{}`", self.name(), pattern.as_str());
            let fix = match schema.description.as_str() {
                "" => "write it as the pattern says".to_owned(),
                description => format!("write it as the pattern says: {description}"),
            };
            self.issue("WRONG_FORM", message, fix);
        }
    }

    /// Returns `true` if the present value is an id, or one in a list of ids. The names of all arguments
    /// with ids end in the same way.
    fn is_id(&self) -> bool {
        let is_index = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
        let name = self.path.iter().rev().find(|name| !is_index(name));
        name.is_some_and(|name| name.ends_with("Id") || name.ends_with("Ids"))
    }

    fn integer(&mut self, number: &mut Number, schema: &ValueSchema) {
        let Some(integer) = as_integer(number) else { return };
        let is_below = schema.minimum.is_some_and(|min| integer < i128::from(min));
        let is_above = schema.maximum.is_some_and(|max| integer > i128::from(max));
        if is_below || is_above {
            self.wrong("OUT_OF_RANGE", &number.to_string(), schema);
        } else if let Ok(integer) = i64::try_from(integer) {
            *number = integer.into();
        }
    }

    fn unknown_word(&mut self, word: &str, choices: &[Value], schema: &ValueSchema) {
        let shown = Shown::to_be_masked(word);
        let expected = expected(schema);
        let message = format!("`{}` is `{shown}`, not {expected}", self.name());
        let fix = match closest_match(word, choices.iter().filter_map(Value::as_str)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("use {expected}"),
        };
        self.issue("UNKNOWN_VALUE", message, fix);
    }

    fn array(&mut self, items: &mut [Value], schema: &ValueSchema) {
        if let Some(max) = schema.max_items.filter(|max| items.len() > *max) {
            let message =
                format!("`{}` has {} items; the maximum is {max}", self.name(), items.len());
            return self.issue("TOO_MANY", message, "remove some".to_owned());
        }
        let Some(schema) = &schema.items else { return };
        for (index, item) in items.iter_mut().enumerate() {
            self.in_field(&index.to_string(), |checker| checker.value(item, schema));
        }
    }

    fn wrong_type(&mut self, value: &Value, schema: &ValueSchema) {
        match value {
            Value::Number(number) if schema.types.contains(&ValueType::Integer) => {
                self.wrong("WRONG_TYPE", &number.to_string(), schema);
            }
            _ => self.wrong("WRONG_TYPE", kind(value), schema),
        }
    }

    fn wrong(&mut self, reason: &str, actual: &str, schema: &ValueSchema) {
        let expected = expected(schema);
        let message = format!("`{}` is {actual}, not {expected}", self.name());
        let has_parts =
            schema.types.iter().any(|it| matches!(it, ValueType::Array | ValueType::Object));
        let fix = match schema.description.as_str() {
            description if has_parts && !description.is_empty() => {
                format!("use {expected}: {description}")
            }
            _ => format!("use {expected}"),
        };
        self.issue(reason, message, fix);
    }

    fn in_field(&mut self, name: &str, work: impl FnOnce(&mut Self)) {
        self.path.push(name.to_owned());
        work(self);
        self.path.pop();
    }

    /// Returns the name of the argument as it is shown: `inputVariables/2/name`.
    fn name(&self) -> String {
        Shown::to_be_masked(&self.path.join("/")).to_string()
    }

    fn issue(&mut self, reason: &str, message: String, fix: String) {
        self.is_ok = false;
        let path = &self.path;
        self.issues.push_with((), || {
            let path = json_pointer(path);
            Issue { path, reason: reason.to_owned(), message, fix }
        });
    }
}

/// Returns `true` if a value has one of the types of a schema, or the schema has none.
fn has_type(value: &Value, schema: &ValueSchema) -> bool {
    schema.types.is_empty()
        || schema.types.iter().any(|wanted| match (wanted, value) {
            (ValueType::Null, Value::Null)
            | (ValueType::Boolean, Value::Bool(_))
            | (ValueType::String, Value::String(_))
            | (ValueType::Array, Value::Array(_))
            | (ValueType::Object, Value::Object(_)) => true,
            (ValueType::Integer, Value::Number(number)) => as_integer(number).is_some(),
            _ => false,
        })
}

/// Returns the integer that a number is. To JSON Schema, `1.0` is one.
fn as_integer(number: &Number) -> Option<i128> {
    let of_float = |float: &f64| format!("{float:.0}").parse().ok();
    number.as_i128().or_else(|| {
        let whole = number.as_f64().filter(|float| float.fract() == 0.0);
        whole.as_ref().and_then(of_float).filter(|integer| i64::try_from(*integer).is_ok())
    })
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Returns what a schema asks for, in words.
fn expected(schema: &ValueSchema) -> String {
    let word = |choice: &Value| choice.as_str().map_or_else(|| choice.to_string(), str::to_owned);
    match schema.choices.as_deref() {
        Some([one]) => word(one),
        Some(several) => {
            format!("one of {}", several.iter().map(word).collect::<Vec<_>>().join(", "))
        }
        None => {
            let types = schema.types.iter().map(|wanted| type_in_words(*wanted, schema));
            types.collect::<Vec<_>>().join(" or ")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Checks a value as the argument `x`; returns it, or the message about it.
    fn checked(schema: &Value, value: &Value) -> Result<Value, String> {
        let schema = json!({"type": "object", "properties": {"x": schema}});
        let schema = ValueSchema::of_test(&schema).expect("a schema");
        let Value::Object(arguments) = json!({"x": value}) else { unreachable!("an object") };
        let checked = check(arguments, &schema).map(|checked| checked["x"].clone());
        checked.map_err(|invalid| invalid.issues[0].message.clone())
    }

    #[test]
    fn an_integer_may_have_a_fraction_of_zero() {
        let integer = json!({"type": "integer"});
        for (written, meant) in [("1", 1), ("1.0", 1), ("1e2", 100), ("-0.0", 0)] {
            let written: Value = serde_json::from_str(written).expect("a number");
            assert_eq!(checked(&integer, &written), Ok(json!(meant)));
        }
        assert_eq!(checked(&integer, &json!(u64::MAX)), Ok(json!(u64::MAX)));
        for wrong in [json!(1.5), json!(1e300)] {
            assert_eq!(checked(&integer, &wrong), Err(format!("`x` is {wrong}, not an integer")));
        }
    }

    #[test]
    fn bounds_are_optional() {
        let min = json!({"type": "integer", "minimum": 1});
        let message = "`x` is 0, not an integer of at least 1";
        assert_eq!(checked(&min, &json!(0)), Err(message.to_owned()));
        assert_eq!(checked(&min, &json!(i64::MAX)), Ok(json!(i64::MAX)));
        let max = json!({"type": "integer", "maximum": 5});
        let message = "`x` is 6, not an integer of at most 5";
        assert_eq!(checked(&max, &json!(6.0)), Err(message.replace('6', "6.0")));
        assert_eq!(checked(&max, &json!(6)), Err(message.to_owned()));
        let short = json!({"type": "string", "maxLength": 2});
        let message = "`x` has 3 characters; the maximum is 2";
        assert_eq!(checked(&short, &json!("ééé")), Err(message.to_owned()));
        assert_eq!(checked(&short, &json!("éé")), Ok(json!("éé")));
    }

    #[test]
    fn a_default_is_not_filled_in() {
        let schema = json!({"type": "integer", "default": 50, "maximum": 200});
        let fields = json!({"type": "object", "properties": {"limit": schema}});
        let schema = ValueSchema::of_test(&fields).expect("a schema");
        for (given, read) in [
            (json!({}), json!({})),
            (json!({"limit": null}), json!({})),
            (json!({"limit": 5}), json!({"limit": 5})),
        ] {
            let Value::Object(arguments) = given else { unreachable!("an object") };
            assert_eq!(Value::from(check(arguments, &schema).expect("arguments")), read);
        }
    }

    #[test]
    fn a_pattern_is_checked_and_a_format_is_not() {
        let schema = json!({"type": "string", "pattern": "^[a-z]+$", "format": "date"});
        assert_eq!(checked(&schema, &json!("abc")), Ok(json!("abc")));
        let message = "`x` does not match the pattern `^[a-z]+$`";
        assert_eq!(checked(&schema, &json!("a b")), Err(message.to_owned()));
    }

    #[test]
    fn null_is_a_type() {
        let schema = json!({"type": ["integer", "null"], "maximum": 3});
        assert_eq!(checked(&schema, &json!(null)), Ok(json!(null)));
        assert_eq!(checked(&schema, &json!(2.0)), Ok(json!(2)));
        let text = checked(&schema, &json!("a")).expect_err("a string");
        assert_eq!(text, "`x` is a string, not an integer of at most 3 or null");
        let large = checked(&schema, &json!(4)).expect_err("too large");
        assert!(large.starts_with("`x` is 4, not an integer of at most 3"), "{large}");
        let words = json!({"type": ["string", "null"], "enum": ["a", null]});
        assert_eq!(checked(&words, &json!(null)), Ok(json!(null)));
        let message = "`x` is `b`, not one of a, null";
        assert_eq!(checked(&words, &json!("b")), Err(message.to_owned()));
    }
}
