//! The file of the store: how it is created, stored and found again, and what it may be instead.

use std::fs;
use std::path::Path;

use dibber_server::store::sqlite::{OpenError, SqliteStore};
use dibber_server::store::{RecordedAnswer, Store, StoreExt, StoreResult};
use dibber_skill::contract::{CardKind, CardState, Scope};
use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;

use crate::support::stores::{change, family, look, open, skill, token_digest, two_families};

/// The message about a file that cannot be opened, with its help.
fn refusal(path: &Path, directory: &TempDir) -> String {
    let error = SqliteStore::open(path).err().expect("a refusal");
    let directory = directory.path().to_str().expect("a UTF-8 path");
    format!("{error}\n  help: {}\n", error.help()).replace(directory, "FOLDER")
}

fn files_of(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn committed_changes_survive_closing_and_opening() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("state/dibber.db");
    let answer = RecordedAnswer {
        user_id: "usr_ours_a".into(),
        key: "key".to_owned(),
        fingerprint: "fingerprint".to_owned(),
        answer: json!({"skillId": "sk_1"}),
        at: 5,
    };
    let store = open(&path);
    two_families(&store);
    let recorded = answer.clone();
    change(&store, move |writer| Ok(writer.record_answer(&recorded, 0)?)).expect("a change");
    store.close();
    assert_eq!(files_of(&directory.path().join("state")), ["dibber.db", "dibber.db-created"]);
    drop(store);
    let store = open(&path);
    let claimed = change(&store, |writer| Ok(writer.claim(&"usr_ours_a".into(), "key", 0)?));
    assert_eq!(claimed.expect("a claim"), Some(answer));
    look(&store, |reader| {
        let found = reader.skill(&family("ours"), &"sk_1".into())?.expect("the skill");
        assert_eq!(found.written, skill("sk_1", "ours").written);
        Ok(())
    });
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;

    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("state/dibber.db");
    let store = open(&path);
    two_families(&store);
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let state = directory.path().join("state");
    assert_eq!(mode(&state), 0o700);
    let names = files_of(&state);
    assert_eq!(names, ["dibber.db", "dibber.db-created", "dibber.db-shm", "dibber.db-wal"]);
    for name in names {
        assert_eq!(mode(&state.join(&name)), 0o600, "{name}");
    }
}

#[test]
fn a_file_that_cannot_be_used_is_left_as_it_is() {
    let directory = TempDir::new().expect("a directory");
    let path = |name: &str| directory.path().join(name);
    fs::write(path("a file"), "something else").expect("a file");
    fs::write(path("long"), "something else\n".repeat(1000)).expect("a file");
    drop(open(&path("newer.db")));
    let newer = Connection::open(path("newer.db")).expect("a database");
    newer.pragma_update(None, "user_version", 10).expect("a version");
    drop(newer);
    let foreign = Connection::open(path("foreign.db")).expect("a database");
    foreign.execute_batch("CREATE TABLE songs (title TEXT)").expect("a table");
    drop(foreign);
    drop(open(&path("damaged.db")));
    let mut damaged = fs::read(path("damaged.db")).expect("a database");
    damaged[100..4096].fill(0xAB);
    fs::write(path("damaged.db"), damaged).expect("a file");
    fs::create_dir(path("folder.db")).expect("a directory");

    let mut output = String::new();
    for name in ["a file", "long", "newer.db", "foreign.db", "damaged.db"] {
        let before = fs::read(path(name)).expect("a file");
        output += &refusal(&path(name), &directory);
        assert_eq!(fs::read(path(name)).expect("a file"), before, "{name}");
    }
    output += &refusal(&path("a file/dibber.db"), &directory);
    output += &refusal(&path("folder.db"), &directory);
    insta::assert_snapshot!(output);
    let files = files_of(directory.path());
    let files: Vec<_> = files.iter().filter(|name| !name.ends_with("-created")).collect();
    assert_eq!(files, ["a file", "damaged.db", "folder.db", "foreign.db", "long", "newer.db"]);
}

#[test]
fn an_empty_file_becomes_a_database() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    fs::write(&path, "").expect("a file");
    two_families(&open(&path));
    assert_eq!(look(&open(&path), |reader| Ok(reader.families()?.rows)).len(), 2);
}

/// Creates a database of version 1, with a family and a token.
fn first_version(path: &Path) {
    const TABLES: &str = include_str!("../../crates/server/src/store/sqlite/migrations/1.sql");
    let rows = r#"
        INSERT INTO families VALUES (1, 'fam_ours', 'ours', 'UTC', 'chat_ours');
        INSERT INTO users VALUES (1, 'fam_ours', 'usr_ours_a', 'A');
        INSERT INTO tokens VALUES ('DIGEST', 'fam_ours', 'usr_ours_a', '["skill:read"]');"#;
    let first = Connection::open(path).expect("a database");
    first.execute_batch(TABLES).expect("the tables");
    first.pragma_update(None, "application_id", 0x6469_6262).expect("its owner");
    first.pragma_update(None, "user_version", 1).expect("its version");
    first.execute_batch(&rows.replace("DIGEST", &token_digest("ours"))).expect("rows");
}

/// A token that was issued before tokens had names stays valid.
#[test]
fn a_database_of_the_first_version_keeps_its_tokens() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    first_version(&path);
    let token =
        look(&open(&path), |reader| Ok(reader.token(&token_digest("ours"))?)).expect("a token");
    assert_eq!((token.name, token.created_at, token.expires_at), (None, None, None));
    assert_eq!(token.scopes, [Scope::SkillRead]);
}

/// A database that was lost is not replaced by an empty one, whatever is left of it.
#[test]
fn a_lost_database_is_not_created_again() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    drop(open(&path));
    fs::remove_file(&path).expect("a file");
    let missing = refusal(&path, &directory);
    assert_eq!(files_of(directory.path()), ["dibber.db-created"], "nothing was created");
    let log = directory.path().join("dibber.db-wal");
    fs::write(&log, "what can still be saved").expect("a file");
    fs::write(&path, "").expect("a file");
    assert_eq!(refusal(&path, &directory), missing);
    assert_eq!(fs::read(&path).expect("a file"), b"", "nothing was written");
    fs::remove_file(log).expect("the log is left as it is");
    insta::assert_snapshot!(missing);
    fs::remove_file(directory.path().join("dibber.db-created")).expect("a file");
    drop(open(&path));
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_the_database_is_refused() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
    assert!(made.success());
    insta::assert_snapshot!(refusal(&path, &directory));
}

#[test]
fn every_error_has_help() {
    let path = Path::new("dir/\u{1b}[31mdibber.db").to_owned();
    let errors = [
        OpenError::DiskFull { path: path.clone() },
        OpenError::Locked { path: path.clone() },
        OpenError::Other { path, cause: rusqlite::Error::InvalidQuery },
    ];
    let output: Vec<_> =
        errors.iter().map(|error| format!("{error}\n  help: {}\n", error.help())).collect();
    insta::assert_snapshot!(output.concat());
}

#[test]
fn each_temporary_store_begins_empty() {
    let store = SqliteStore::temporary().expect("a store");
    two_families(&store);
    assert_eq!(look(&store, |reader| Ok(reader.families()?.rows)).len(), 2);
    store.close();
    drop(store);
    let another = SqliteStore::temporary().expect("a store");
    assert_eq!(look(&another, |reader| Ok(reader.families()?.rows)), []);
}

/// A database without an id, as it was created before there were ids, gets one and keeps its rows.
#[test]
fn a_database_of_the_first_version_gets_an_id() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    first_version(&path);
    let id_and_families = || -> StoreResult<(String, usize)> {
        let store = SqliteStore::open(&path).expect("a database");
        store.read_blocking(|store| Ok((store.server_id()?, store.families()?.rows.len())))
    };
    let first = id_and_families().expect("an id");
    assert!(first.0.starts_with("srv_"), "{}", first.0);
    assert_eq!(first.1, 1);
    assert_eq!(id_and_families().expect("an id"), first);
}

/// A result that was posted before there was an inbox is a new card of it.
#[test]
fn a_database_of_the_first_version_keeps_its_results() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("dibber.db");
    first_version(&path);
    let rows = r#"
        INSERT INTO skills VALUES (1, 'fam_ours', 'sk_1', 'A', 'A', NULL, '[]', '[]', NULL, '[]',
            NULL, 0, 0, NULL, 'A');
        INSERT INTO results VALUES (1, 'fam_ours', 'rs_1', 'sk_1', 'chat_ours', 'usr_ours_a', 5,
            '{"score":3}');"#;
    Connection::open(&path).expect("a database").execute_batch(rows).expect("rows");
    let store = open(&path);
    look(&store, |reader| {
        let ours = family("ours");
        let card = reader.card(&ours, &"rs_1".into())?.expect("the card");
        assert_eq!((card.kind, card.state), (CardKind::Result, CardState::Unread));
        assert_eq!((card.heartbeat_id, card.run_id, card.posted_at), (None, None, 5));
        assert_eq!(card.result["score"], 3);
        let skill = reader.skill(&ours, &"sk_1".into())?.expect("the skill");
        assert_eq!(skill.written.response_model, None);
        Ok(())
    });
}
