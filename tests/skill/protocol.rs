//! `skill.toml`: what is read of it, and that every problem has a place in the file.

use dibber_skill::manifest::PROBLEMS_MAX;
use dibber_skill::protocol::{
    self, DottedName, PROTOCOL_BYTES_MAX, ProtocolKind, ProtocolManifest, ProtocolProblem,
    ProtocolProblemKind, Version,
};
use dibber_skill::skill::PROTOCOL_FILE_NAME;
use dibber_text::Source;
use serde_json::json;

use crate::support::shown;

const EVERYTHING: &str = r#"# A skill that counts.
name = "family.dates.countdown"
version = "1.2.0-beta.1"
description = "Counts the days to a date."
kind = "action"

[runtime]
language = "python"
entrypoint = "code/main.py"
export = "count"

[permissions]
secrets = ["CALENDAR_TOKEN"]
network = ["api.example.org"]

[input_schema]
type = "object"
required = ["date"]
properties.date = { type = "string", maxLength = 0x0A }
properties.share = { type = "number", minimum = 0.5 }
"#;

fn parse(text: &str) -> (ProtocolManifest, Vec<ProtocolProblem>) {
    protocol::parse(&Source::new(PROTOCOL_FILE_NAME, text))
}

fn messages(text: &str) -> Vec<String> {
    parse(text).1.iter().map(|found| shown(&found.problem.message)).collect()
}

#[test]
fn every_key_is_read() {
    let (manifest, problems) = parse(EVERYTHING);
    assert_eq!(problems, []);
    let name = manifest.name.expect("a name");
    assert_eq!(&EVERYTHING[name.span.range()], "\"family.dates.countdown\"");
    assert_eq!(name.value.namespace(), "family");
    assert_eq!(
        manifest.version.expect("a version").value,
        Version::parse("1.2.0-beta.1").expect("a version")
    );
    assert_eq!(manifest.description.expect("a description").value, "Counts the days to a date.");
    assert_eq!(manifest.kind.expect("a kind").value, ProtocolKind::Action);
    let runtime = manifest.runtime.expect("a runtime");
    assert_eq!(runtime.entrypoint.expect("a path").value, "code/main.py");
    assert_eq!(runtime.export.expect("a function").value, "count");
    assert_eq!(manifest.permissions.secrets[0].value, "CALENDAR_TOKEN");
    assert_eq!(manifest.permissions.network[0].value, "api.example.org");
    let schema = json!({
        "type": "object",
        "required": ["date"],
        "properties": {
            "date": { "type": "string", "maxLength": 10 },
            "share": { "type": "number", "minimum": 0.5 },
        },
    });
    assert_eq!(json!(manifest.input_schema.expect("a schema").value), schema);
}

#[test]
fn a_function_is_called_main_unless_it_is_named() {
    let (manifest, problems) = parse(&EVERYTHING.replace("export = \"count\"\n", ""));
    assert_eq!(problems, []);
    let export = manifest.runtime.expect("a runtime").export.expect("a function");
    assert_eq!(export.value, "main");
}

#[test]
fn problems_are_reported_at_once_in_the_order_of_the_file() {
    let text = "name = 'Countdown'\nversion = '1'\nkind = 'tool'\nsize = 3\n";
    assert_eq!(
        messages(text),
        [
            "`skill.toml` has no `description`",
            "`Countdown` is not a dotted name",
            "`1` is not a semantic version",
            "`tool` is not a kind of skill",
            "`size` is not a key of `skill.toml`",
        ]
    );
}

#[test]
fn nothing_is_missing_from_lines_that_are_not_toml() {
    let found = messages("name = 'a.b'\nversion 1\n");
    assert!(found.iter().all(|message| message.starts_with("not valid TOML")), "{found:?}");
}

#[test]
fn a_value_that_is_not_the_name_of_a_secret_is_not_quoted() {
    let text = EVERYTHING.replace("CALENDAR_TOKEN", "sk-not/a=name");
    assert_eq!(messages(&text), ["an item of `secrets` is not the name of a secret"]);
}

#[test]
fn a_large_file_is_not_parsed() {
    let text = format!("{EVERYTHING}#{}", "a".repeat(PROTOCOL_BYTES_MAX));
    let (manifest, problems) = parse(&text);
    assert_eq!((manifest, problems.len()), (ProtocolManifest::default(), 1));
    assert_eq!(problems[0].kind, ProtocolProblemKind::Invalid);
}

#[test]
fn too_many_problems_are_counted() {
    let keys: String = (0..PROBLEMS_MAX + 7).map(|number| format!("key{number} = 1\n")).collect();
    let found = messages(&(keys + EVERYTHING));
    assert_eq!(found.len(), PROBLEMS_MAX + 1);
    assert_eq!(found.last().expect("a message"), "7 more problems begin here");
}

#[test]
fn every_beginning_of_a_manifest_is_read_and_every_problem_is_inside() {
    for end in 0..=EVERYTHING.len() {
        let text = &EVERYTHING[..end];
        for found in parse(text).1 {
            assert!(text.get(found.problem.place.range()).is_some(), "{text:?}: {found:?}");
        }
    }
}

#[test]
fn a_namespace_has_whole_segments() {
    let name = DottedName::parse("salesforce.leads.sync").expect("a name");
    for namespace in ["salesforce", "salesforce.leads"] {
        assert!(name.is_in(namespace), "{namespace}");
    }
    for other in ["sales", "salesforce.lead", "salesforce.leads.sync", "leads", ""] {
        assert!(!name.is_in(other), "{other}");
    }
}

#[test]
fn names_that_are_not_dotted_are_refused() {
    for name in ["", ".", "a", "a.", ".a", "a..b", "A.b", "a-b.c", "a_b.c", "a.1", "a.b ", "ä.b"] {
        assert_eq!(DottedName::parse(name), None, "{name}");
    }
}

#[test]
fn every_problem_of_an_input_schema_is_reported_at_its_place() {
    let text = EVERYTHING.replace(
        "properties.date",
        "properties.a = { type = \"strin\" }\nproperties.b = { minimum = \"1\" }\nproperties.date",
    );
    let (_, problems) = parse(&text);
    let places: Vec<_> = problems.iter().map(|found| &text[found.problem.place.range()]).collect();
    assert_eq!(places, ["\"strin\"", "\"1\""]);
}

#[test]
fn keys_of_a_schema_that_are_probably_mistakes_are_harmless() {
    let text = EVERYTHING.replace("properties.date", "propertys.b = 1\nproperties.date");
    let (manifest, problems) = parse(&text);
    assert!(manifest.input_schema.is_some(), "the schema is used");
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].kind, ProtocolProblemKind::UnknownKey);
    assert_eq!(&text[problems[0].problem.place.range()], "propertys");
    let message = shown(&problems[0].problem.message);
    assert_eq!(message, "`input_schema`: `propertys` is not a keyword of JSON Schema");
}

#[test]
fn messages_name_what_is_wrong() {
    for (from, to, message) in [
        ("[\"CALENDAR_TOKEN\"]", "[3]", "an item of `secrets` is a number"),
        ("0x0A", "99999999999999999999", "the integer does not fit into 64 bits"),
        ("0.5", "inf", "JSON has no such number"),
        ("0.5", "2026-12-24", "JSON has no dates"),
        ("family.dates.countdown", "a.l\u{e4}ng", "`a.l\u{e4}ng` is not a dotted name"),
    ] {
        let text = EVERYTHING.replace(from, to);
        assert_eq!(messages(&text), [message], "{to}");
    }
    let (_, problems) = parse(&EVERYTHING.replace("family.dates.countdown", "a.l\u{e4}ng"));
    let help = problems[0].problem.help.as_ref().map(shown).unwrap_or_default();
    assert!(help.starts_with("write two or more words"), "{help}");
}
