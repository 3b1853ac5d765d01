//! Publishing heartbeats without the command line: recover, plan, apply, record.

use dibber_client::publish::{
    HeartbeatDraft, HeartbeatKey, HeartbeatOutcome, HeartbeatStep, LockFiles, LockKey, Published,
    apply_heartbeat, plan_heartbeats, recover_heartbeats,
};
use dibber_client::{Client, IdempotencyKey, Intent};
use dibber_skill::contract::{
    HEARTBEAT_CREATE, HeartbeatChange, HeartbeatCreate, HeartbeatId, HeartbeatListItem,
    HeartbeatUpdate,
};
use serde_json::json;

use super::publish_workflow::{Project, lock_files};
use crate::support::wire::{HOME, TestServer, object, sample};

/// The skill that the heartbeats run.
const RUN: &str = "sk_run";

fn test_server() -> TestServer {
    let test_server = TestServer::new();
    test_server.add_skill(HOME, RUN, sample());
    test_server
}

fn create(name: &str, cron: &str) -> HeartbeatCreate {
    HeartbeatCreate {
        name: name.to_owned(),
        cron: cron.to_owned(),
        run_skill_id: RUN.into(),
        skill_input: Some(object(json!({"plant": "the fern"}))),
        ..HeartbeatCreate::default()
    }
}

fn key(project: &Project, name: &str) -> HeartbeatKey {
    let skill = LockKey::new(&project.tree.path().join("skills/plants"));
    HeartbeatKey { skill, name: name.to_owned() }
}

/// Records the skill of the heartbeats.
fn record_skill(project: &Project) {
    let published = Published { skill_id: RUN.into(), ..Published::default() };
    lock_files().record(vec![(key(project, "").skill, published)]).expect("a record");
}

/// Returns the drafts of `heartbeats`, with the ids that are recorded.
fn drafts(
    project: &Project,
    heartbeats: &[HeartbeatCreate],
    locks: &mut LockFiles,
) -> Vec<HeartbeatDraft> {
    let draft = |create: &HeartbeatCreate| {
        let key = key(project, &create.name);
        let published = locks.get(&key.skill).expect("a lock file").expect("a record");
        let known_id = published.heartbeats.get(&key.name).cloned();
        HeartbeatDraft { create: create.clone(), key: Some(key), known_id }
    };
    heartbeats.iter().map(draft).collect()
}

/// Plans and applies heartbeats.
async fn publish(project: &Project, heartbeats: &[HeartbeatCreate]) -> Vec<HeartbeatOutcome> {
    let mut locks = lock_files();
    let drafts = drafts(project, heartbeats, &mut locks);
    let steps = plan_heartbeats(drafts, &project.client).await.expect("a plan");
    let mut outcomes = Vec::new();
    for step in &steps {
        let applied = apply_heartbeat(step, project.publisher(), &mut locks).await;
        outcomes.push(applied.expect("an outcome"));
    }
    outcomes
}

async fn listed(client: &Client) -> Vec<HeartbeatListItem> {
    client.all_heartbeats().await.expect("a list").items
}

#[tokio::test]
async fn a_plan_of_heartbeats_is_applied_and_recorded_once() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let mut heartbeats =
        vec![create("Before school", "0 7 * * 1-5"), create("Sundays", "0 9 * * 0")];
    let created = publish(&project, &heartbeats).await;
    assert!(
        created.iter().all(|outcome| matches!(outcome, HeartbeatOutcome::Created(_))),
        "{created:?}"
    );
    assert!(project.journal.unfinished().expect("a journal").is_empty());
    // Nothing changes, so nothing is written.
    let unchanged = [HeartbeatOutcome::Unchanged, HeartbeatOutcome::Unchanged];
    assert_eq!(publish(&project, &heartbeats).await, unchanged);
    // The changed schedule is set, and no other heartbeat is created.
    heartbeats[0].cron = "30 7 * * 1-5".to_owned();
    let changed = [HeartbeatOutcome::Changed, HeartbeatOutcome::Unchanged];
    assert_eq!(publish(&project, &heartbeats).await, changed);
    assert_eq!(publish(&project, &heartbeats).await, unchanged);
    let mut crons: Vec<_> =
        listed(&project.client).await.into_iter().map(|item| item.cron).collect();
    crons.sort();
    assert_eq!(crons, ["0 9 * * 0", "30 7 * * 1-5"]);
}

#[tokio::test]
async fn a_heartbeat_that_the_server_refuses_is_blocked() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let unknown = HeartbeatCreate { run_skill_id: "sk_none".into(), ..create("A", "0 7 * * *") };
    let mut locks = lock_files();
    let drafts = drafts(&project, &[unknown, create("B", "0 8 * * *")], &mut locks);
    let steps = plan_heartbeats(drafts, &project.client).await.expect("a plan");
    assert!(
        matches!(steps[..], [HeartbeatStep::Blocked(_), HeartbeatStep::Create(_)]),
        "{steps:?}"
    );
    let applied = apply_heartbeat(&steps[0], project.publisher(), &mut locks).await;
    assert_eq!(applied.expect("nothing to do"), HeartbeatOutcome::Unchanged);
    assert!(listed(&project.client).await.is_empty());
}

/// Creates a heartbeat as a run that ends before it is recorded. Returns its id.
async fn create_and_stop(project: &Project, create: &HeartbeatCreate) -> HeartbeatId {
    let publisher = project.publisher();
    let subject = key(project, &create.name).subject();
    let arguments = serde_json::to_value(create).expect("an object");
    let intent = Intent {
        subject: Some(&subject),
        ..Intent::new(publisher.server, HEARTBEAT_CREATE, &arguments)
    };
    let send = async |key: &IdempotencyKey| project.client.heartbeat_create(create, key).await;
    let written = publisher.write(&intent, send, async |_| Ok(true)).await.expect("a heartbeat");
    written.answer.heartbeat_id.clone()
}

#[tokio::test]
async fn a_heartbeat_of_an_interrupted_run_is_found_again() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let heartbeats = [create("Other", "0 6 * * *"), create("Before school", "0 7 * * 1-5")];
    let id = create_and_stop(&project, &heartbeats[1]).await;
    let mut locks = lock_files();
    let mut drafts = drafts(&project, &heartbeats, &mut locks);
    let mut found: Vec<_> = drafts.iter_mut().collect();
    let recovered = recover_heartbeats(&mut found, project.publisher(), &mut locks).await;
    assert_eq!(recovered.expect("a search"), [1]);
    assert_eq!((&drafts[0].known_id, &drafts[1].known_id), (&None, &Some(id)));
    assert!(project.journal.unfinished().expect("a journal").is_empty());
    assert_eq!(publish(&project, &heartbeats[1..]).await, [HeartbeatOutcome::Unchanged]);
    assert_eq!(listed(&project.client).await.len(), 1);
}

#[tokio::test]
async fn a_repeated_creation_says_that_the_schedule_was_changed_since() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let heartbeats = [create("Before school", "0 7 * * 1-5")];
    let id = create_and_stop(&project, &heartbeats[0]).await;
    let change = HeartbeatChange::EditSchedule { cron: Some("0 8 * * 1-5".to_owned()), tz: None };
    let edit = HeartbeatUpdate { heartbeat_id: id.clone(), change };
    project.client.heartbeat_update(&edit, &IdempotencyKey::new()).await.expect("a change");
    // The schedule is not the one that was sent, so the heartbeat is not found, and is sent again.
    assert_eq!(publish(&project, &heartbeats).await, [HeartbeatOutcome::CreatedBefore(id)]);
    assert_eq!(publish(&project, &heartbeats).await, [HeartbeatOutcome::Changed]);
    assert_eq!(listed(&project.client).await.len(), 1);
}
