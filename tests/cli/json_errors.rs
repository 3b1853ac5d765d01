//! What commands with `--json` print when they fail.

use serde_json::Value;

use super::push::Project;
use crate::support::command::Dibber;

const SCHEMA: &str = "error.schema.json";

/// A run that prints an error and nothing else: its exit code and the JSON.
fn failed(project: &Project, arguments: &[&str]) -> (i32, Value) {
    let code = project.run(arguments).code;
    (code, project.json(arguments, SCHEMA))
}

#[test]
fn every_command_prints_the_same_shape() {
    let project = Project::new();
    let runs: &[&[&str]] = &[
        &["push", "nowhere", "--yes", "--json"],
        &["diff", "nowhere", "--json"],
        &["pull", "sk_missing", "--json"],
        &["pull", "sk_missing", "sk_other", "--json"],
        &["pull", "sk_missing", "--into", "nowhere", "--json"],
        &["invoke", "sk_missing", "--json"],
        &["call", "skill_get", "skillId=sk_missing", "--json"],
        &["call", "no_such_tool", "--json"],
        &["skill", "get", "sk_missing", "--json"],
        &["skill", "update", "sk_missing", "--name", "Other", "--yes", "--json"],
        &["skill", "archive", "sk_missing", "--yes", "--json"],
        &["heartbeat", "create", "nowhere", "--yes", "--json"],
        &["heartbeat", "preview", "nowhere", "--json"],
        &["skill", "list", "--json", "--server", "http://127.0.0.1:1/mcp"],
        &["push", "--json", "--nonsense"],
    ];
    for arguments in runs {
        let (exit, json) = failed(&project, arguments);
        let error = &json["error"];
        assert_eq!(error["exitCode"], exit, "{arguments:?}: {json:#}");
        let code = match exit {
            3 => Value::from("BAD_INPUT"),
            4 => "PERMISSION_DENIED".into(),
            5 => "DOMAIN_NOT_FOUND".into(),
            6 => "INTERNAL_ERROR".into(),
            _ => Value::Null,
        };
        assert_eq!(error["code"], code, "{arguments:?}");
        let shown = project.run(arguments).stderr;
        let first = error["message"].as_str().and_then(|it| it.split(' ').next()).expect("a word");
        assert!(exit != 0 && shown.contains(first), "{arguments:?}: {shown}");
    }
}

#[test]
fn errors_of_no_item_are_beside_the_items() {
    let project = Project::new();
    let pushed =
        project.json(&["push", "skills", "nowhere", "--yes", "--json"], "push.schema.json");
    assert_eq!(pushed["items"][0]["done"], true);
    assert_eq!(pushed["errors"][0]["exitCode"], 2);
    let id = pushed["items"][0]["skillId"].as_str().expect("an id");
    let pulled = project.json(&["pull", id, "sk_missing", "--json"], "pull.schema.json");
    assert_eq!(pulled["items"][0]["outcome"], "unchanged");
    assert_eq!(pulled["errors"][0]["exitCode"], 5);
}

#[test]
fn the_error_of_an_item_is_in_it() {
    let project = Project::new();
    let runs: [&[&str]; 3] = [&["pause"], &["resume"], &["cancel", "--yes"]];
    for verb in runs {
        let arguments = [&["heartbeat"], verb, &["hb_missing", "--json"]].concat();
        let changed = project.json(&arguments, "heartbeat-change.schema.json");
        assert_eq!(changed["items"][0]["error"]["exitCode"], project.run(&arguments).code);
        assert_eq!(changed["items"][0]["error"]["code"], "PERMISSION_DENIED", "{verb:?}");
    }
}

#[test]
fn the_words_of_the_server_are_beside_those_of_the_command() {
    let project = Project::new();
    assert_eq!(project.run(&["push", "--yes"]).code, 0);
    let skill = "skills/plan-my-week";
    assert_eq!(project.run(&["skill", "archive", skill, "--yes"]).code, 0);
    let json = project.json(&["invoke", skill, "--input", "day=Monday", "--json"], SCHEMA);
    let error = &json["error"];
    let help = error["help"].as_str().expect("a help");
    assert!(help.contains("`dibber skill unarchive ") && !help.contains("skill_archive"), "{help}");
    let theirs = error["serverError"]["fix"].as_str().expect("a fix");
    assert!(theirs.contains("skill_archive"), "{theirs}");
}

#[test]
fn a_closed_pipe_and_a_name_change_nothing() {
    let names = crate::support::Tree::new();
    names.write("names", b"Zebulonka\n");
    let path = names.path().join("names").to_string_lossy().into_owned();
    let run = || Dibber::new(["skill", "get", "Zebulonka", "--json"]).env("DIBBER_NAMES", &path);
    let ended = run().run();
    assert!(!ended.stdout.contains("Zebulonka") && ended.stdout.contains("\"error\""));
    assert_eq!(run().run_with_closed_pipe().code, ended.code);
}
