//! `dibber acp`: skills for the agents of editors.

use std::fs;

use dibber_catalog::acp::schema;
use serde_json::Value;

use crate::support::command::Dibber;
use crate::support::{Tree, package};

pub(crate) const SKILLS: &str = "\
-- skills/pdf/SKILL.md --
---
name: pdf
description: Reads PDFs. Use when there is one.
license: MIT
argument-hint: '[file]'
---

Read $ARGUMENTS.
-- skills/bad/SKILL.md --
---
name: Bad name
description: Has a name that clients refuse.
---
-- skills/none/SKILL.md --
---
name: none
---
";

#[test]
fn skills_are_emitted_on_one_line_with_problems_at_their_places() {
    let tree = Tree::from_archive(SKILLS, false);
    let run = |arguments: &[&str]| {
        Dibber::new(["acp", "emit"]).arguments(arguments).in_directory(tree.path()).run()
    };
    let ended = run(&["skills", "--session", "s1", "--as", "skills"]);
    insta::assert_snapshot!("acp_emit", ended.show());
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    for (form, tag) in [
        ("commands", "available_commands_update"),
        ("commands-v2", "available_commands_update"),
        ("skills", "available_skills_update"),
        ("v2", "_dibber/available_skills_update"),
    ] {
        let ended = run(&["skills/pdf", "--as", form]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        let message: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        assert_eq!(message["params"]["update"]["sessionUpdate"], tag);
        assert!(validator.is_valid(&message), "{message}");
    }
}

#[test]
fn the_schema_of_acp_is_that_of_the_types() {
    let path = package().join("schemas/acp.schema.json");
    let text = format!("{:#}\n", schema());
    if std::env::var_os("DIBBER_UPDATE").is_some() {
        fs::write(&path, &text).expect("a file");
    }
    let written = fs::read_to_string(&path).expect("a file").replace("\r\n", "\n");
    assert!(written == text, "run the tests with DIBBER_UPDATE=1 to write the schema again");
}

#[test]
fn what_is_emitted_is_safe_in_a_terminal_and_no_empty_list_comes_of_an_error() {
    let tree = Tree::new();
    let skill = "---\nname: a\ndescription: Waters \u{202e}plants\u{9b}.\nuser-invocable: false\n---\n\nDo.\n";
    tree.write("a/SKILL.md", skill.as_bytes());
    let emit = |arguments: &[&str]| {
        Dibber::new(["acp", "emit"]).arguments(arguments).in_directory(tree.path()).run()
    };
    let ended = emit(&["a", "--as", "skills"]);
    assert!(ended.stdout.is_ascii() && ended.stdout.contains("\\u202e"), "{}", ended.show());
    // Users do not call it.
    let commands = emit(&["a"]);
    assert!(commands.stdout.contains("\"availableCommands\":[]"), "{}", commands.show());
    let nothing = emit(&["nope"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (2, ""), "{}", nothing.show());
}
