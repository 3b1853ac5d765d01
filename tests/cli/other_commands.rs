//! The commands beside `dibber lint`.

use std::fs;

use dibber_lint::RULES;
use dibber_schedule::tzdb_version;

use crate::support::command::{Dibber, Ended};
#[cfg(unix)]
use crate::support::terminal::Terminal;
use crate::support::{Tree, package};

fn run(arguments: &[&str]) -> String {
    Dibber::new(arguments).run().show()
}

#[test]
fn the_description_of_the_program() {
    insta::assert_snapshot!(run(&["--version"]));
    insta::assert_snapshot!(run(&["--help"]));
    insta::assert_snapshot!(run(&[]));
    insta::assert_snapshot!(run(&["lnt"]));
    insta::assert_snapshot!(run(&["lint", "--fxi"]));
}

#[test]
fn commands_that_do_not_exist() {
    let typed = [
        "check",
        "publish",
        "run",
        "delete",
        "install",
        "init",
        "validate",
        "test",
        "chek",
        "skill delete",
        "skill lst",
        "heartbeat remove",
        "help publish",
        "help lint extra",
        "zzz",
    ];
    let shown = typed.map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        format!("$ dibber {line}\n{}", Dibber::new(&words).run().stderr)
    });
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn help_as_a_command() {
    assert_eq!(run(&["help"]), run(&["--help"]));
    assert_eq!(run(&["help", "heartbeat", "pause"]), run(&["heartbeat", "pause", "--help"]));
}

#[cfg(unix)]
#[test]
fn a_long_page_is_shown_with_the_pager() {
    let (tree, data) = (Tree::new(), Tree::new());
    let show = |arguments: &[&str]| {
        let variables = [("NO_COLOR", "1"), ("PAGER", "head -n 1"), ("LINES", "24")];
        Terminal::start_with(tree.path(), &data, arguments, &variables).end()
    };
    assert_eq!(show(&["help", "push"]), ("Publish skills with their heartbeats\n".to_owned(), 0));
    assert!(show(&["push", "-h"]).0.contains("--yes"));
}

#[test]
fn versions_that_answers_depend_on() {
    let short = Dibber::new(["--version"]).run();
    let long = run(&["--version", "--verbose"]);
    let expected = format!("{}time zone database {}\n", short.stdout, tzdb_version());
    assert_eq!(long, format!("exit code: 0\n----- stdout -----\n{expected}----- stderr -----\n"));
    assert_eq!(run(&["--verbose", "-V"]), long);
    assert_eq!(Dibber::new(["--verbose", "rules"]).run().code, 2);
}

#[test]
fn rules() {
    insta::assert_snapshot!(run(&["rules"]));
}

#[test]
fn rules_as_json() {
    let ended = Dibber::new(["rules", "--json"]).run();
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    let json: serde_json::Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(json["version"], 2);
    let rules = json["items"].as_array().expect("the rules");
    let ids: Vec<_> = rules.iter().map(|rule| rule["id"].as_str().expect("an id")).collect();
    assert_eq!(ids, RULES.iter().map(|rule| rule.meta.id).collect::<Vec<_>>());
    insta::assert_snapshot!(serde_json::to_string_pretty(&rules[0]).expect("JSON"));
}

#[test]
fn the_arguments_of_a_tool_have_the_schema_that_clients_see() {
    let parse = |ended: Ended| {
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
        serde_json::from_str::<serde_json::Value>(&ended.stdout).expect("JSON")
    };
    let listed = parse(Dibber::new(["tools", "--json"]).run());
    let tools = listed["items"].as_array().expect("the tools");
    for tool in tools {
        let name = tool["name"].as_str().expect("a name");
        assert_eq!(parse(Dibber::new(["schema", name]).run()), tool["inputSchema"], "{name}");
    }
    let dotted = Dibber::new(["schema", "skill.write"]).run();
    assert_eq!(dotted.stdout, Dibber::new(["schema", "skill_write"]).run().stdout);
    insta::assert_snapshot!(run(&["schema", "mcp_health"]));
    insta::assert_snapshot!(run(&["schema", "skill_writ"]));
}

#[test]
fn explain() {
    insta::assert_snapshot!(run(&["explain", "missing-name"]));
    insta::assert_snapshot!(run(&["explain", "mising-name"]));
    insta::assert_snapshot!(run(&["explain", "zebra"]));
    insta::assert_snapshot!(run(&["explain", "spec"]));
    insta::assert_snapshot!(run(&["explain", "a\u{1B}[31m\u{202E}b"]));
    insta::assert_snapshot!(run(&["explain"]));
}

#[test]
fn every_rule_is_explained() {
    for rule in RULES {
        let id = rule.meta.id;
        let ended = Dibber::new(["explain", id]).run();
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{id}");
        assert!(ended.stdout.starts_with(id) && ended.stdout.contains("Why is this bad"), "{id}");
        let ended = Dibber::new(["explain", "--json", id]).run();
        let json: serde_json::Value = serde_json::from_str(&ended.stdout).expect("JSON");
        assert_eq!(json["items"][0]["id"], id);
    }
}

#[test]
fn manual_pages() {
    assert_eq!(Dibber::new(["man", "heartbeat", "zebra"]).run().code, 2);
    assert_eq!(Dibber::new(["man", "lint", "preview"]).run().code, 2);
    let ended = Dibber::new(["man"]).run();
    assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
    for part in [".TH", "dibber", "lint", "explain", "rules"] {
        assert!(ended.stdout.contains(part), "{part}:\n{}", ended.stdout);
    }
}

#[test]
fn completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ended = Dibber::new(["completions", shell]).run();
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{shell}");
        assert!(ended.stdout.contains("COMPLETE"), "{shell}:\n{}", ended.stdout);
    }
    insta::assert_snapshot!(run(&["completions", "cmd"]));
}

#[test]
fn readers_that_go_away() {
    for arguments in [&["rules", "--json"][..], &["explain", "secret"], &["man"], &["--help"]] {
        let ended = Dibber::new(arguments).run_with_closed_pipe();
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn colour() {
    let bold = "\u{1B}[1m";
    let rules = |arguments: &[&str], name: &str| {
        Dibber::new(["rules"]).arguments(arguments).env(name, "1").run().stdout.contains(bold)
    };
    assert!(!rules(&[], "NOTHING"));
    assert!(rules(&[], "CLICOLOR_FORCE"));
    assert!(!rules(&["--color", "never"], "CLICOLOR_FORCE"));
    assert!(rules(&["--color", "always"], "NO_COLOR"));
    assert!(!rules(&[], "NO_COLOR"));
}

/// What is said about a file is said about the same text on standard input.
#[test]
fn a_skill_on_standard_input() {
    let skill = "fixtures/drafts/daily-check-in/SKILL.md";
    let text = fs::read_to_string(package().join(skill)).expect("a skill");
    let tree = Tree::new();
    tree.write("daily-check-in/SKILL.md", text.as_bytes());
    for arguments in [&["hash"][..], &["dry-run", "--arguments"]] {
        let with = |path| [arguments, &[path]].concat();
        let file = Dibber::new(with("daily-check-in")).in_directory(tree.path()).run();
        let input = Dibber::new(with("-")).in_directory(tree.path()).input(text.as_str()).run();
        assert_eq!((input.code, &input.stdout), (file.code, &file.stdout), "{}", input.show());
        assert_eq!(input.code, 0, "{}", input.show());
    }
    let values = ["--input", "child_name=Ada", "--input", "today=2026-03-06", "--input", "note=."];
    let render = Dibber::new(["render", "-"]).arguments(&values).input(text.as_str()).run();
    assert_eq!(render.code, 0, "{}", render.show());
    let json = ["render", "-", "--json", "--input", "x=1"];
    let json = Dibber::new(json).arguments(&values).input(text.as_str()).run();
    let rendered: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(rendered["renderedPrompt"], render.stdout.as_str(), "{}", json.show());
    assert_eq!(rendered["ignoredInputs"], serde_json::json!(["x"]));
    for arguments in [&["hash", "-", "."][..], &["dry-run", "-"]] {
        let refused = Dibber::new(arguments).in_directory(tree.path()).input("").run();
        assert_eq!(refused.code, 2, "{}", refused.show());
    }
}
