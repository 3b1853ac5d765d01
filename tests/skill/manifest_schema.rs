//! The JSON Schema of `sprout.yaml`, and that it agrees with the reader.
//!
//! Both judge the same: which keys there are, which are needed, and what type each value has.
//! What a value may be beyond its type (that ages are a range, that an id is a UUID, that there
//! are at most five canvases, that a label is not blank) is in neither: it is judged from the
//! arguments of the draft, by rules of their own, which can be waived. Duplicate keys and
//! the syntax of YAML are the reader's alone, since no schema sees them.

use dibber_skill::manifest::{self, INPUT_TYPES, MANIFEST_FILE_NAME, SCHEMA};
use dibber_text::Source;
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

use crate::support::{command::Dibber, shown};

/// How many documents the property is tried on.
const DOCUMENTS: u32 = 512;

fn schema() -> Value {
    serde_json::from_str(SCHEMA).expect("JSON")
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema()).expect("a schema")
}

/// What the reader reports for a document, written as JSON and as YAML: both have to agree.
fn faults(document: &Value) -> Vec<String> {
    let json = serde_json::to_string(document).expect("JSON");
    let yaml = serde_yaml::to_string(document).expect("YAML");
    let [from_json, from_yaml] = [json, yaml].map(|text| {
        let (_, faults) = manifest::parse(&Source::new(MANIFEST_FILE_NAME, text));
        let mut messages: Vec<_> =
            faults.into_iter().map(|found| shown(&found.problem.message)).collect();
        messages.sort();
        messages
    });
    assert_eq!(
        from_json.is_empty(),
        from_yaml.is_empty(),
        "{document}: {from_json:?} {from_yaml:?}"
    );
    from_json
}

fn check(validator: &Validator, document: &Value) {
    let faults = faults(document);
    let errors: Vec<_> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert_eq!(
        faults.is_empty(),
        errors.is_empty(),
        "{document:#}\nreader: {faults:#?}\nschema: {errors:#?}"
    );
}

/// Strings that YAML or a person may read as something else.
fn text() -> impl Strategy<Value = Value> {
    let known = select(vec![
        "Check-in",
        "",
        " ",
        "5-7",
        "7",
        "yes",
        "true",
        "~",
        "null",
        "1e3",
        "0x1F",
        "a: b",
        "# a",
        "- a",
        "*a",
        "&a",
        "{{input.x}}",
        "[a]",
        "a\nb\n",
        "'",
        "\"",
        "%",
        "@",
        "0 8 * * 1-5",
    ]);
    prop_oneof![3 => known.prop_map(Value::from), 1 => "\\PC{0,12}".prop_map(Value::from)]
}

fn input_name() -> impl Strategy<Value = Value> {
    select(vec!["child_name", "x", "_1", "Today", "null", "true", "name"]).prop_map(Value::from)
}

fn truth() -> impl Strategy<Value = Value> {
    any::<bool>().prop_map(Value::from)
}

fn texts() -> impl Strategy<Value = Value> {
    prop::collection::vec(text(), 0..3).prop_map(Value::from)
}

fn anything() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        truth(),
        (-3..200_i64).prop_map(Value::from),
        Just(json!(1.5)),
        text(),
        texts(),
        Just(json!([])),
        Just(json!({})),
        Just(json!({ "name": "a" })),
        Just(json!([["a"]])),
        Just(json!([{ "name": { "name": "a" } }])),
    ]
}

/// A mapping of the needed keys, and of those of the others that are not none.
fn mapping(
    keys: &'static [&'static str],
    values: impl Strategy<Value = Vec<Option<Value>>>,
) -> impl Strategy<Value = Value> {
    values.prop_map(|values| {
        let given = keys.iter().zip(values);
        let given = given.filter_map(|(key, value)| Some(((*key).to_owned(), value?)));
        Value::Object(given.collect::<Map<_, _>>())
    })
}

fn maybe(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Option<Value>> {
    prop::option::of(value)
}

fn always(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Option<Value>> {
    value.prop_map(Some)
}

fn list(item: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec(item, 0..3).prop_map(Value::from)
}

fn input() -> impl Strategy<Value = Value> {
    let kind = select(&INPUT_TYPES[..]).prop_map(Value::from);
    let values = (always(input_name()), maybe(kind), maybe(text()), maybe(truth()))
        .prop_map(|(name, kind, description, required)| vec![name, kind, description, required]);
    mapping(&["name", "type", "description", "required"], values)
}

fn heartbeat() -> impl Strategy<Value = Value> {
    let filled_in = prop::collection::vec((input_name(), anything()), 0..3).prop_map(|pairs| {
        let name = |name: Value| name.as_str().expect("a string").to_owned();
        Value::Object(pairs.into_iter().map(|(key, value)| (name(key), value)).collect())
    });
    let texts = (always(text()), always(text()), maybe(text()), maybe(text()));
    let missed = select(vec!["skip", "once", "all"]).prop_map(Value::from);
    let values = (texts, maybe(filled_in), maybe(truth()), maybe(missed)).prop_map(
        |((name, cron, zone, assignment), filled_in, notify, missed)| {
            vec![name, cron, zone, assignment, filled_in, notify, missed]
        },
    );
    mapping(
        &["name", "cron", "tz", "assignmentSkill", "input", "postResultNotify", "missedFires"],
        values,
    )
}

/// A document without a fault.
fn document() -> impl Strategy<Value = Value> {
    let category = select(vec!["generic", "home_agent"]).prop_map(Value::from);
    let first = (maybe(text()), maybe(text()), maybe(category), maybe(texts()));
    let others = (
        maybe(list(input())),
        maybe(truth()),
        maybe(text()),
        maybe(texts()),
        maybe(list(heartbeat())),
    );
    let values = (first, others).prop_map(
        |((label, summary, category, hands), (inputs, kid, ages, canvases, heartbeats))| {
            vec![label, summary, category, hands, inputs, kid, ages, canvases, heartbeats]
        },
    );
    let keys = &[
        "label",
        "summary",
        "category",
        "hands",
        "inputs",
        "kidCallable",
        "ageRange",
        "canvases",
        "heartbeats",
    ];
    mapping(keys, values)
}

/// A change that may make a fault.
#[derive(Clone, Debug)]
enum Mutation {
    Replace(Value),
    InList,
    InMapping(&'static str),
    RemoveKey(Index),
    AddKey(&'static str, Value),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let keys = select(vec![
        "name",
        "label",
        "Label",
        "kid_callable",
        "zebra",
        "",
        "required",
        "type",
        "cron",
        "tz",
        "child name",
        "1a",
        "inputs",
        "category",
        "<<",
        "null",
    ]);
    prop_oneof![
        3 => anything().prop_map(Mutation::Replace),
        1 => Just(Mutation::InList),
        1 => keys.clone().prop_map(Mutation::InMapping),
        1 => any::<Index>().prop_map(Mutation::RemoveKey),
        2 => (keys, anything()).prop_map(|(key, value)| Mutation::AddKey(key, value)),
    ]
}

/// The places of every value in a document, as JSON Pointers.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    into.push(at.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{index}"), into);
            }
        }
        Value::Object(entries) => {
            for (key, value) in entries {
                let key = key.replace('~', "~0").replace('/', "~1");
                places(value, &format!("{at}/{key}"), into);
            }
        }
        _ => {}
    }
}

fn mutate(document: &mut Value, place: Index, mutation: Mutation) {
    let mut all = Vec::new();
    places(document, "", &mut all);
    let place: &String = place.get(&all);
    let value = document.pointer_mut(place).expect("a value");
    match mutation {
        Mutation::Replace(other) => *value = other,
        Mutation::InList => *value = json!([value.take()]),
        Mutation::InMapping(key) => *value = json!({ key: value.take() }),
        Mutation::RemoveKey(index) => {
            if let Value::Object(entries) = value
                && !entries.is_empty()
            {
                let key = index.get(&entries.keys().cloned().collect::<Vec<_>>()).clone();
                entries.remove(&key);
            }
        }
        Mutation::AddKey(key, other) => {
            if let Value::Object(entries) = value {
                entries.insert(key.to_owned(), other);
            }
        }
    }
}

fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => config,
        None => ProptestConfig { cases: DOCUMENTS, ..config },
    }
}

#[test]
fn the_schema_accepts_what_the_reader_accepts() {
    let validator = validator();
    let mutations = prop::collection::vec((any::<Index>(), mutation()), 0..4);
    let mut runner = proptest::test_runner::TestRunner::new(config());
    let checked = runner.run(&(document(), mutations), |(mut document, mutations)| {
        assert_eq!(faults(&document), Vec::<String>::new(), "{document:#}");
        check(&validator, &document);
        for (place, mutation) in mutations {
            mutate(&mut document, place, mutation);
            check(&validator, &document);
        }
        Ok(())
    });
    checked.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_fault_that_only_one_of_them_saw_would_be_noticed() {
    let validator = validator();
    for document in [
        json!(null),
        json!([]),
        json!({ "label": 5 }),
        json!({ "category": "home-agent" }),
        json!({ "category": null }),
        json!({ "inputs": [{}] }),
        json!({ "inputs": ["child_name"] }),
        json!({ "inputs": [{ "name": "child name" }] }),
        json!({ "inputs": [{ "name": "a\n" }] }),
        json!({ "inputs": [{ "name": "é" }] }),
        json!({ "inputs": [{ "name": "a", "type": "text" }] }),
        json!({ "heartbeats": [{ "name": "a" }] }),
        json!({ "heartbeats": [{ "cron": "a" }] }),
        json!({ "heartbeats": [{ "name": "a", "cron": "b", "input": { "1": 2 } }] }),
        json!({ "kidCallable": "yes" }),
    ] {
        assert!(!validator.is_valid(&document), "{document}");
        check(&validator, &document);
    }
}

/// Every schema in the schema, with its path.
fn schemas(value: &Value, path: &str, into: &mut Vec<(String, Value)>) {
    let Value::Object(entries) = value else { return };
    into.push((path.to_owned(), value.clone()));
    for key in ["properties", "$defs"] {
        for (name, schema) in entries.get(key).and_then(Value::as_object).into_iter().flatten() {
            schemas(schema, &format!("{path}/{key}/{name}"), into);
        }
    }
    if let Some(items) = entries.get("items") {
        schemas(items, &format!("{path}/items"), into);
    }
}

#[test]
fn every_part_of_the_schema_explains_itself() {
    let root = schema();
    jsonschema::meta::validate(&root).expect("a valid schema");
    assert!(root.get("$id").is_none());
    let mut all = Vec::new();
    schemas(&root, "#", &mut all);
    for (path, schema) in &all {
        if schema.get("$ref").is_some() {
            continue;
        }
        for key in ["title", "description"] {
            let text = schema[key].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "{path} has no {key}");
        }
        // Its keywords are those of JSON Schema.
        let is_schema = path == "#/properties/result";
        let is_open =
            !is_schema && schema["type"] == "object" && schema.get("propertyNames").is_none();
        assert!(!is_open || schema["additionalProperties"] == false, "{path} is open");
        for example in schema["examples"].as_array().into_iter().flatten() {
            let mut alone = schema.clone();
            alone["$defs"] = root["$defs"].clone();
            let validator = jsonschema::draft202012::new(&alone).expect("a schema");
            assert!(validator.is_valid(example), "{path}: {example}");
        }
    }
    assert_eq!(all.iter().filter(|(path, _)| path.ends_with("/items")).count(), 5);
    assert_eq!(root["$defs"]["input"]["properties"]["type"]["enum"], json!(INPUT_TYPES));
}

#[test]
fn the_command_prints_the_schema() {
    let ended = Dibber::new(["schema", "sprout"]).run();
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    assert_eq!(ended.stdout, SCHEMA);
    for arguments in [&["schema"][..], &["schema", "sprot"], &["schema", "sprout", "more"]] {
        insta::assert_snapshot!(Dibber::new(arguments).run().show());
    }
    let ended = Dibber::new(["schema", "sprout"]).run_with_closed_pipe();
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
}
