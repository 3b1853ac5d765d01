//! What was begun is found again, for as long as its key holds.

use std::fs;
use std::path::PathBuf;

use dibber::client::{ClientError, Journal, JournalError};
use dibber::contract::{ErrorCode, IDEMPOTENCY_CONFLICT, ToolError};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

fn now() -> Timestamp {
    "2026-05-23T12:00:00Z".parse().expect("a time")
}

fn arguments() -> Value {
    json!({"name": "Plants", "prompt": "Water."})
}

fn entries(folder: &TempDir, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.path()).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

#[test]
fn the_same_call_goes_on_with_its_key_until_it_is_finished() {
    let folder = TempDir::new().expect("a folder");
    let journal = Journal::new(folder.path());
    let begin = || journal.begin("local", "skill_write", &arguments(), now()).expect("a journal");
    let first = begin();
    assert!(!first.is_resumed());
    let key = first.key().clone();
    drop(first);
    let again = begin();
    assert!(again.is_resumed());
    assert_eq!(*again.key(), key);
    // Another order of the arguments is the same call; another server or tool is not.
    let turned = json!({"prompt": "Water.", "name": "Plants"});
    let turned = journal.begin("local", "skill_write", &turned, now()).expect("a journal");
    assert_eq!(*turned.key(), key);
    let other = journal.begin("elsewhere", "skill_write", &arguments(), now()).expect("a journal");
    assert_ne!(*other.key(), key);
    other.finish().expect("a journal");
    // Who is still at it keeps it for all.
    turned.finish().expect("a journal");
    assert_eq!(entries(&folder, "json").len(), 1);
    again.finish().expect("a journal");
    assert_eq!(entries(&folder, "json").len(), 0);
    assert_ne!(*begin().key(), key);
}

#[test]
fn only_what_is_certain_ends_it() {
    let refused = |code| ClientError::Refused(Box::new(ToolError::new(code, "no", "yes")));
    let conflict = || {
        let error = ToolError::new(ErrorCode::BadInput, "no", "yes").reason(IDEMPOTENCY_CONFLICT);
        ClientError::Refused(Box::new(error))
    };
    let unknown = || ClientError::OutcomeUnknown("gone".to_owned());
    let unreachable = || ClientError::Unreachable("gone".to_owned());
    let cases = [
        (refused(ErrorCode::BadInput), false, 0),
        (refused(ErrorCode::BadInput), true, 0),
        // Something else was done with the key, or may have been.
        (conflict(), false, 1),
        (conflict(), true, 1),
        (refused(ErrorCode::InternalError), true, 1),
        (refused(ErrorCode::PermissionDenied), true, 1),
        (unreachable(), false, 0),
        (unreachable(), true, 1),
        (unknown(), false, 1),
        (unknown(), true, 1),
    ];
    for (error, is_resumed, left) in cases {
        let folder = TempDir::new().expect("a folder");
        let journal = Journal::new(folder.path());
        let begin = || journal.begin("local", "skill_write", &arguments(), now());
        if is_resumed {
            drop(begin().expect("a journal"));
        }
        begin().expect("a journal").failed(&error).expect("a journal");
        assert_eq!(entries(&folder, "json").len(), left, "{error}, resumed: {is_resumed}");
    }
}

#[test]
fn what_is_older_than_its_key_is_not_repeated_silently() {
    for hours in [24, -24] {
        let folder = TempDir::new().expect("a folder");
        let journal = Journal::new(folder.path());
        drop(journal.begin("local", "skill_write", &arguments(), now()).expect("a journal"));
        let later = now() + SignedDuration::from_hours(hours);
        let begun = journal.begin("local", "skill_write", &arguments(), later);
        assert!(matches!(begun, Err(JournalError::TooOld { .. })), "{begun:?}");
        journal.forget("local", "skill_write", &arguments()).expect("a journal");
        let begun = journal.begin("local", "skill_write", &arguments(), later).expect("a journal");
        assert!(!begun.is_resumed());
    }
}

#[test]
fn a_damaged_entry_is_told_and_kept() {
    let folder = TempDir::new().expect("a folder");
    let journal = Journal::new(folder.path());
    drop(journal.begin("local", "skill_write", &arguments(), now()).expect("a journal"));
    let entry = entries(&folder, "json").remove(0);
    fs::write(&entry, b"{\"key\": \"").expect("a file");
    let begun = journal.begin("local", "skill_write", &arguments(), now());
    assert!(matches!(begun, Err(JournalError::Unreadable { .. })), "{begun:?}");
    let aside = entries(&folder, "unreadable").remove(0);
    assert_eq!(fs::read(aside).expect("a file"), b"{\"key\": \"");
    let begun = journal.begin("local", "skill_write", &arguments(), now()).expect("a journal");
    assert!(!begun.is_resumed());
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().expect("a folder");
    let journal = Journal::new(folder.path().join("state/journal"));
    let _begun = journal.begin("local", "skill_write", &arguments(), now()).expect("a journal");
    let mode = |path: PathBuf| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let inside = folder.path().join("state/journal");
    assert_eq!(mode(inside.clone()), 0o700);
    for entry in fs::read_dir(inside).expect("a folder") {
        assert_eq!(mode(entry.expect("an entry").path()), 0o600);
    }
}
