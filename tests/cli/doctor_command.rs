//! `dibber doctor`: what is damaged in the database is listed, and nothing is changed.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::command::{Dibber, Ended};
use crate::support::stores::{open, two_families};
use crate::support::{Tree, package};

fn doctor(data: &Path, arguments: &[&str]) -> Ended {
    Dibber::new(["doctor"]).arguments(arguments).data(data).run_bounded()
}

/// A directory with the database of two families.
fn data() -> TempDir {
    let data = TempDir::new().expect("a directory");
    two_families(&open(&data.path().join("dibber.db")));
    data
}

/// Changes the database as a fault of the disk or another program does.
fn damage(data: &Path, statements: &str) {
    let database = Connection::open(data.join("dibber.db")).expect("a database");
    database.pragma_update(None, "foreign_keys", false).expect("a pragma");
    database.execute_batch(statements).expect("a change");
}

/// The items, which have to be of their schema.
fn items(ended: &Ended) -> Vec<Value> {
    let json: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let path = package().join("tests/reference/doctor.schema.json");
    let schema = serde_json::from_slice(&fs::read(path).expect("a schema")).expect("JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    let errors: Vec<_> = validator.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{json:#}");
    json["items"].as_array().expect("items").clone()
}

#[test]
fn a_healthy_database_has_no_problems() {
    let data = data();
    let ended = doctor(data.path(), &[]);
    let shown = "exit code: 0\n----- stdout -----\n----- stderr -----\n\
                 no problems found in FOLDER\n";
    assert_eq!(ended.show_without(data.path()), shown);
    assert_eq!(items(&doctor(data.path(), &["--json"])), Vec::<Value>::new());
}

#[test]
fn nothing_is_created() {
    let data = TempDir::new().expect("a directory");
    assert_eq!(doctor(data.path(), &[]).code, 0);
    assert_eq!(fs::read_dir(data.path()).expect("a directory").count(), 0);
}

#[test]
fn damaged_rows_are_listed_one_by_one() {
    let data = data();
    damage(
        data.path(),
        "UPDATE skills SET hands = 'Ottilie ours[' WHERE family_id = 'fam_ours';
         UPDATE heartbeats SET cron = 'Ottilie' WHERE family_id = 'fam_theirs';
         UPDATE children SET birth_date = 'Ottilie' WHERE family_id = 'fam_ours';
         UPDATE users SET name = x'ff' WHERE id = 'usr_ours_b';
         DELETE FROM users WHERE id = 'usr_theirs_b';",
    );
    let before = fs::read(data.path().join("dibber.db")).expect("a file");
    insta::assert_snapshot!(doctor(data.path(), &[]).show_without(data.path()));
    let ended = doctor(data.path(), &["--json"]);
    assert_eq!(ended.code, 1, "{}", ended.show());
    let kinds: Vec<_> = items(&ended).iter().map(|item| item["kind"].clone()).collect();
    assert_eq!(kinds, ["row", "row", "row", "row", "reference"]);
    assert_eq!(fs::read(data.path().join("dibber.db")).expect("a file"), before);
}

/// It is brought up to date at the next start; nothing in it is damaged.
#[test]
fn a_database_of_an_earlier_version_is_healthy() {
    let data = data();
    damage(
        data.path(),
        "ALTER TABLE tokens DROP COLUMN expires_at; DROP TABLE server; PRAGMA user_version = 1;",
    );
    let ended = doctor(data.path(), &[]);
    assert_eq!(ended.code, 0, "{}", ended.show());
}

#[test]
fn a_database_without_an_id_is_damaged() {
    let data = data();
    damage(data.path(), "DELETE FROM server");
    let ended = doctor(data.path(), &[]);
    assert_eq!(ended.code, 1, "{}", ended.show());
    assert!(ended.stdout.contains("`server` has no row"), "{}", ended.show());
}

/// What is damaged does not let something happen that it forbade.
#[test]
fn a_skill_that_a_damaged_heartbeat_runs_cannot_be_archived() {
    let data = data();
    damage(data.path(), "UPDATE heartbeats SET cron = '?'");
    let path = data.path().join("dibber.db");
    let database = Connection::open(path).expect("a database");
    let run = "SELECT run_skill_id FROM heartbeats WHERE family_id = 'fam_ours' AND state <> \
               'cancelled'";
    let skill: String = database.query_row(run, [], |row| row.get(0)).expect("a heartbeat");
    let arguments = ["family", "archive-skill", &skill, "--family", "ours", "--yes"];
    let ended = Dibber::new(arguments).data(data.path()).run();
    assert_eq!(ended.code, 3, "{}", ended.show());
    assert!(ended.stderr.contains("SKILL_IN_USE"), "{}", ended.show());
}

#[test]
fn a_damaged_page_is_found() {
    let data = data();
    let path = data.path().join("dibber.db");
    let mut bytes = fs::read(&path).expect("a database");
    let page = 4096;
    let second = bytes.len() / page / 2 * page;
    bytes[second..second + page].fill(0xAB);
    fs::write(&path, bytes).expect("a file");
    let ended = doctor(data.path(), &[]);
    assert_eq!(ended.code, 1, "{}", ended.show());
    assert!(ended.stdout.contains("the file is damaged: "), "{}", ended.show());
}

#[test]
fn files_that_cannot_be_checked() {
    let data = data();
    let path = data.path().join("dibber.db");
    fs::write(&path, "").expect("a file");
    let lost = doctor(data.path(), &[]).show_without(data.path());
    fs::write(&path, "something else\n".repeat(1000)).expect("a file");
    let other = doctor(data.path(), &[]).show_without(data.path());
    insta::assert_snapshot!(format!("{lost}\n{other}"));
}

#[cfg(unix)]
#[test]
fn the_token_and_the_journal_are_checked_too() {
    use std::os::unix::fs::PermissionsExt;

    let data = data();
    let token = data.path().join("token");
    fs::write(&token, "dib_1\n").expect("a file");
    fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).expect("a mode");
    fs::create_dir(data.path().join("journal")).expect("a directory");
    let entry = format!("journal/{}-{}.json", "a".repeat(16), "b".repeat(32));
    fs::write(data.path().join(entry), "{").expect("a file");
    insta::assert_snapshot!(doctor(data.path(), &[]).show_without(data.path()));
    let kinds: Vec<_> =
        items(&doctor(data.path(), &["--json"])).iter().map(|item| item["kind"].clone()).collect();
    assert_eq!(kinds, ["token-file", "journal"]);
    assert_eq!(doctor(data.path(), &["--database"]).code, 0);
}

/// A damaged row neither hides the others nor stays unnoticed.
#[test]
fn lists_leave_damaged_rows_out_and_warn() {
    let (tree, data) = (Tree::new(), TempDir::new().expect("a directory"));
    let run = |arguments: &[&str]| {
        Dibber::new(arguments).data(data.path()).in_directory(tree.path()).run()
    };
    for name in ["first", "second"] {
        let text = format!(
            "---\nname: {name}\ndescription: Plan the week. Use when a week begins.\n---\n\n\
             # The {name}\n\nAsk about the week.\n"
        );
        tree.write(&format!("{name}/SKILL.md"), text.as_bytes());
        let ended = run(&["push", "--yes", name]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        let create = ["heartbeat", "create", name, "--cron", "0 9 * * 1", "--skill", name, "--yes"];
        let ended = run(&create);
        assert_eq!(ended.code, 0, "{}", ended.show());
    }
    damage(
        data.path(),
        "UPDATE skills SET inputs = '?' WHERE name = 'The first';
         UPDATE heartbeats SET tz = '?' WHERE name = 'first';",
    );
    let warning = "warning: 1 item is damaged in the database of the server and left out";
    for list in ["skill", "heartbeat"] {
        let ended = run(&[list, "list"]);
        assert_eq!(ended.code, 0, "{}", ended.show());
        assert!(ended.stderr.contains(warning), "{}", ended.show());
        assert!(ended.stdout.contains("second") && !ended.stdout.contains("first"), "{list}");
    }
}

#[test]
fn a_damaged_token_does_not_keep_others_from_being_revoked() {
    let data = TempDir::new().expect("a directory");
    let run = |arguments: &[&str]| {
        Dibber::new(["family", "token"]).arguments(arguments).data(data.path()).run()
    };
    for name in ["first", "second"] {
        assert_eq!(run(&["--output", "-", "--name", name]).code, 0);
    }
    damage(data.path(), "UPDATE tokens SET scopes = '?' WHERE name = 'first'");
    let listed = run(&["--list"]);
    let warning = "warning: 1 item is damaged in the database of the server and left out";
    assert!(listed.stderr.contains(warning), "{}", listed.show());
    assert!(listed.stdout.contains("  second  ") && !listed.stdout.contains("first"));
    let id = listed.stdout.split_once(' ').expect("an id").0;
    assert_eq!(run(&["--revoke", id]).code, 0);
    assert_eq!(run(&["--list"]).stdout, "");
}
