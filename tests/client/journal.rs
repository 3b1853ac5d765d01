//! What was begun is found again, for as long as its key holds.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use dibber_client::{ClientError, Intent, Journal, JournalError, RecordedServer, Repeat};
use dibber_skill::contract::{ErrorCode, IDEMPOTENCY_CONFLICT, ToolError};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;

fn now() -> Timestamp {
    "2026-05-23T12:00:00Z".parse().expect("a time")
}

fn arguments() -> Value {
    json!({"name": "Plants", "prompt": "Water."})
}

fn local() -> &'static RecordedServer {
    static LOCAL: LazyLock<RecordedServer> = LazyLock::new(|| RecordedServer::named("local"));
    &LOCAL
}

fn intent(arguments: &Value) -> Intent<'_> {
    Intent::new(local(), "skill_write", arguments)
}

fn entries(directory: &TempDir, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory.path()).expect("a directory");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
}

#[test]
fn the_same_call_goes_on_with_its_key_until_it_is_finished() {
    let directory = TempDir::new().expect("a directory");
    let journal = Journal::new(directory.path());
    let begin = || journal.begin(&intent(&arguments()), now()).expect("a journal");
    let first = begin();
    assert!(!first.is_resumed());
    let key = first.key().clone();
    drop(first);
    let again = begin();
    assert!(again.is_resumed());
    assert_eq!(*again.key(), key);
    // Another order of the arguments is the same call; another server or tool is not.
    let turned = json!({"prompt": "Water.", "name": "Plants"});
    let turned = journal.begin(&intent(&turned), now()).expect("a journal");
    assert_eq!(*turned.key(), key);
    let other = journal
        .begin(
            &Intent { server: &RecordedServer::named("elsewhere"), ..intent(&arguments()) },
            now(),
        )
        .expect("a journal");
    assert_ne!(*other.key(), key);
    other.finish().expect("a journal");
    // Who is still at it keeps it for all.
    turned.finish().expect("a journal");
    assert_eq!(entries(&directory, "json").len(), 1);
    again.finish().expect("a journal");
    assert_eq!(entries(&directory, "json").len(), 0);
    assert_ne!(*begin().key(), key);
}

#[test]
fn a_write_is_found_at_every_address_of_its_server() {
    let arguments = arguments();
    let here = RecordedServer::with_id("srv_1", "fam_1", "local");
    let there = RecordedServer::with_id("srv_1", "fam_1", "http://localhost:8080/mcp");
    let others = [RecordedServer::with_id("srv_1", "fam_2", "a"), RecordedServer::named("b")];
    // One that was begun before the id of its server was known is found at the same address.
    for (begun, again) in [(&here, &there), (&there, &here), (local(), &here)] {
        for subject in [Some("plants"), None] {
            let directory = TempDir::new().expect("a directory");
            let journal = Journal::new(directory.path());
            let on = |server| {
                let intent = Intent { server, subject, ..intent(&arguments) };
                journal.begin(&intent, now()).expect("a journal")
            };
            let key = on(begun).key().clone();
            for other in &others {
                let other = on(other);
                assert!(!other.is_resumed(), "{begun:?}");
                other.finish().expect("a journal");
            }
            let operation = on(again);
            assert!(operation.is_resumed(), "{begun:?} {again:?} {subject:?}");
            assert_eq!(*operation.key(), key);
            drop(operation);
            if let Some(subject) = subject {
                journal.discard_subject(again, subject).expect("a journal");
                assert_eq!(entries(&directory, "json").len(), 0);
            }
        }
    }
}

/// Until it executes its program, a new process has a copy of every open file, with its lock.
#[test]
fn a_process_that_is_starting_does_not_hold_a_dropped_operation() {
    const ROUNDS: usize = 300;
    let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a folder");
    let journal = Journal::new(folder.path());
    let is_over = AtomicBool::new(false);
    let left = thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    drop(Command::new("/no/such/program").status());
                }
            });
        }
        let round = |round: usize| {
            let arguments = json!({"name": "Plants", "prompt": round.to_string()});
            let begin = || journal.begin(&intent(&arguments), now()).ok();
            drop(begin());
            begin().map(|again| again.finish().is_ok())
        };
        let rounds: Vec<_> = (0..ROUNDS).map(round).collect();
        is_over.store(true, Ordering::Relaxed);
        assert!(rounds.iter().all(|finished| *finished == Some(true)));
        entries(&folder, "json").len()
    });
    assert_eq!(left, 0);
}

#[test]
fn only_a_certain_outcome_finishes_it() {
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
        let directory = TempDir::new().expect("a directory");
        let journal = Journal::new(directory.path());
        let begin = || journal.begin(&intent(&arguments()), now());
        if is_resumed {
            drop(begin().expect("a journal"));
        }
        begin().expect("a journal").fail(&error).expect("a journal");
        assert_eq!(entries(&directory, "json").len(), left, "{error}, resumed: {is_resumed}");
    }
}

#[test]
fn an_entry_older_than_its_key_is_not_repeated_silently() {
    for hours in [24, -24] {
        let directory = TempDir::new().expect("a directory");
        let journal = Journal::new(directory.path());
        drop(journal.begin(&intent(&arguments()), now()).expect("a journal"));
        let later = now() + SignedDuration::from_hours(hours);
        let begun = journal.begin(&intent(&arguments()), later);
        assert!(matches!(begun, Err(JournalError::TooOld { .. })), "{begun:?}");
        journal.discard_intent(&intent(&arguments())).expect("a journal");
        let begun = journal.begin(&intent(&arguments()), later).expect("a journal");
        assert!(!begun.is_resumed());
    }
}

#[test]
fn a_corrupt_entry_is_reported_and_set_aside() {
    let directory = TempDir::new().expect("a directory");
    let journal = Journal::new(directory.path());
    drop(journal.begin(&intent(&arguments()), now()).expect("a journal"));
    let entry = entries(&directory, "json").remove(0);
    fs::write(&entry, b"{\"key\": \"").expect("a file");
    let begun = journal.begin(&intent(&arguments()), now());
    assert!(matches!(begun, Err(JournalError::Unreadable { .. })), "{begun:?}");
    let aside = entries(&directory, "unreadable").remove(0);
    assert_eq!(fs::read(aside).expect("a file"), b"{\"key\": \"");
    // What it was of may have been made, so it is not made again before a person has looked.
    let begun = journal.begin(&intent(&arguments()), now());
    assert!(matches!(begun, Err(JournalError::Unreadable { .. })), "{begun:?}");
    let unfinished = journal.unfinished().expect("a journal");
    assert_eq!((unfinished.len(), &unfinished[0].details), (1, &None));
    journal.discard(&unfinished[0]).expect("a journal");
    let begun = journal.begin(&intent(&arguments()), now()).expect("a journal");
    assert!(!begun.is_resumed());
}

#[test]
fn a_write_from_another_state_is_another_write() {
    let directory = TempDir::new().expect("a directory");
    let journal = Journal::new(directory.path());
    let arguments = arguments();
    let from = |base| Intent { base, subject: Some("plants"), ..intent(&arguments) };
    let first = journal.begin(&from("dry"), now()).expect("a journal");
    let key = first.key().clone();
    drop(first);
    // The state was read after the first one was lost, so only the second one is unfinished.
    let second = journal.begin(&from("wet"), now()).expect("a journal");
    assert!(!second.is_resumed());
    assert_ne!(*second.key(), key);
    assert_eq!(entries(&directory, "json").len(), 1);
    second.finish().expect("a journal");
    // The same arguments from the first state are a write of their own by now.
    let third = journal.begin(&from("dry"), now()).expect("a journal");
    assert!(!third.is_resumed());
    assert_ne!(*third.key(), key);
    drop(third);
    // A write of another subject ends nothing, and neither does one without a subject.
    let others = [Intent { subject: Some("ferns"), ..intent(&arguments) }, intent(&arguments)];
    for other in others {
        journal.begin(&other, now()).expect("a journal").finish().expect("a journal");
        assert_eq!(entries(&directory, "json").len(), 1);
    }
    journal.discard_subject(local(), "ferns").expect("a journal");
    assert_eq!(entries(&directory, "json").len(), 1);
    journal.discard_subject(local(), "plants").expect("a journal");
    assert_eq!(entries(&directory, "json").len(), 0);
}

#[test]
fn unfinished_writes_are_listed_resumed_and_discarded() {
    let directory = TempDir::new().expect("a directory");
    let journal = Journal::new(directory.path());
    assert_eq!(journal.unfinished().expect("a journal"), Vec::new());
    let (late, early) = (arguments(), json!({"name": "Ferns"}));
    let plants = Intent { subject: Some("plants"), target: Some("c_1"), ..intent(&late) };
    let begun = now() + SignedDuration::from_mins(1);
    let key = journal.begin(&plants, begun).expect("a journal").key().clone();
    drop(journal.begin(&intent(&early), now()).expect("a journal"));
    let unfinished = journal.unfinished().expect("a journal");
    // What a write with a subject made is looked for by its arguments; others are not recorded.
    let names = unfinished.iter().map(|it| it.details.as_ref()?.arguments.get("name"));
    assert_eq!(names.collect::<Vec<_>>(), [None, Some(&json!("Plants"))]);
    let details = unfinished[1].details.as_ref().expect("details");
    assert_eq!(
        (details.subject.as_deref(), details.target.as_deref()),
        (Some("plants"), Some("c_1"))
    );
    let resumed = journal.begin(&plants, begun).expect("a journal");
    assert!(resumed.is_resumed());
    assert_eq!(*resumed.key(), key);
    resumed.finish().expect("a journal");
    journal.discard(&unfinished[0]).expect("a journal");
    assert_eq!(journal.unfinished().expect("a journal"), Vec::new());
}

#[test]
fn old_entries_are_swept_unless_they_may_have_added_something() {
    let directory = TempDir::new().expect("a directory");
    let arguments = arguments();
    let sets = Intent { repeat: Repeat::Sets, base: "dry", ..intent(&arguments) };
    let begin = |intent: &Intent, hours: i64| {
        let now = now() + SignedDuration::from_hours(hours);
        Journal::new(directory.path()).begin(intent, now).map(|operation| operation.key().clone())
    };
    let key = begin(&sets, 0).expect("a journal");
    begin(&intent(&arguments), 0).expect("a journal");
    let other = json!({"name": "Ferns"});
    // A state can be set again under a new key; what adds something waits for a decision.
    begin(&intent(&other), 24).expect("a journal");
    assert_eq!(entries(&directory, "json").len(), 2);
    assert_ne!(begin(&sets, 24).expect("a journal"), key);
    assert!(matches!(begin(&intent(&arguments), 24), Err(JournalError::TooOld { .. })));
    let month = 31 * 24;
    begin(&sets, month).expect("a journal");
    assert_eq!(entries(&directory, "json").len(), 2);
    begin(&intent(&arguments), month).expect("a journal");
}

#[test]
fn a_write_that_is_only_to_follow_is_kept_for_a_month() {
    let directory = TempDir::new().expect("a directory");
    let arguments = arguments();
    let follows = Intent { repeat: Repeat::Never, subject: Some("pause"), ..intent(&arguments) };
    let begin = |intent: &Intent, hours: i64| {
        let now = now() + SignedDuration::from_hours(hours);
        drop(Journal::new(directory.path()).begin(intent, now).expect("a journal"));
    };
    begin(&follows, 0);
    let other = json!({"name": "Ferns"});
    for (hours, count) in [(24, 2), (31 * 24, 1)] {
        begin(&Intent { repeat: Repeat::Sets, ..intent(&other) }, hours);
        assert_eq!(entries(&directory, "json").len(), count);
    }
}

/// Carries out a write whose calls are answered in that order, and returns the keys that were sent.
async fn carried_out(
    directory: &TempDir,
    answers: &[Result<&'static str, ClientError>],
    has_effect: bool,
) -> (Vec<String>, Result<&'static str, ClientError>) {
    let keys = std::cell::RefCell::new(Vec::new());
    let arguments = arguments();
    let begun = Journal::new(directory.path()).begin(&intent(&arguments), now());
    let operation = begun.expect("a journal");
    let send = async |operation: &dibber_client::Operation| {
        keys.borrow_mut().push(operation.key().as_str().to_owned());
        answers[keys.borrow().len() - 1].clone()
    };
    let carried_out = operation.carry_out(send, async |_| Ok(has_effect)).await;
    let answer = carried_out.map(|(answer, operation)| {
        operation.finish().expect("a journal");
        answer
    });
    (keys.into_inner(), answer)
}

#[tokio::test]
async fn an_error_that_does_not_settle_an_earlier_attempt_leaves_it_unfinished() {
    let refused = |code, replayed| {
        let error = ToolError { replayed, ..ToolError::new(code, "no", "yes") };
        Err(ClientError::Refused(Box::new(error)))
    };
    let lost = || Err(ClientError::OutcomeUnknown("gone".to_owned()));
    let unreachable = || Err(ClientError::Unreachable("gone".to_owned()));
    let ends_unknown =
        |answer: &Result<_, _>| matches!(answer, Err(ClientError::OutcomeUnknown(_)));
    // A scope is checked before the key is looked up, and a server that cannot be reached may have
    // done what it was asked before.
    let uncertain = [
        (refused(ErrorCode::PermissionDenied, false), false),
        (refused(ErrorCode::InternalError, false), true),
        (unreachable(), true),
    ];
    for (answer, is_unknown) in uncertain {
        let directory = TempDir::new().expect("a directory");
        drop(carried_out(&directory, &[lost()], true).await);
        let (keys, ended) = carried_out(&directory, &[answer], true).await;
        assert_eq!((keys.len(), ends_unknown(&ended)), (1, is_unknown), "{ended:?}");
        assert_eq!(entries(&directory, "json").len(), 1);
    }
    // A refusal that is not from memory is the answer of now, and needs no other one.
    let directory = TempDir::new().expect("a directory");
    drop(carried_out(&directory, &[lost()], true).await);
    let (keys, _) = carried_out(&directory, &[refused(ErrorCode::BadInput, false)], true).await;
    assert_eq!((keys.len(), entries(&directory, "json").len()), (1, 0));
}

#[tokio::test]
async fn a_resumed_write_without_effect_is_sent_under_a_new_key() {
    let refused = || {
        let error =
            ToolError { replayed: true, ..ToolError::new(ErrorCode::BadInput, "no", "yes") };
        Err(ClientError::Refused(Box::new(error)))
    };
    let lost = || Err(ClientError::OutcomeUnknown("gone".to_owned()));
    let begin = async |directory: &TempDir| {
        let (keys, _) = carried_out(directory, &[lost()], true).await;
        keys[0].clone()
    };
    // Nothing was begun before: the answer counts, whatever the state is.
    let directory = TempDir::new().expect("a directory");
    let (keys, answer) = carried_out(&directory, &[Ok("first")], false).await;
    assert_eq!((keys.len(), answer), (1, Ok("first")));
    // It was begun before and has effect: the same key, once.
    let key = begin(&directory).await;
    assert_eq!(carried_out(&directory, &[Ok("first")], true).await, (vec![key], Ok("first")));
    // The answer came from memory, or was a refusal of an earlier state: a new key.
    for remembered in [Ok("first"), refused()] {
        let key = begin(&directory).await;
        let (keys, answer) = carried_out(&directory, &[remembered, Ok("second")], false).await;
        assert_eq!((keys.len(), &keys[0], answer), (2, &key, Ok("second")));
        assert_ne!(keys[1], key);
        assert_eq!(entries(&directory, "json").len(), 0);
    }
    // The second answer is lost, too: the next attempt goes on with the second key.
    let key = begin(&directory).await;
    let (keys, _) = carried_out(&directory, &[Ok("first"), lost()], false).await;
    let (again, answer) = carried_out(&directory, &[Ok("second")], true).await;
    assert_eq!((again, answer), (vec![keys[1].clone()], Ok("second")));
    assert_ne!(keys[1], key);
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let directory = TempDir::new().expect("a directory");
    let journal = Journal::new(directory.path().join("state/journal"));
    let _begun = journal.begin(&intent(&arguments()), now()).expect("a journal");
    let mode = |path: PathBuf| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    let inside = directory.path().join("state/journal");
    assert_eq!(mode(inside.clone()), 0o700);
    for entry in fs::read_dir(inside).expect("a directory") {
        assert_eq!(mode(entry.expect("an entry").path()), 0o600);
    }
}

/// A process that is killed while it writes an entry leaves a file with the arguments.
#[test]
fn the_next_write_removes_what_a_killed_process_was_writing() {
    let directory = TempDir::new().expect("a directory");
    let left = directory.path().join(".begun-Ab3dEf");
    fs::write(&left, "{\"arguments\":").expect("a file");
    let kept = directory.path().join(".begun-directory");
    fs::create_dir(&kept).expect("a directory");
    let journal = Journal::new(directory.path());
    drop(journal.begin(&intent(&arguments()), now()).expect("a journal"));
    assert!(!left.exists() && kept.exists());
    assert_eq!(entries(&directory, "json").len(), 1);
}
