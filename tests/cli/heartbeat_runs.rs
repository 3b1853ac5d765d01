//! What is due of heartbeats, and what ran: `dibber heartbeat due`, `run`, `complete`, `fail` and
//! `history`.

use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::command::{Dibber, Ended};
use crate::support::{Tree, package};

/// A skill with a heartbeat that fires once a day.
const SKILL: &str = "\
-- day-plan/SKILL.md --
---
name: day-plan
description: Plans the day of the family from its calendar. Use when a parent asks what is on.
---

# The plan of the day

Read the events of {{input.today}} and write a short plan of them, in plain words.
-- day-plan/sprout.yaml --
label: The plan of the day
summary: Plans the day of the family
inputs:
  - name: today
heartbeats:
  - name: Before school
    cron: \"0 7 * * *\"
    tz: Europe/Berlin
    input:
      today: \"{{fireDate}}\"
";

struct Project {
    tree: Tree,
    data: TempDir,
}

impl Project {
    fn new() -> Self {
        let tree = Tree::from_archive(SKILL, false);
        let project = Self { tree, data: TempDir::new().expect("a temporary directory") };
        let pushed = project.dibber(&["push", "day-plan", "--yes"]);
        assert_eq!(pushed.code, 0, "{}", pushed.show());
        project
    }

    fn dibber(&self, arguments: &[&str]) -> Ended {
        let dibber = Dibber::new(arguments).in_directory(self.tree.path()).data(self.data.path());
        dibber.env("COLUMNS", "80").run()
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        self.dibber(&[&["heartbeat"], arguments].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let ended = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(ended.code, 0, "{}", ended.show());
        serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.show()))
    }

    /// Lets the last day be undecided, as after a day on which nothing ran.
    fn forget_a_day(&self) {
        let path = self.data.path().join("dibber.db");
        let database = Connection::open(path).expect("a database");
        let changed = database.execute(
            "UPDATE heartbeats SET decided_until = created_at - 86400000, is_next_fire_known = 0",
            [],
        );
        assert_eq!(changed.expect("a change"), 1);
    }
}

fn run_id(json: &Value) -> String {
    json["items"][0]["runId"].as_str().expect("an id").to_owned()
}

#[test]
fn what_is_due_is_run_and_completed() {
    let project = Project::new();
    let none = project.run(&["due"]);
    assert_eq!((none.code, none.stderr.trim()), (0, "nothing is due"));
    assert_eq!(project.run(&["run", "Before school"]).code, 5);
    project.forget_a_day();
    let due = project.json(&["due"]);
    assert_eq!(
        (&due["items"][0]["state"], &due["items"][0]["name"]),
        (&"due".into(), &"Before school".into())
    );
    let ran = project.run(&["run", "before"]);
    assert_eq!(ran.code, 0, "{}", ran.show());
    let date = due["items"][0]["plannedAt"].as_str().expect("a time")[..10].to_owned();
    assert!(ran.stdout.contains(&format!("Read the events of {date} and")), "{}", ran.show());
    let id = run_id(&due);
    assert!(ran.stderr.contains(&format!("dibber heartbeat complete {id} --summary")));
    assert_eq!(project.run(&["run", &id]).code, 3, "it is claimed");
    let done = project.run(&["complete", &id, "--summary", "Planned the day."]);
    assert_eq!((done.code, done.stderr.trim()), (0, format!("done: {id}").as_str()));
    let again = project.run(&["complete", &id, "--summary", "Planned it again."]);
    assert_eq!(again.code, 3, "{}", again.show());
    let history = project.run(&["history"]);
    assert!(history.stdout.contains("Planned the day."), "{}", history.show());
    let list = project.json(&["list"]);
    assert!(list["items"][0]["lastRunAt"].is_string(), "{list:#}");
}

#[test]
fn a_failed_run_says_when_it_is_tried_again() {
    let project = Project::new();
    project.forget_a_day();
    let id = run_id(&project.json(&["run", "Before school"]));
    let failed = project.run(&["fail", &id, "--message", "No calendar."]);
    assert_eq!(failed.code, 0, "{}", failed.show());
    let history = project.json(&["history", "Before school"]);
    let run = &history["items"][0];
    assert_eq!(run["reason"], "No calendar.");
    // It is tried again if that is still the day of the planned time, which depends on the hour.
    match run["state"].as_str() {
        Some("due") => assert!(failed.stderr.contains("tried again at"), "{}", failed.show()),
        state => assert_eq!(state, Some("failed")),
    }
    let unknown = project.run(&["fail", "run_none", "--message", "No calendar."]);
    assert_eq!(unknown.code, 5, "{}", unknown.show());
}

#[test]
fn inputs_and_missed_times_are_edited() {
    let project = Project::new();
    let edited = project.run(&[
        "edit",
        "Before school",
        "--input",
        "today=the last day",
        "--missed",
        "skip",
        "--yes",
    ]);
    assert_eq!(edited.code, 0, "{}", edited.show());
    let list = project.json(&["list"]);
    assert_eq!(list["items"][0]["skillInput"]["today"], "the last day");
    assert_eq!(list["items"][0]["missedFires"], "skip");
    project.forget_a_day();
    assert_eq!(project.json(&["due"])["items"], Value::Array(Vec::new()), "none is made up for");
    let wrong = project.run(&["edit", "Before school", "--missed", "twice", "--yes"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("skip, once, all"), "{}", wrong.show());
}

#[test]
fn json_of_runs_has_its_schema() {
    let project = Project::new();
    let path = package().join("schemas/heartbeat-runs.schema.json");
    let schema = std::fs::read_to_string::<&Path>(&path).expect("a file");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let check = |arguments: &[&str]| {
        let json = project.json(arguments);
        let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{arguments:?}: {errors:#?}\n{json:#}");
        json
    };
    check(&["history"]);
    project.forget_a_day();
    check(&["due"]);
    let id = run_id(&check(&["run", "Before school"]));
    check(&["fail", &id, "--message", "No calendar.", "--no-retry"]);
    check(&["history", "Before school", "--limit", "1"]);
}
