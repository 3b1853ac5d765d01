//! `dibber schema tools --for`: that definitions keep the published rules of the vendors.
//!
//! OpenAI, "Structured Outputs", supported schemas: every object is closed and requires all of its
//! properties, some keywords are unknown. Both vendors: the name of a tool, an object at the top
//! without alternatives.

use serde_json::{Map, Value};

use crate::support::Tree;
use crate::support::command::Dibber;

/// The keywords that OpenAI names as supported in strict mode, and its own for descriptions.
const STRICT_KEYWORDS: [&str; 15] = [
    "additionalProperties",
    "anyOf",
    "description",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "multipleOf",
    "properties",
    "required",
    "type",
];

const SKILL: &str = r#"-- family.dates.countdown/SKILL.md --
---
name: Days until a date
description: Counts the days to a date. Use when someone asks how long it is until a holiday.
---
Run it with the date.
-- family.dates.countdown/skill.toml --
name = "family.dates.countdown"
version = "0.1.0"
description = "Counts the days to a date."
kind = "instruction"
license = "MIT"

[input_schema]
type = "object"
required = ["date"]
properties.date = { type = "string", maxLength = 10 }
properties.unit = { type = "string", enum = ["days", "weeks"], default = "days" }
properties.share = { const = true }
"#;

fn run(arguments: &[&str]) -> (Vec<Value>, String) {
    let tree = Tree::from_archive(SKILL, false);
    let ended =
        Dibber::new([&["schema", "tools"], arguments].concat()).in_directory(tree.path()).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    (serde_json::from_str(&ended.stdout).expect("a list"), ended.stderr)
}

fn every_tool(format: &str) -> Vec<Value> {
    run(&["--for", format, "protocol", "server", "family.dates.countdown"]).0
}

fn check_common(name: &Value, parameters: &Value) {
    let name = name.as_str().expect("a name");
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    assert!((1..=64).contains(&name.len()) && name.chars().all(is_of_name), "{name}");
    assert_eq!(parameters["type"], "object", "{name}");
    assert!(parameters["properties"].is_object(), "{name}");
    for keyword in ["anyOf", "oneOf", "allOf", "not", "enum"] {
        assert!(parameters.get(keyword).is_none(), "{name}: {keyword} at the top");
    }
    jsonschema::draft202012::meta::validate(parameters).expect("a schema");
}

/// Calls `act` with a schema and all schemas in it.
fn for_each_schema(schema: &Value, act: &mut impl FnMut(&Map<String, Value>)) {
    let Value::Object(fields) = schema else { return };
    act(fields);
    for (keyword, value) in fields {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(all)) => {
                for schema in all.values() {
                    for_each_schema(schema, act);
                }
            }
            ("items", schema) => for_each_schema(schema, act),
            ("anyOf", Value::Array(all)) => {
                for schema in all {
                    for_each_schema(schema, act);
                }
            }
            _ => {}
        }
    }
}

fn check_strict(schema: &Map<String, Value>) {
    for keyword in schema.keys() {
        assert!(STRICT_KEYWORDS.contains(&keyword.as_str()), "{keyword} in {schema:?}");
    }
    if let Some(Value::Object(properties)) = schema.get("properties") {
        assert_eq!(schema["additionalProperties"], false);
        let required: Vec<_> =
            schema["required"].as_array().expect("a list").iter().map(Value::as_str).collect();
        assert_eq!(required, properties.keys().map(|name| Some(name.as_str())).collect::<Vec<_>>());
    }
}

#[test]
fn the_tools_of_the_protocol_are_printed_in_its_order() {
    let names: Vec<_> = run(&["--for", "json"]).0.iter().map(|tool| tool["name"].clone()).collect();
    let expected = [
        "list_skills",
        "describe_skill",
        "read_skill_file",
        "execute_skill",
        "run_code",
        "create_blob",
        "read_blob",
        "load_skills_protocol_guide",
    ];
    assert_eq!(names, expected);
}

#[test]
fn a_definition_as_it_is_has_the_parameters_of_the_skill() {
    let (tools, _) = run(&["--for", "json", "family.dates.countdown"]);
    assert_eq!(tools[0]["name"], "family-dates-countdown");
    assert_eq!(tools[0]["parameters"]["properties"]["date"]["maxLength"], 10);
}

#[test]
fn anthropic_accepts_every_tool() {
    for tool in every_tool("anthropic") {
        let keys: Vec<_> = tool.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["description", "input_schema", "name"]);
        check_common(&tool["name"], &tool["input_schema"]);
    }
}

#[test]
fn openai_accepts_every_tool() {
    for tool in every_tool("openai") {
        assert_eq!(tool["type"], "function");
        let function = &tool["function"];
        check_common(&function["name"], &function["parameters"]);
        for_each_schema(&function["parameters"], &mut |schema| {
            let is_list = schema.get("type").is_some_and(|name| name == "array");
            assert!(!is_list || schema.contains_key("items"), "{schema:?}");
        });
    }
}

#[test]
fn strict_definitions_keep_the_rules_of_strict_mode() {
    let mut strict = 0;
    for tool in every_tool("openai-strict") {
        let function = &tool["function"];
        check_common(&function["name"], &function["parameters"]);
        if function["strict"] == true {
            for_each_schema(&function["parameters"], &mut check_strict);
            strict += 1;
        }
    }
    assert!(strict > 12, "{strict}");
}

#[test]
fn null_takes_the_place_of_a_value_that_is_left_out() {
    let (tools, _) = run(&["--for", "openai-strict", "family.dates.countdown"]);
    let properties = &tools[0]["function"]["parameters"]["properties"];
    assert_eq!(properties["date"], serde_json::json!({ "type": "string" }));
    let unit = serde_json::json!({
        "type": ["string", "null"],
        "enum": ["days", "weeks", null],
        "description": "(null means days)",
    });
    assert_eq!(properties["unit"], unit);
    assert_eq!(properties["share"], serde_json::json!({ "enum": [true, null] }));
}

#[test]
fn a_tool_without_a_strict_form_says_why() {
    let (tools, stderr) = run(&["--for", "openai-strict", "execute_skill"]);
    assert_eq!(tools[0]["function"]["strict"], false);
    assert!(
        stderr.contains("`execute_skill` is not strict: `args` may have any fields"),
        "{stderr}"
    );
}

#[test]
fn what_is_no_tool_is_refused() {
    let tree = Tree::from_archive(SKILL, false);
    for arguments in [
        &["schema", "tools", "--for", "json", "list_skill"][..],
        &["schema", "tools", "--for", "json", "nowhere"],
        &["schema", "sprout", "--for", "json"],
        &["schema", "tools", "list_skills"],
    ] {
        let ended = Dibber::new(arguments).in_directory(tree.path()).run();
        insta::assert_snapshot!(ended.show());
    }
}
