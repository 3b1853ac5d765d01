//! `dibber runs`.

use std::path::Path;

use dibber_server::store::{RunProgram, SkillRun};
use dibber_skill::contract::FamilyId;
use dibber_skill::contract::skills_protocol::RunStatus;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::command::{Dibber, Ended};
use crate::support::package;
use crate::support::stores::{change, damage, look, open};

/// A database with a family that has a child.
fn database() -> TempDir {
    let data = TempDir::new().expect("a directory");
    let child = ["family", "add-child", "--born", "2019-04-30", "--name", "Zebediah"];
    let added = Dibber::new(child).data(data.path()).run();
    assert_eq!(added.code, 0, "{}", added.show());
    data
}

/// Adds runs, of which every second one has failed.
fn add_runs(data: &Path, count: i64) {
    let store = open(&data.join("dibber.db"));
    let (family, user) = look(&store, |reader| {
        let family = reader.families()?.rows[0].id.clone();
        let user = reader.users(&family)?.rows[0].id.clone();
        Ok((family, user))
    });
    for number in 0..count {
        let run = SkillRun {
            id: format!("run_{number}").into(),
            user_id: user.clone(),
            program: match number % 3 {
                0 => RunProgram::Code,
                _ => RunProgram::Skill {
                    name: "crm.leads".to_owned(),
                    version: format!("1.{number}.0"),
                },
            },
            status: if number % 2 == 0 { RunStatus::Completed } else { RunStatus::Failed },
            error_type: (number % 2 == 1).then(|| "ValueError".to_owned()),
            started_at: 1_790_000_000_000 + number,
            milliseconds: 7 + number,
            summary: "Counted \u{1b}[1mthe days\nof Zebediah.".to_owned(),
        };
        let family: FamilyId = family.clone();
        change(&store, move |writer| Ok(writer.add_skill_run(&family, &run)?)).expect("a run");
    }
}

fn runs(data: &Path, arguments: &[&str]) -> Ended {
    let command = Dibber::new(["runs"]).arguments(arguments).data(data).env("COLUMNS", "80");
    command.env("LC_ALL", "C").run()
}

fn as_json(data: &Path, arguments: &[&str]) -> Value {
    let ended = runs(data, &[&["--json"], arguments].concat());
    assert_eq!(ended.code, 0, "{}", ended.show());
    let schema = std::fs::read_to_string(package().join("schemas/runs.schema.json"));
    let schema = serde_json::from_str(&schema.expect("a schema")).expect("JSON");
    let value = serde_json::from_str(&ended.stdout).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    value
}

fn ids(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().expect("items");
    items.iter().map(|item| item["runId"].as_str().expect("an id")).collect()
}

#[test]
fn the_latest_runs_are_listed_first() {
    let data = database();
    let none = runs(data.path(), &[]);
    let shown = (none.code, none.stdout.as_str(), none.stderr.as_str());
    assert_eq!(shown, (0, "", "nothing was run yet\n"));
    add_runs(data.path(), 12);
    let list = as_json(data.path(), &[]);
    assert_eq!(ids(&list).len(), 10);
    assert_eq!(list["hasMore"], json!(true));
    let first = &list["items"][0];
    let user = first["userId"].clone();
    let expected = json!({
        "runId": "run_11", "userId": user, "skill": "crm.leads", "skillVersion": "1.11.0",
        "status": "failed", "errorType": "ValueError", "startedAt": "2026-09-21T14:13:20Z",
        "milliseconds": 18, "summary": "Counted \u{1b}[1mthe days\nof ********.",
    });
    assert_eq!(*first, expected);
    assert_eq!(list["items"][2]["skill"], Value::Null);
    let failed = as_json(data.path(), &["--failed", "--limit", "6"]);
    assert_eq!(ids(&failed), ["run_11", "run_9", "run_7", "run_5", "run_3", "run_1"]);
    assert_eq!(failed["hasMore"], json!(false));
}

#[test]
fn runs_are_shown_with_their_results() {
    let data = database();
    add_runs(data.path(), 3);
    let ended = runs(data.path(), &["--limit", "2"]);
    let lines: Vec<_> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{}", ended.show());
    assert!(lines[0].starts_with("crm.leads 1.2.0  completed  9 ms  "), "{}", ended.show());
    assert!(lines[0].ends_with("  run_2"), "{}", ended.show());
    assert!(lines[1].starts_with("  Counted ") && lines[1].ends_with("the days of ********."));
    assert!(lines[2].starts_with("crm.leads 1.1.0  failed: ValueError  8 ms  "));
    assert!(!ended.stdout.contains(['\u{1b}']), "{}", ended.show());
    assert_eq!(
        ended.stderr,
        "only 2 runs are listed; see `--limit`, or continue with `--cursor run_1`\n"
    );
    let all = runs(data.path(), &[]);
    assert!(all.stdout.contains("\ncode  completed  7 ms  "), "{}", all.show());
    assert_eq!(all.stderr, "");
}

#[test]
fn a_damaged_run_is_left_out() {
    let data = database();
    add_runs(data.path(), 3);
    damage(data.path(), "UPDATE skill_runs SET status = 'lost' WHERE id = 'run_1'");
    let ended = runs(data.path(), &["--json"]);
    let list: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(ids(&list), ["run_2", "run_0"]);
    assert!(ended.stderr.contains("1 item is damaged"), "{}", ended.show());
    let checked = Dibber::new(["doctor", "--database"]).data(data.path()).run();
    let problem = "row 2 of skill_runs (run_1) is damaged: invalid value in `status`";
    assert!(checked.stdout.contains(problem), "{}", checked.show());
}

#[test]
fn the_runs_of_another_family_are_its_own() {
    let data = database();
    add_runs(data.path(), 3);
    let unknown = runs(data.path(), &["--family", "garden"]);
    assert_eq!(unknown.code, 5, "{}", unknown.show());
    let member = ["family", "--family", "garden", "add-member", "Bo"];
    assert_eq!(Dibber::new(member).data(data.path()).run().code, 0);
    assert_eq!(ids(&as_json(data.path(), &["--family", "garden"])), Vec::<&str>::new());
}

#[test]
fn a_list_continues_after_its_last_run() {
    let data = database();
    add_runs(data.path(), 5);
    let first = as_json(data.path(), &["--limit", "2"]);
    assert_eq!((ids(&first), &first["nextCursor"]), (vec!["run_4", "run_3"], &json!("run_3")));
    let second = as_json(data.path(), &["--limit", "3", "--cursor", "run_3"]);
    assert_eq!(ids(&second), ["run_2", "run_1", "run_0"]);
    assert_eq!((&second["hasMore"], &second["nextCursor"]), (&json!(false), &Value::Null));
    let none = runs(data.path(), &["--cursor", "run_0"]);
    assert_eq!((none.code, &*none.stderr), (0, "there are no runs after this one\n"));
}

#[test]
fn no_database_is_made_to_list_its_runs() {
    let place = TempDir::new().expect("a directory");
    let data = place.path().join("new");
    let none = runs(&data, &[]);
    assert_eq!((none.code, &*none.stderr), (0, "nothing was run yet\n"), "{}", none.show());
    assert!(ids(&as_json(&data, &[])).is_empty() && !data.exists());
}
