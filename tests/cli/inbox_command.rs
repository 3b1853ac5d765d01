//! `dibber inbox`: cards are listed, shown, sorted and followed.

use std::io::{BufRead, BufReader};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::command::{Dibber, Ended};
use crate::support::fake_server::Fake;
use crate::support::{Tree, package};

const SKILL: &str = "\
---
name: water
description: Waters the plants. Use when the plants are dry.
---

# Water the plants

Water them.
";

/// A project with a published skill.
pub(super) fn project() -> Tree {
    let tree = Tree::new();
    tree.write("dibber.toml", b"");
    tree.write("water/SKILL.md", SKILL.as_bytes());
    tree.write("water/sprout.yaml", b"label: Water the plants\n");
    let pushed = run(&tree, &["push", "--yes"]);
    assert_eq!(pushed.code, 0, "{}", pushed.show());
    tree
}

pub(super) fn dibber(tree: &Tree, arguments: &[&str]) -> Dibber {
    // A title fits beside every time of the day: `9:59pm` is shorter than `10:00pm`.
    let dibber = Dibber::new(arguments.iter().copied()).in_directory(tree.path());
    dibber.data(&tree.path().join("data")).env("COLUMNS", "76").env("TZ", "UTC")
}

pub(super) fn run(tree: &Tree, arguments: &[&str]) -> Ended {
    dibber(tree, arguments).run()
}

/// Posts a card, and returns its id.
fn post(tree: &Tree, result: &Value) -> String {
    let posted = run(tree, &["skill", "post-result", "water", &result.to_string()]);
    assert_eq!(posted.code, 0, "{}", posted.show());
    posted.stdout.trim().to_owned()
}

/// What a run shows, with each of these ids by its letter, and without times.
fn shown(ended: &Ended, ids: &[&str]) -> String {
    let mut text = ended.show();
    for (id, letter) in ids.iter().zip('A'..) {
        text =
            text.replace(id, &format!("rs_{letter}")).replace(&id[..11], &format!("rs_{letter}…"));
    }
    let is_moment = |line: &str| line.contains("  rs_") && line.contains(", ");
    let lines = text.lines().map(|line| match line.split_once("  ") {
        Some((name, rest)) if is_moment(line) => {
            let facts: Vec<_> = rest.split(", ").skip(2).collect();
            let id = rest.rsplit("  ").next().unwrap_or_default();
            let facts = if facts.is_empty() { id.to_owned() } else { facts.join(", ") };
            format!("{name}  MOMENT, {facts}")
        }
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn cards_are_listed_shown_read_and_archived() {
    let tree = project();
    let first = post(&tree, &json!({"summary": "Watered.\n\nAll of them.", "data": {"pots": 3}}));
    let odd = json!({
        "summary": "An escape: \u{1b}[31mred\u{202e}", "more": ["\u{7}x", 1], "data": "two\nlines",
    });
    let second = post(&tree, &odd);
    let third = post(&tree, &json!({"summary": "Dry ".repeat(80)}));
    let ids = [&*first, &*second, &*third];
    let show = |arguments: &[&str]| {
        format!("$ {}\n{}\n", arguments.join(" "), shown(&run(&tree, arguments), &ids))
    };
    let show = |arguments: &[&str]| {
        let mut text = show(arguments);
        for (id, letter) in ids.iter().zip('A'..) {
            text = text.replace(id, &format!("rs_{letter}"));
            text = text.replace(&id[..14], &format!("rs_{letter}…")).replace(&id[3..14], "DIGITS");
        }
        text
    };
    let mut all = show(&["inbox"]);
    all += &show(&["inbox", "list", "--limit", "1"]);
    all += &show(&["inbox", "show", &first]);
    all += &show(&["inbox", "show", &second[3..14]]);
    all += &show(&["inbox", "read", &first[..14], &first]);
    all += &show(&["inbox", "read", &first[..14], &second[..14]]);
    all += &show(&["inbox"]);
    all += &show(&["inbox", "--all"]);
    all += &show(&["inbox", "archive", "--all"]);
    all += &show(&["inbox"]);
    all += &show(&["inbox", "--all"]);
    all += &show(&["inbox", "--archived"]);
    all += &show(&["inbox", "read", &second[..14]]);
    all += &show(&["inbox", "--all"]);
    all += &show(&["inbox", "show", "rs"]);
    all += &show(&["inbox", "show", "zz"]);
    all += &show(&["inbox", "read"]);
    insta::assert_snapshot!(all);
}

#[test]
fn the_json_is_as_its_schemas_describe() {
    let tree = project();
    let first = post(&tree, &json!({"summary": "Watered.", "data": {"pots": 3}}));
    for (arguments, name) in [
        (vec!["inbox", "--json"], "inbox"),
        (vec!["inbox", "list", "--json"], "inbox"),
        (vec!["inbox", "show", &first, "--json"], "inbox"),
        (vec!["inbox", "read", &first, "--json"], "inbox-change"),
        (vec!["inbox", "archive", &first, "--json"], "inbox-change"),
    ] {
        let path = package().join(format!("schemas/{name}.schema.json"));
        let schema = std::fs::read_to_string(path).expect("a schema");
        let schema: Value = serde_json::from_str(&schema).expect("JSON");
        let ended = run(&tree, &arguments);
        assert_eq!(ended.code, 0, "{}", ended.show());
        let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        let faults: Vec<_> = validator.iter_errors(&json).map(|it| it.to_string()).collect();
        assert_eq!(faults, [""; 0], "{}", ended.show());
        assert!(json["items"][0].to_string().contains(&first), "{json}");
    }
}

/// A server without the tools is named by what it lacks.
#[test]
fn a_server_without_an_inbox_is_told_so() {
    let server = Fake::new(|request| {
        let tools = json!([{"name": "skill_list", "inputSchema": {"type": "object"}}]);
        Some(request.usual(&tools, &json!({"resultType": "complete", "content": []})))
    });
    let tree = Tree::new();
    let mut all = String::new();
    for action in ["", "show x", "read x", "archive --all", "--follow"] {
        let url = server.url();
        let arguments: Vec<_> = action.split_whitespace().chain(["--server", &url]).collect();
        let arguments: Vec<_> = ["inbox"].into_iter().chain(arguments).collect();
        let ended = run(&tree, &arguments);
        all += &format!("$ inbox {action}\n{}", ended.show().replace(&url, "URL"));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_card_is_shown_when_it_comes() {
    let tree = project();
    post(&tree, &json!({"summary": "Before."}));
    let mut process = dibber(&tree, &["inbox", "--follow", "--json"]).start();
    let pipe = process.stdout.take().expect("a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let lines = BufReader::new(pipe).lines().map_while(Result::ok);
        lines.map(|line| sender.send(line)).take_while(Result::is_ok).count()
    });
    let line = || receiver.recv_timeout(Duration::from_mins(1)).expect("a line");
    let summaries = |line: &str| -> Vec<String> {
        let json: Value = serde_json::from_str(line).expect("JSON");
        let items = json["items"].as_array().expect("items").iter();
        items.map(|card| card["summary"].as_str().expect("a summary").to_owned()).collect()
    };
    let first = line();
    post(&tree, &json!({"summary": "After."}));
    let second = line();
    // It may have ended.
    let _ = process.kill();
    let _ = process.wait();
    assert_eq!(
        (summaries(&first), summaries(&second)),
        (vec!["Before.".to_owned()], vec!["After.".to_owned()])
    );
}
