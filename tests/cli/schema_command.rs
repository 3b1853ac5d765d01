//! `dibber schema`: that every schema is in the program, and describes what it says.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::support::command::Dibber;
use crate::support::{Tree, package};

/// A skill with a finding.
const SKILL: &str = "\
-- plan/SKILL.md --
---
name: plan
description: Plans the week. Use when a parent asks what is on.
license: 7
---

# Plan

Write a plan of the week.
";

fn printed(arguments: &[&str]) -> String {
    let ended = Dibber::new(arguments).run();
    assert_eq!(ended.code, 0, "{}", ended.show());
    ended.stdout
}

fn schema(name: &str) -> Value {
    serde_json::from_str(&printed(&["schema", name])).expect("JSON")
}

fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).expect("a schema");
    validator.iter_errors(value).map(|error| error.to_string()).collect()
}

fn check(name: &str, value: &Value) {
    let problems = problems(&schema(name), value);
    assert!(problems.is_empty(), "{name}: {problems:#?}\n{value:#}");
}

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("JSON")
}

fn toml_of(text: &str) -> Value {
    let table: toml::Table = text.parse().expect("TOML");
    serde_json::to_value(table).expect("tables and strings")
}

#[test]
fn every_schema_is_listed_and_printed() {
    let list = printed(&["schema"]);
    let listed: BTreeSet<&str> = list.lines().filter_map(|line| line.split(' ').next()).collect();
    let mut files = 0;
    for entry in fs::read_dir(package().join("schemas")).expect("the schemas") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let name = file.strip_suffix(".schema.json").expect("a schema");
        assert!(listed.contains(name), "`dibber schema` does not list {name}");
        let text = printed(&["schema", name]);
        assert_eq!(text, fs::read_to_string(&path).expect("text").replace("\r\n", "\n"));
        let schema: Value = serde_json::from_str(&text).expect("JSON");
        jsonschema::draft202012::meta::validate(&schema).expect("a schema");
        files += 1;
    }
    assert!(files > 20, "{files}");
}

#[test]
fn a_schema_is_written_to_a_file() {
    let tree = Tree::new();
    let file = tree.path().join("sprout.schema.json");
    let arguments = ["schema".as_ref(), "sprout".as_ref(), "-o".as_ref(), file.as_os_str()];
    assert_eq!(Dibber::new(arguments).run().code, 0);
    assert_eq!(fs::read_to_string(file).expect("text"), printed(&["schema", "sprout"]));
    let ended = Dibber::new(["schema", "sprout", "-o", "-"]).in_directory(tree.path()).run();
    assert_eq!(ended.stdout, printed(&["schema", "sprout"]));
    assert!(!tree.path().join("-").exists());
}

#[test]
fn what_commands_print_is_of_their_schemas() {
    check("rules", &json_of(&["rules", "--json"]));
    check("rules", &json_of(&["explain", "secret", "--json"]));
    check("new", &json_of(&["new", "--list", "--json"]));
    let new = ["new", "bus-times", "--template", "generic", "--description"];
    let text = "Says when the bus goes. Use when a parent asks for the bus to school.";
    check("new", &json_of(&[&new[..], &[text, "--dry-run", "--json"]].concat()));
    check("hash", &json_of(&["hash", "examples", "--json"]));
    let names = Tree::new();
    let list = names.path().join("names");
    let run = |arguments: &[&str]| -> Value {
        let ended = Dibber::new(arguments).env("DIBBER_NAMES", &list.to_string_lossy()).run();
        assert_eq!(ended.code, 0, "{}", ended.show());
        serde_json::from_str(&ended.stdout).expect("JSON")
    };
    let planned = run(&["names", "add", "Zebulonka", "--dry-run", "--json"]);
    check("names", &planned);
    assert!(!list.exists());
    check("names", &run(&["names", "add", "Zebulonka", "--json"]));
    check("names", &run(&["names", "list", "--json"]));
    check("names", &run(&["names", "remove", "1", "--json"]));
}

#[test]
fn files_are_of_their_schemas() {
    let tree = Tree::from_archive(SKILL, false);
    tree.write("dibber.toml", b"");
    let run = |arguments: &[&str]| Dibber::new(arguments).in_directory(tree.path()).run();
    assert_eq!(run(&["lint", "--write-baseline", "known.json"]).code, 0);
    let baseline = serde_json::from_str(&tree.read("known.json")).expect("JSON");
    check("baseline", &baseline);
    let skill = tree.read("plan/SKILL.md").replace("license: 7\n", "");
    tree.write("plan/SKILL.md", skill.as_bytes());
    let pushed = run(&["push", "--yes"]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    check("dibber-lock", &toml_of(&tree.read("dibber.lock")));
}

/// Returns `true` if `dibber lint` reads the text as a `dibber.toml`.
fn is_accepted(text: &str) -> bool {
    let tree = Tree::from_archive(SKILL, false);
    tree.write("dibber.toml", text.as_bytes());
    let ended = Dibber::new(["lint", "--level", "all=warn"]).in_directory(tree.path()).run();
    assert!(matches!(ended.code, 0 | 2), "{}", ended.show());
    ended.code == 0
}

#[test]
fn the_schema_of_a_configuration_accepts_what_is_read() {
    let texts = [
        "",
        "[lint]\nexclude = [\"a\"]\n[lint.levels]\nlong-body = \"allow\"\n",
        "[[lint.overrides]]\npaths = [\"a/**\"]\nlevels = { long-body = \"warn\" }\n",
        "[[lint.overrides]]\npaths = [\"a/**\"]\n",
        "[[lint.waivers]]\nrule = \"secret\"\npath = \"a\"\nreason = \"an example key\"\n",
        "[[lint.waivers]]\nrule = \"secret\"\npath = \"a\"\n",
        "[[lint.waivers]]\nrule = \"secret\"\npath = \"a\"\nreason = \"x y\"\nuntil = \"z\"\n",
        "[lint]\nexclude = \"a\"\n",
        "[lint]\nlevels = { long-body = \"never\" }\n",
        "[lint]\nincludes = []\n",
        "[linter]\n",
        "[server]\nurl = \"https://example.org/mcp\"\n",
        "[server]\nport = 7\n",
    ];
    let schema = schema("dibber-toml");
    for text in texts {
        let problems = problems(&schema, &toml_of(text));
        assert_eq!(problems.is_empty(), is_accepted(text), "{text}\n{problems:#?}");
    }
    let user = json!({
        "server": { "trusted": ["https://example.org"] },
        "servers": { "docs": { "command": "npx -y server", "env": { "A": "b" } } },
        "safety": { "command": ["/usr/local/bin/check"] },
        "runner": { "command": ["claude", "-p"], "timeout": 60, "environment": ["PATH"] },
        "sandbox": { "mode": ["full", "landlock"], "python": "python3", "timeout": 10 },
    });
    check("dibber-user-toml", &user);
    let schema = self::schema("dibber-user-toml");
    for (runner, is_valid) in [
        (json!({ "webhook": "https://example.org/", "secret-file": "key" }), true),
        (json!({ "command": ["a"], "webhook": "https://example.org/" }), false),
        (json!({ "command": ["a"], "secret-file": "key" }), false),
        (json!({ "webhook": "https://example.org/", "directory": "a" }), false),
        (json!({ "command": ["a"], "lease": 0 }), false),
        (json!({ "timeout": 5 }), true),
        (json!({}), false),
        (json!({ "timeout": 5, "directory": "a" }), false),
    ] {
        let problems = problems(&schema, &json!({ "runner": runner }));
        assert_eq!(problems.is_empty(), is_valid, "{runner}: {problems:#?}");
    }
    for (sandbox, is_valid) in [
        ("mode = \"landlock\"", true),
        ("mode = \"none\"", false),
        ("mode = []", false),
        ("mode = [\"full\", \"full\"]", false),
        ("mode = \"container\"\ncontainer = \"podman\"\nimage = \"python\"", true),
        ("container = \"podman\"", false),
        ("image = \"python\"", false),
        ("container = \"lxc\"\nimage = \"python\"", false),
        ("command = [\"run\"]\nstop = [\"kill\"]", true),
        ("stop = [\"kill\"]", false),
        ("command = [\"a\"]\ncontainer = \"podman\"\nimage = \"python\"", false),
        ("timeout = 301", false),
        ("memory-bytes = 1", false),
        ("python = \"\"", false),
        ("bwrap = true", false),
    ] {
        let text = format!("[sandbox]\n{sandbox}\n");
        let problems = problems(&schema, &toml_of(&text));
        assert_eq!(problems.is_empty(), is_valid, "{text}: {problems:#?}");
        assert_eq!(is_accepted(&text), is_valid, "{text}");
    }
}

#[test]
fn the_schema_of_a_command_is_found_by_its_words() {
    for (command, schema) in
        [("lint", "lint-report"), ("heartbeat-list", "heartbeat"), ("diff", "push")]
    {
        assert_eq!(printed(&["schema", command]), printed(&["schema", schema]), "{command}");
    }
}
