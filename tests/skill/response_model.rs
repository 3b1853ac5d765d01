//! Response models: which schemas are taken, where a fault of one is, and what data match.

use std::time::{Duration, Instant};

use dibber_skill::manifest::{self, MANIFEST_FILE_NAME, Manifest};
use dibber_skill::response_model::{
    ISSUES_MAX, MODEL_BYTES_MAX, MODEL_DEPTH_MAX, ModelIssue, check_data, check_model,
};
use dibber_text::Source;
use serde_json::{Map, Value, json};

use crate::support::shown;

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object: {value}") };
    object
}

fn show(issues: &[ModelIssue]) -> String {
    let line = |it: &ModelIssue| format!("{}: {} ({})\n", it.json_pointer(), it.message, it.help);
    issues.iter().map(line).collect()
}

fn questions() -> Map<String, Value> {
    object(json!({
        "type": "object",
        "required": ["asked"],
        "properties": {
            "asked": {"type": "integer", "minimum": 1},
            "answers": {"type": "array", "items": {"$ref": "#/$defs/answer"}},
        },
        "additionalProperties": false,
        "$defs": {"answer": {"enum": ["right", "wrong"]}},
    }))
}

#[test]
fn a_schema_with_definitions_is_a_model() {
    assert_eq!(check_model(&questions()), []);
    assert_eq!(check_model(&object(json!({}))), []);
    let with_dialect = json!({"$schema": "https://json-schema.org/draft/2020-12/schema"});
    assert_eq!(check_model(&object(with_dialect)), []);
    // What is no keyword is data, or a name.
    let data = json!({
        "properties": {"$ref": {"type": "string"}, "pattern": true},
        "const": {"$ref": "https://example.org/"}, "examples": [{"$id": "x"}],
    });
    assert_eq!(check_model(&object(data)), []);
}

#[test]
fn every_fault_of_a_schema_has_a_path() {
    let mut shown = String::new();
    for model in [
        json!({"type": "text"}),
        json!({"properties": {"a/b": {"type": 1, "minItems": -1}}, "required": "a"}),
        json!({"$ref": "https://example.org/schema"}),
        json!({"items": {"$ref": "#/$defs/none"}}),
        json!({"items": {"$ref": "#/properties/a"}, "properties": {"a": true}}),
        json!({"$id": "https://example.org/"}),
        json!({"allOf": [{"$dynamicRef": "#a"}]}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#"}),
        json!({"properties": {"a": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}}),
        json!({"properties": {"a": {"pattern": "(?=a)b"}}, "patternProperties": {"(": true}}),
        json!({"maximum": 9_007_199_254_740_993_u64}),
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}}),
    ] {
        let issues = check_model(&object(model.clone()));
        assert!(!issues.is_empty(), "{model}");
        shown += &format!("{model}\n{}\n", show(&issues));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_schema_has_limits() {
    let long = json!({"description": "x".repeat(MODEL_BYTES_MAX)});
    let mut deep = json!(true);
    for _ in 0..=MODEL_DEPTH_MAX {
        deep = json!({"not": deep});
    }
    // 2^40 schemas when every reference is written out.
    let mut definitions = Map::new();
    for number in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", number + 1)});
        definitions.insert(format!("d{number}"), json!({"allOf": [next, next]}));
    }
    definitions.insert("d40".to_owned(), json!(true));
    let wide = json!({"$ref": "#/$defs/d0", "$defs": definitions});
    let broken: Map<_, _> = (0..200).map(|it| (it.to_string(), json!({"type": it}))).collect();
    let many = json!({"properties": broken});
    let all = [long, deep, wide].map(|model| show(&check_model(&object(model))));
    insta::assert_snapshot!(all.concat());
    assert_eq!(check_model(&object(many)).len(), ISSUES_MAX);
}

#[test]
fn data_that_do_not_match_are_reported_with_their_paths() {
    let model = questions();
    assert_eq!(check_data(&model, &json!({"asked": 5, "answers": ["right"]})), Ok(()));
    let mut all = String::new();
    for data in [
        json!(null),
        json!({"asked": "a secret", "answers": ["right", "unknown"], "a/b": 1}),
        json!({}),
    ] {
        all += &format!("{data}\n{}\n", show(&check_data(&model, &data).expect_err("issues")));
    }
    assert!(!all.replace(&json!({"asked": "a secret"}).to_string(), "").is_empty());
    insta::assert_snapshot!(all);
    let many = json!({"asked": 1, "answers": vec!["x"; 1000]});
    assert_eq!(check_data(&model, &many).expect_err("issues").len(), ISSUES_MAX);
}

/// A pattern and a value that are slow for an engine that goes back.
#[test]
fn a_check_ends_soon() {
    let model = object(json!({"items": {"pattern": "^(a+)+$"}}));
    assert_eq!(check_model(&model), []);
    let data = json!([format!("{}b", "a".repeat(100_000))]);
    let began = Instant::now();
    assert_eq!(check_data(&model, &data).expect_err("no match").len(), 1);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

fn parse(text: &str) -> (Manifest, String) {
    let source = Source::new(MANIFEST_FILE_NAME, text);
    let (manifest, problems) = manifest::parse(&source);
    let mut lines = String::new();
    for found in problems {
        let place = source.line_column(found.problem.place.start);
        let (message, help) = (&found.problem.message, found.problem.help.as_ref());
        let help = help.map(shown).unwrap_or_default();
        lines += &format!("{}:{} {}\n  {help}\n", place.line, place.column, shown(message));
    }
    (manifest, lines)
}

#[test]
fn the_schema_in_a_manifest_is_json() {
    let text = "\
result:
  type: object
  properties:
    asked: {type: integer, minimum: 1}
    rate:
      type: number
      enum: [0.5, 1]
  required: [asked]
";
    let (manifest, problems) = parse(text);
    assert_eq!(problems, "");
    let model = json!({
        "type": "object",
        "properties": {
            "asked": {"type": "integer", "minimum": 1},
            "rate": {"type": "number", "enum": [0.5, 1]},
        },
        "required": ["asked"],
    });
    let result = manifest.result.expect("a schema");
    assert_eq!(result.value, object(model));
    assert_eq!(&text[result.span.range()][..4], "type");
}

#[test]
fn a_fault_in_a_manifest_is_at_its_line() {
    let mut all = String::new();
    for text in [
        "result:\n  type: object\n  properties:\n    asked:\n      type: int\n",
        "label: Quiz\nresult:\n  allOf:\n    - {}\n    - $ref: https://example.org/schema\n",
        "result: object\n",
        "result: []\n",
        "result:\n",
        "result:\n  properties:\n    - asked\n",
        "result:\n  maximum: 9007199254740993\n",
    ] {
        let (manifest, problems) = parse(text);
        assert_eq!(manifest.result, None, "{text}");
        all += &format!("{text}{problems}\n");
    }
    insta::assert_snapshot!(all);
}
