//! Pulling without the command line: plan, apply, record.

use std::fs;
use std::path::{Path, PathBuf};

use dibber_client::publish::{
    LocalChanges, LockFiles, LockKey, PullError, PullPlan, PullTarget, PulledFileState, apply_pull,
    plan_pull,
};
use dibber_skill::contract::StoredSkill;

use super::publish_workflow::{Project, lock_files};
use crate::support::wire::{HOME, TestServer, sample};

const ID: &str = "sk_plants";

fn test_server() -> TestServer {
    let test_server = TestServer::new();
    test_server.add_skill(HOME, ID, sample());
    test_server
}

async fn stored(project: &Project) -> StoredSkill {
    project.client.skill_get(&ID.into()).await.expect("a skill").skill
}

fn plan(
    project: &Project,
    stored: &StoredSkill,
    taken: &[PathBuf],
    locks: &mut LockFiles,
) -> Result<PullPlan, PullError> {
    let target = PullTarget {
        argument: ID,
        into: Some(project.tree.path()),
        hides_label: false,
        moved_record: None,
        taken,
        keeps_changes: true,
    };
    plan_pull(stored, target, locks)
}

fn apply(plan: &PullPlan, locks: &mut LockFiles) -> bool {
    apply_pull(plan, locks).expect("files")
}

#[tokio::test]
async fn a_pulled_skill_is_written_and_recorded_once() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    let stored = stored(&project).await;
    let mut locks = lock_files();
    let first = plan(&project, &stored, &[], &mut locks).expect("a plan");
    assert!(first.is_exact && !first.loses_changes());
    assert!(first.files.iter().all(|file| file.state == PulledFileState::New), "{first:?}");
    assert!(!first.directory.exists(), "a plan writes nothing");
    assert!(apply(&first, &mut locks));
    for file in &first.files {
        let written = fs::read_to_string(first.directory.join(&file.name)).expect("a file");
        assert_eq!(written, file.text);
    }
    let key = LockKey::new(&first.directory);
    let record = lock_files().get(&key).expect("a lock file").expect("a record");
    assert_eq!(record.skill_id, stored.skill_id);
    assert_eq!(record.content_hash, Some(first.content_hash.to_string()));
    // Nothing differs, so nothing is written; what a killed pull has left is removed.
    let leftovers = [".dibber-abc123.tmp", ".dibber-notes.txt"].map(|it| first.directory.join(it));
    for leftover in &leftovers {
        fs::write(leftover, "").expect("a file");
    }
    let again = plan(&project, &stored, &[], &mut locks).expect("a plan");
    assert!(again.files.iter().all(|file| file.state == PulledFileState::Same), "{again:?}");
    assert!(again.local_changes == LocalChanges::None && !apply(&again, &mut locks));
    assert_eq!(leftovers.map(|it| it.exists()), [false, true]);
}

#[tokio::test]
async fn a_changed_skill_overwrites_only_what_was_published() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    let mut locks = lock_files();
    let first = plan(&project, &stored(&project).await, &[], &mut locks).expect("a plan");
    apply(&first, &mut locks);
    let changed =
        StoredSkill { prompt: "Water {{input.plant}}.\n".to_owned(), ..stored(&project).await };
    let update = plan(&project, &changed, &[], &mut locks).expect("a plan");
    assert!(!update.loses_changes(), "the files were published");
    // The same pull, after the directory has got changes of its own.
    let path = first.directory.join("SKILL.md");
    let own = fs::read_to_string(&path).expect("a file") + "Mine.\n";
    fs::write(&path, &own).expect("a file");
    let loses = plan(&project, &changed, &[], &mut locks).expect("a plan");
    assert!(loses.loses_changes());
    assert!(loses.files.iter().any(|file| file.state == PulledFileState::Changed(own.clone())));
    // It is the caller's decision.
    assert!(apply(&loses, &mut locks));
    let written = fs::read_to_string(&path).expect("a file");
    assert!(written.ends_with("Water {{input.plant}}.\n"), "{written}");
}

#[tokio::test]
async fn the_directory_of_another_skill_is_not_taken() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    let stored = stored(&project).await;
    let mut locks = lock_files();
    let first = plan(&project, &stored, &[], &mut locks).expect("a plan");
    apply(&first, &mut locks);
    let is_refused = |planned: Result<PullPlan, PullError>, directory: &Path| match planned {
        Err(PullError::OtherSkill(other)) => other == directory,
        _ => false,
    };
    let other = StoredSkill { skill_id: "sk_other".into(), ..stored.clone() };
    assert!(is_refused(plan(&project, &other, &[], &mut locks), &first.directory));
    // Another skill of the same pull is written there, so this one gets a directory beside it.
    let taken = [first.directory.clone()];
    let beside = plan(&project, &other, &taken, &mut locks).expect("a plan").directory;
    assert_eq!(beside.parent(), first.directory.parent());
    let name = first.directory.file_name().expect("a name").to_string_lossy();
    assert_eq!(beside.file_name().expect("a name").to_string_lossy(), format!("{name}-2"));
}

/// The files are those of the second version, and the record is that of the first.
#[tokio::test]
async fn a_pull_that_was_killed_before_the_record_loses_nothing() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    let mut locks = lock_files();
    let first = stored(&project).await;
    let planned = plan(&project, &first, &[], &mut locks).expect("a plan");
    apply(&planned, &mut locks);
    let lock_file = LockKey::new(&planned.directory).lock_file().to_owned();
    let lock = fs::read(&lock_file).expect("a lock file");
    let version = |prompt: &str| StoredSkill { prompt: prompt.to_owned(), ..first.clone() };
    let second = version("Water {{input.plant}}.\n");
    let update = plan(&project, &second, &[], &mut locks).expect("a plan");
    assert!(apply(&update, &mut locks));
    fs::write(&lock_file, lock).expect("a lock file");
    // Another change of the same field is not written over what looks like an edit.
    let third = version("Water {{input.plant}} well.\n");
    let blocked = plan(&project, &third, &[], &mut lock_files()).expect("a plan");
    assert_eq!(blocked.local_changes, LocalChanges::Lost(vec!["prompt"]));
    assert!(blocked.loses_changes());
    // The same pull does the rest.
    let mut locks = lock_files();
    let same = plan(&project, &second, &[], &mut locks).expect("a plan");
    assert!(same.local_changes == LocalChanges::None && !apply(&same, &mut locks), "{same:?}");
    let after = plan(&project, &third, &[], &mut lock_files()).expect("a plan");
    assert!(after.local_changes == LocalChanges::None && !after.loses_changes(), "{after:?}");
}
