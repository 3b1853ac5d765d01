//! The parameters of a method, checked against its schema: every problem at once, each with its path.
//!
//! The schemas are those of the protocol, which are open: what they do not know is ignored, and named
//! in the warnings of the result or the error. Null is the same as missing.

use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::blobs::MOUNTED_BLOBS_MAX;
use crate::arguments::{self, InvalidArguments};
use crate::failure::with_count;
use crate::input_schema::ValueSchema;
use dibber_protocol::MOUNTED_SKILLS_MAX;
use dibber_skill::contract::skills_protocol::{
    Encoding, LIST_ITEMS_MAX, ProtocolMethod, RpcError, RpcReason,
};
use dibber_skill::contract::{Issue, WireEnum};
use dibber_skill::protocol::tools;
use dibber_text::{Mask, Shown, closest_match};

/// The arguments of a run, and the most levels of arrays and objects in them.
const ARGS: &str = "args";
const ARGS_LEVELS_MAX: usize = 120;

/// The most parameters that are named in the warnings.
const WARNINGS_MAX: usize = 10;

/// Names that callers know from other protocols, and what is probably meant.
const OTHER_NAMES: [(&str, &str); 14] = [
    ("arguments", "args"),
    ("input", "args"),
    ("inputs", "args"),
    ("parameters", "args"),
    ("params", "args"),
    ("blobs", "input_blobs"),
    ("skills", "mount_skills"),
    ("timeout", "timeout_ms"),
    ("function", "entrypoint"),
    ("source", "code"),
    ("mime", "kind"),
    ("mime_type", "kind"),
    ("id", "blob_id"),
    ("skill", "name"),
];

/// The parameters of a call that match the schema of its method.
#[derive(Debug)]
pub(super) struct Parameters {
    values: Map<String, Value>,
    /// What was ignored.
    pub(super) warnings: Vec<String>,
}

/// The parameters of a call that do not match.
#[derive(Debug)]
pub(super) struct InvalidParameters {
    found: InvalidArguments,
    /// What was ignored.
    warnings: Vec<String>,
}

impl Parameters {
    /// Refuses arguments that the sandbox could not read inside its own message.
    pub(super) fn check_levels(&self) -> Result<(), RpcError> {
        if self.values.get(ARGS).is_none_or(|args| levels(args) <= ARGS_LEVELS_MAX) {
            return Ok(());
        }
        let message = format!("`{ARGS}` has more than {ARGS_LEVELS_MAX} levels");
        let fix = "send what is nested more deeply as a string of JSON, or as a blob";
        let issue = Issue {
            path: format!("/{ARGS}"),
            reason: "OUT_OF_RANGE".to_owned(),
            message: message.clone(),
            fix: fix.to_owned(),
        };
        Err(RpcError::invalid(RpcReason::InvalidParams, message, fix).with_issues(vec![issue]))
    }

    /// Returns the parameters as the type of the method.
    pub(super) fn parse<T: DeserializeOwned>(&self) -> Result<T, RpcError> {
        serde_json::from_value(Value::Object(self.values.clone())).map_err(|error| {
            RpcError::invalid(
                RpcReason::InvalidParams,
                format!("the parameters cannot be read: {error}"),
                "read the guide with `load_skills_protocol_guide`",
            )
        })
    }
}

/// Returns the number of levels of arrays and objects.
fn levels(value: &Value) -> usize {
    let of_items = match value {
        Value::Array(items) => items.iter().map(levels).max(),
        Value::Object(members) => members.values().map(levels).max(),
        _ => return 0,
    };
    of_items.unwrap_or_default() + 1
}

/// Returns the parameters of a call if they match the schema of its method.
pub(super) fn check(
    method: ProtocolMethod,
    parameters: Map<String, Value>,
) -> Result<Parameters, InvalidParameters> {
    let schema = schema(method);
    let mut ignored = Vec::new();
    let known = drop_unknown("", parameters, schema, &mut ignored);
    let warnings = warnings(&ignored);
    match arguments::check(known, schema) {
        Ok(values) => Ok(Parameters { values, warnings }),
        Err(found) => Err(InvalidParameters { found, warnings }),
    }
}

/// Returns the error of parameters that do not match.
pub(super) fn invalid(
    method: ProtocolMethod,
    invalid: InvalidParameters,
    mask: &dyn Mask,
) -> RpcError {
    let (issues, count) = invalid.found.into_issues(mask);
    let message =
        issues.first().map_or("the parameters are invalid", |issue: &Issue| &issue.message);
    let help = match issues.as_slice() {
        [one] => one.fix.clone(),
        _ => format!("correct every parameter in `issues`, and call `{}` again", method.name()),
    };
    let message = with_count(message, count);
    let mut error = RpcError::invalid(RpcReason::InvalidParams, message, help).with_issues(issues);
    error.add_warnings(invalid.warnings.iter().map(|warning| mask.mask(warning).into_owned()));
    error
}

/// A parameter that is not known, and one that was probably meant.
struct Ignored {
    name: String,
    meant: Option<String>,
}

/// Removes what a schema does not know, also from the objects in it whose fields it knows.
fn drop_unknown(
    path: &str,
    parameters: Map<String, Value>,
    schema: &ValueSchema,
    ignored: &mut Vec<Ignored>,
) -> Map<String, Value> {
    let mut known = Map::new();
    for (name, value) in parameters {
        let Some(field) = schema.properties.get(&name) else {
            let meant = probably_meant(&name, schema).map(str::to_owned);
            ignored.push(Ignored { name: format!("{path}{name}"), meant });
            continue;
        };
        let value = match value {
            Value::Object(fields) if !field.properties.is_empty() => {
                drop_unknown(&format!("{path}{name}/"), fields, field, ignored).into()
            }
            value => value,
        };
        known.insert(name, value);
    }
    known
}

/// Returns the parameter that was probably meant by an unknown one.
fn probably_meant<'s>(name: &str, schema: &'s ValueSchema) -> Option<&'s str> {
    let mut known = schema.properties.keys().map(String::as_str);
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
    other
        .and_then(|(_, meant)| known.clone().find(|known| known == meant))
        .or_else(|| closest_match(name, &mut known))
}

fn warnings(ignored: &[Ignored]) -> Vec<String> {
    let mut warnings: Vec<_> = ignored.iter().take(WARNINGS_MAX).map(warning).collect();
    if ignored.len() > WARNINGS_MAX {
        let more = ignored.len() - WARNINGS_MAX;
        warnings.push(format!("{more} more unknown parameters were ignored"));
    }
    warnings
}

fn warning(Ignored { name, meant }: &Ignored) -> String {
    let shown = Shown::to_be_masked(name);
    match meant {
        Some(meant) => {
            format!("the unknown parameter `{shown}` was ignored; did you mean `{meant}`?")
        }
        None => format!("the unknown parameter `{shown}` was ignored"),
    }
}

/// Returns the schema of the parameters of a method.
fn schema(method: ProtocolMethod) -> &'static ValueSchema {
    static SCHEMAS: OnceLock<Vec<(ProtocolMethod, ValueSchema)>> = OnceLock::new();
    let schemas = SCHEMAS.get_or_init(|| {
        let parsed = |method: ProtocolMethod| {
            // A test parses the schema of every method.
            let schema = ValueSchema::parse(json_schema(method));
            (method, schema.expect("only keywords that are checked"))
        };
        ProtocolMethod::all().into_iter().map(parsed).collect()
    });
    let found = schemas.iter().find(|(of, _)| *of == method);
    found.map(|(_, schema)| schema).expect("every method has a schema")
}

/// Returns the schema that the protocol has for a method, with the parameters and the limits of this
/// server.
pub(super) fn json_schema(method: ProtocolMethod) -> Map<String, Value> {
    let tool = tools().into_iter().find(|tool| tool.name == method.name());
    let mut schema = tool.map(|tool| tool.parameters).unwrap_or_default();
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    let mut set = |name: &str, keyword: &str, value: Value| properties[name][keyword] = value;
    let milliseconds = json!({
        "type": "integer", "minimum": 1, "description": "Execution timeout in milliseconds",
    });
    match method {
        ProtocolMethod::ListSkills => {
            set("limit", "minimum", 1.into());
            set("limit", "maximum", LIST_ITEMS_MAX.into());
        }
        ProtocolMethod::ExecuteSkill => {
            set("timeout_ms", "minimum", 1.into());
            set("input_blobs", "maxItems", MOUNTED_BLOBS_MAX.into());
            let limits = json!({
                "type": "object", "properties": {"timeout_ms": milliseconds},
                "description": "Execution limits",
            });
            properties["limits"] = limits;
        }
        ProtocolMethod::RunCode => {
            set("input_blobs", "maxItems", MOUNTED_BLOBS_MAX.into());
            set("mount_skills", "maxItems", MOUNTED_SKILLS_MAX.into());
            properties["limits"]["properties"]["timeout_ms"] = milliseconds.clone();
            properties["timeout_ms"] = milliseconds;
        }
        ProtocolMethod::CreateBlob => {
            properties["encoding"] = json!({
                "type": "string", "enum": Encoding::words(), "default": Encoding::default().name(),
                "description": "How the content is written; base64 for bytes that are not text",
            });
        }
        ProtocolMethod::ReadBlob => {
            set("max_bytes", "minimum", 1.into());
            properties["offset"] = json!({
                "type": "integer", "minimum": 0,
                "description": "Bytes to skip: where the previous part ended, to read a large blob in parts",
            });
        }
        ProtocolMethod::DescribeSkill
        | ProtocolMethod::ReadSkillFile
        | ProtocolMethod::LoadSkillsProtocolGuide => {}
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        let Value::Object(object) = value else { unreachable!("an object") };
        object
    }

    #[test]
    fn every_method_has_a_schema_that_is_checked() {
        for method in ProtocolMethod::all() {
            assert!(schema(method).additional_properties.is_none(), "{method:?}");
        }
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let wrong = object(json!({
            "language": "ruby", "args": [], "limits": {"timeout_ms": 0}, "input_blobs": [1],
        }));
        let found = check(ProtocolMethod::RunCode, wrong).expect_err("wrong parameters");
        let error = invalid(ProtocolMethod::RunCode, found, &());
        let data = error.data.expect("data");
        let mut issues: Vec<_> =
            data.issues.iter().map(|issue| format!("{}={}", issue.path, issue.reason)).collect();
        issues.sort();
        assert_eq!(
            issues,
            [
                "/args=WRONG_TYPE",
                "/code=MISSING_FIELD",
                "/input_blobs/0=WRONG_TYPE",
                "/language=UNKNOWN_VALUE",
                "/limits/timeout_ms=OUT_OF_RANGE",
            ]
        );
        assert!(error.message.ends_with("(and 4 more problems)"), "{}", error.message);
    }

    #[test]
    fn arguments_with_too_many_levels_are_refused() {
        for (lists, is_ok) in [(119, true), (120, false)] {
            let deep = (0..lists).fold(json!(1), |inner, _| json!([inner]));
            let given = object(json!({"name": "a.b.c", "args": {"x": deep}}));
            let parameters = check(ProtocolMethod::ExecuteSkill, given).expect("parameters");
            let checked = parameters.check_levels();
            assert_eq!(checked.is_ok(), is_ok, "{checked:?}");
        }
    }

    #[test]
    fn what_is_unknown_is_ignored_and_named() {
        let given = object(json!({
            "name": "a.b.c", "verson": "1.0.0", "limits": {"timeout_ms": 5, "memory": 1}, "x": null,
            "arguments": {},
        }));
        let parameters = check(ProtocolMethod::ExecuteSkill, given).expect("parameters");
        assert_eq!(
            parameters.warnings,
            [
                "the unknown parameter `arguments` was ignored; did you mean `args`?",
                "the unknown parameter `limits/memory` was ignored",
                "the unknown parameter `verson` was ignored; did you mean `version`?",
                "the unknown parameter `x` was ignored",
            ]
        );
        assert_eq!(
            Value::Object(parameters.values),
            json!({"name": "a.b.c", "limits": {"timeout_ms": 5}})
        );
        let many = (0..1000).map(|n| (format!("x{n}"), Value::Null)).collect();
        let parameters = check(ProtocolMethod::ListSkills, many).expect("parameters");
        assert_eq!(parameters.warnings.len(), WARNINGS_MAX + 1);
    }
}
