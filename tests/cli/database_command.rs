//! `dibber database copy`, and commands on a database of PostgreSQL.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::command::{Dibber, Ended};
use crate::support::package;
use crate::support::postgres::TestDatabase;
use crate::support::server_process::{Serving, serve};
use crate::support::stores::two_families_in_directory;

fn copy(from: &str, to: &str, arguments: &[&str]) -> Ended {
    Dibber::new(["database", "copy", from, to]).arguments(arguments).run_bounded()
}

fn path(directory: &Path) -> String {
    directory.to_string_lossy().into_owned()
}

/// The JSON of a copy, which has to be of its schema.
fn json(ended: &Ended) -> Value {
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let path = package().join("schemas/database-copy.schema.json");
    let schema = serde_json::from_slice(&fs::read(path).expect("a schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
    json
}

/// Returns what a run showed, without the id of the server.
fn shown(ended: &Ended) -> String {
    let shown = ended.show();
    let Some((before, rest)) = shown.split_once("srv_") else { return shown };
    format!("{before}srv_…{}", rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
}

#[test]
fn a_copy_is_planned_first_and_compared_at_the_end() {
    let data = two_families_in_directory();
    let target = TempDir::new().expect("a directory");
    let to = target.path().join("copy");
    let (from, to) = (path(data.path()), path(&to));
    let plan = copy(&from, &to, &["--dry-run"]);
    assert!(!Path::new(&to).exists(), "a plan creates nothing");
    let unanswered = copy(&from, &to, &[]);
    assert!(!Path::new(&to).exists(), "nothing was agreed to");
    let planned = json(&copy(&from, &to, &["-n", "--json"]));
    assert_eq!(
        (&planned["copied"], &planned["families"][0]["tables"][0]["digest"]),
        (&Value::Bool(false), &Value::Null)
    );
    let copied = copy(&from, &to, &["--yes"]);
    let again = copy(&from, &to, &["--yes"]);
    let unknown = copy(&from, &to, &["--yes", "--family", "fam_nobody"]);
    let missing = copy(&path(&target.path().join("typo")), &to, &["--yes"]);
    let ended = [plan, unanswered, copied, again, unknown, missing];
    let shown: Vec<_> =
        ended.iter().map(|ended| shown(ended).replace(&path(target.path()), "FOLDER")).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn an_address_is_not_shown_when_it_is_invalid() {
    let ended = copy("postgres://me:secret@db.example/x?sslmode=prefer", "to", &["--yes"]);
    let other = copy("from", "mysql://me:secret@db.example/x", &["--yes"]);
    insta::assert_snapshot!([ended.show(), other.show()].join("\n"));
}

#[test]
fn a_database_of_postgres_is_served_and_copied() {
    let Some(database) = TestDatabase::create() else { return };
    let url = database.url();
    let data = two_families_in_directory();
    let copied = copy(&path(data.path()), &url, &["--yes", "--json"]);
    assert_eq!(copied.code, 0, "{}", copied.show());
    let copied = json(&copied);
    assert_eq!(copied["copied"], Value::Bool(true));
    assert!(!copied.to_string().contains("te%40st"), "{copied}");
    let directory = TempDir::new().expect("a directory");
    let run = |arguments: &[&str]| {
        let run = Dibber::new(arguments).data(directory.path()).env("DIBBER_DATABASE", &url);
        let ended = run.run_bounded();
        assert!(!ended.show().contains("te%40st"), "{}", ended.show());
        ended
    };
    let family = run(&["family", "show", "--family", "ours", "--json"]);
    let family: Value = serde_json::from_str(&family.stdout).expect("JSON");
    assert_eq!(family["familyId"], "fam_ours");
    let status = run(&["status"]);
    assert!(status.stdout.contains("postgres://dibber@localhost"), "{}", status.show());
    let checked = run(&["doctor", "--database"]);
    assert_eq!(checked.code, 0, "{}", checked.show());
    let removed = run(&["doctor", "--database", "--remove", "sk_1", "--yes"]);
    assert!(removed.stderr.contains("`--remove` is for a SQLite database"), "{}", removed.show());
    assert!(!directory.path().join("dibber.db").exists());
    // A server on it.
    let data = directory.path().join("served");
    let serving =
        Serving::of(serve(&data, &["--listen", "127.0.0.1:0", "--database", &url]), &data);
    let answer = serving.call("skill_list", &serde_json::json!({}));
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(!data.join("dibber.db").exists());
}
