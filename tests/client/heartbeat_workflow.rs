//! Publishing heartbeats without the command line: recover, plan, apply, record.

use dibber_client::publish::{
    CurrentHeartbeats, ForeignChanges, HeartbeatBlocked, HeartbeatDraft, HeartbeatKey,
    HeartbeatOutcome, HeartbeatPolicy, HeartbeatStep, LockFiles, LockKey, PlannedHeartbeat,
    PublishError, Published, RecoveredHeartbeat, RemovedHeartbeat, RemovedHeartbeats,
    UnrecordedHeartbeats, apply_heartbeat, plan_heartbeats, recover_heartbeats,
};
use dibber_client::{Client, ClientError, IdempotencyKey, Intent, Operation};
use dibber_skill::contract::{
    DescribedWarning, HEARTBEAT_CREATE, HEARTBEAT_UPDATE, HeartbeatChange, HeartbeatCreate,
    HeartbeatId, HeartbeatListItem, HeartbeatUpdate, HeartbeatWarning,
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

/// Returns the drafts of `heartbeats`, and what is recorded and not among them.
fn drafts(
    project: &Project,
    heartbeats: &[HeartbeatCreate],
    locks: &mut LockFiles,
) -> (Vec<HeartbeatDraft>, Vec<RemovedHeartbeat>) {
    let skill = key(project, "").skill;
    let published = locks.get(&skill).expect("a lock file").expect("a record");
    let draft = |create: &HeartbeatCreate| {
        let key = key(project, &create.name);
        let known = published.heartbeats.get(&key.name).cloned();
        HeartbeatDraft { create: create.clone(), key: Some(key), known }
    };
    let is_here = |name: &String| heartbeats.iter().any(|create| create.name == *name);
    let removed = published.heartbeats.iter().filter(|(name, _)| !is_here(name));
    let removed = removed
        .map(|(name, known)| RemovedHeartbeat { key: key(project, name), known: known.clone() });
    (heartbeats.iter().map(draft).collect(), removed.collect())
}

const CAREFUL: HeartbeatPolicy = HeartbeatPolicy {
    foreign_changes: ForeignChanges::Block,
    removed: RemovedHeartbeats::Cancel,
    unrecorded: UnrecordedHeartbeats::Find,
};
const FORCED: HeartbeatPolicy =
    HeartbeatPolicy { foreign_changes: ForeignChanges::Overwrite, ..CAREFUL };

/// Plans heartbeats.
async fn plan(
    project: &Project,
    heartbeats: &[HeartbeatCreate],
    policy: HeartbeatPolicy,
) -> Vec<PlannedHeartbeat> {
    let mut locks = lock_files();
    let (drafts, removed) = drafts(project, heartbeats, &mut locks);
    let planned = plan_heartbeats(drafts, removed, policy, project.publisher(), &locks);
    planned.await.expect("a plan")
}

/// Plans and applies heartbeats.
async fn publish_as(
    project: &Project,
    heartbeats: &[HeartbeatCreate],
    policy: HeartbeatPolicy,
) -> Vec<HeartbeatOutcome> {
    let mut outcomes = Vec::new();
    let mut locks = lock_files();
    let current = CurrentHeartbeats::new(&project.client);
    for planned in Box::pin(plan(project, heartbeats, policy)).await {
        let applied = apply_heartbeat(&planned, &current, project.publisher(), &mut locks);
        let applied = Box::pin(applied).await;
        outcomes.push(applied.expect("an outcome"));
    }
    outcomes
}

/// Plans and applies heartbeats, and overwrites nothing.
async fn publish(project: &Project, heartbeats: &[HeartbeatCreate]) -> Vec<HeartbeatOutcome> {
    publish_as(project, heartbeats, CAREFUL).await
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

/// The server of this program does not compare what a change of a heartbeat was made from, either.
#[tokio::test]
async fn a_heartbeat_that_was_changed_since_it_was_planned_is_left_alone() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let [mut changed, mut other] = [create("A", "0 7 * * *"), create("B", "0 8 * * *")];
    publish(&project, &[changed.clone(), other.clone()]).await;
    (changed.cron, other.cron) = ("30 7 * * *".to_owned(), "30 8 * * *".to_owned());
    let planned = Box::pin(plan(&project, &[changed, other], CAREFUL)).await;
    let before = listed(&project.client).await;
    let id = before.iter().find(|item| item.name == "A").expect("a heartbeat").heartbeat_id.clone();
    let change = HeartbeatChange::EditSchedule { cron: Some("0 6 * * *".into()), tz: None };
    edit(&project, &id, change).await;
    let (current, mut locks) = (CurrentHeartbeats::new(&project.client), lock_files());
    let mut outcomes = Vec::new();
    for planned in &planned {
        let applied = apply_heartbeat(planned, &current, project.publisher(), &mut locks);
        outcomes.push(Box::pin(applied).await);
    }
    assert!(
        matches!(
            &outcomes[..],
            [
                Err(PublishError::Call(ClientError::HeartbeatChanged(refused))),
                Ok(HeartbeatOutcome::Changed)
            ] if *refused == id
        ),
        "{outcomes:?}"
    );
    let crons = listed(&project.client).await.into_iter().map(|item| item.cron);
    assert_eq!(crons.collect::<Vec<_>>(), ["0 6 * * *", "30 8 * * *"]);
    assert!(project.journal.unfinished().expect("a journal").is_empty());
}

#[tokio::test]
async fn a_heartbeat_that_the_server_refuses_is_blocked() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let unknown = HeartbeatCreate { run_skill_id: "sk_none".into(), ..create("A", "0 7 * * *") };
    let planned = plan(&project, &[unknown, create("B", "0 8 * * *")], CAREFUL).await;
    let steps: Vec<_> = planned.iter().map(|planned| &planned.step).collect();
    assert!(
        matches!(steps[..], [HeartbeatStep::Blocked(_), HeartbeatStep::Create(_)]),
        "{steps:?}"
    );
    let mut locks = lock_files();
    let current = CurrentHeartbeats::new(&project.client);
    let applied = apply_heartbeat(&planned[0], &current, project.publisher(), &mut locks).await;
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
    let send = async |operation: &Operation| {
        let arguments = object(arguments.clone());
        project.client.call(HEARTBEAT_CREATE, arguments, Some(operation.key())).await
    };
    let written = publisher.write(&intent, send, async |_| Ok(true)).await.expect("a heartbeat");
    written.answer["heartbeatId"].as_str().expect("an id").into()
}

#[tokio::test]
async fn a_heartbeat_of_an_interrupted_run_is_found_again() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let heartbeats = [create("Other", "0 6 * * *"), create("Before school", "0 7 * * 1-5")];
    let id = create_and_stop(&project, &heartbeats[1]).await;
    let mut locks = lock_files();
    let skills = [key(&project, "").skill];
    let recovered = recover_heartbeats(&skills, project.publisher(), &mut locks).await;
    let found = RecoveredHeartbeat { name: "Before school".to_owned(), heartbeat_id: id };
    assert_eq!(recovered.expect("a search"), [found]);
    assert!(project.journal.unfinished().expect("a journal").is_empty());
    assert_eq!(publish(&project, &heartbeats[1..]).await, [HeartbeatOutcome::Unchanged]);
    assert_eq!(listed(&project.client).await.len(), 1);
}

#[tokio::test]
async fn a_repeated_creation_does_not_undo_a_change_since() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let heartbeats = [create("Before school", "0 7 * * 1-5")];
    let id = create_and_stop(&project, &heartbeats[0]).await;
    let change = HeartbeatChange::EditSchedule { cron: Some("0 8 * * 1-5".to_owned()), tz: None };
    edit(&project, &id, change).await;
    // The schedule is not the one that was sent, so it is shown, and not changed back.
    let planned = plan(&project, &heartbeats, CAREFUL).await;
    assert!(
        matches!(&planned[0].step, HeartbeatStep::Blocked(HeartbeatBlocked::ChangedElsewhere {
            is_recorded: false, listed, ..
        }) if listed.heartbeat_id == id),
        "{planned:?}"
    );
    assert_eq!(publish_as(&project, &heartbeats, FORCED).await, [HeartbeatOutcome::Changed]);
    assert_eq!(listed(&project.client).await.len(), 1);
}

/// Changes a heartbeat as another person would.
async fn edit(project: &Project, id: &HeartbeatId, change: HeartbeatChange) {
    let edit = HeartbeatUpdate { heartbeat_id: id.clone(), change };
    let arguments = object(serde_json::to_value(edit).expect("an object"));
    let key = IdempotencyKey::new();
    let edited = project.client.call(HEARTBEAT_UPDATE, arguments, Some(&key));
    edited.await.expect("a change");
}

fn reason(planned: &[PlannedHeartbeat]) -> Option<&HeartbeatBlocked> {
    planned.iter().find_map(|planned| planned.step.blocked())
}

#[tokio::test]
async fn what_another_person_has_changed_is_not_overwritten() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let mut heartbeats = vec![create("Before school", "0 7 * * 1-5")];
    publish(&project, &heartbeats).await;
    let id = listed(&project.client).await[0].heartbeat_id.clone();
    let cron = Some("0 6 * * 1-5".to_owned());
    edit(&project, &id, HeartbeatChange::EditSchedule { cron, tz: None }).await;
    heartbeats[0].cron = "30 7 * * 1-5".to_owned();
    for drafts in [&heartbeats[..], &[]] {
        let planned = plan(&project, drafts, CAREFUL).await;
        assert!(
            matches!(
                reason(&planned),
                Some(HeartbeatBlocked::ChangedElsewhere { is_recorded: true, .. })
            ),
            "{planned:?}"
        );
    }
    assert_eq!(publish_as(&project, &heartbeats, FORCED).await, [HeartbeatOutcome::Changed]);
    assert_eq!(publish(&project, &heartbeats).await, [HeartbeatOutcome::Unchanged]);
    // A pause is for the family to end.
    edit(&project, &id, HeartbeatChange::Pause).await;
    assert_eq!(publish(&project, &heartbeats).await, [HeartbeatOutcome::Unchanged]);
    // A heartbeat that was cancelled there is only made again with `--force`.
    edit(&project, &id, HeartbeatChange::Cancel).await;
    let planned = plan(&project, &heartbeats, CAREFUL).await;
    assert!(
        matches!(reason(&planned), Some(HeartbeatBlocked::CancelledElsewhere { .. })),
        "{planned:?}"
    );
    let made = publish_as(&project, &heartbeats, FORCED).await;
    assert!(matches!(made[..], [HeartbeatOutcome::Created(_)]), "{made:?}");
}

#[tokio::test]
async fn a_heartbeat_that_is_removed_is_cancelled_and_forgotten() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let heartbeats = [create("Before school", "0 7 * * 1-5"), create("Sundays", "0 9 * * 0")];
    publish(&project, &heartbeats).await;
    let rest = [HeartbeatOutcome::Unchanged, HeartbeatOutcome::Cancelled];
    assert_eq!(publish(&project, &heartbeats[..1]).await, rest);
    assert_eq!(publish(&project, &heartbeats[..1]).await, rest[..1]);
    assert_eq!(listed(&project.client).await.len(), 1);
    // It can be created again.
    let again = publish(&project, &heartbeats).await;
    assert!(matches!(again[1], HeartbeatOutcome::Created(_)), "{again:?}");
}

#[tokio::test]
async fn another_name_renames_a_heartbeat() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    publish(&project, &[create("Before school", "0 7 * * 1-5")]).await;
    let before = listed(&project.client).await;
    let renamed = [create("School", "0 7 * * 1-5")];
    assert_eq!(publish(&project, &renamed).await, [HeartbeatOutcome::Changed]);
    assert_eq!(publish(&project, &renamed).await, [HeartbeatOutcome::Unchanged]);
    let after = listed(&project.client).await;
    assert_eq!(after[0].heartbeat_id, before[0].heartbeat_id);
    assert_eq!((after.len(), after[0].name.as_str()), (1, "School"));
}

#[tokio::test]
async fn another_name_after_an_interrupted_run_does_not_make_two() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let id = create_and_stop(&project, &create("Before school", "0 7 * * 1-5")).await;
    for renamed in [create("School", "0 7 * * 1-5"), create("Lunch", "0 12 * * 1-5")] {
        let mut locks = lock_files();
        let skills = [key(&project, "").skill];
        recover_heartbeats(&skills, project.publisher(), &mut locks).await.expect("a search");
        publish(&project, &[renamed]).await;
        assert_eq!(listed(&project.client).await.len(), 1);
        assert!(project.journal.unfinished().expect("a journal").is_empty());
    }
    // With the same schedule, it was renamed; with another one, it is another heartbeat.
    assert_ne!(listed(&project.client).await[0].heartbeat_id, id);
}

/// Returns which heartbeats of a plan the server warns of as duplicates.
fn duplicates(planned: &[PlannedHeartbeat]) -> Vec<bool> {
    let duplicate = DescribedWarning::Known(HeartbeatWarning::Duplicate);
    let of_edit = |planned: &PlannedHeartbeat| match &planned.step {
        HeartbeatStep::Update(edit) => edit.description.warnings.contains(&duplicate),
        step => panic!("{step:?}"),
    };
    planned.iter().map(of_edit).collect()
}

#[tokio::test]
async fn heartbeats_that_swap_their_names_are_no_duplicates() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    publish(&project, &[create("A", "0 7 * * *"), create("B", "0 8 * * *")]).await;
    let swapped = [create("A", "0 8 * * *"), create("B", "0 7 * * *")];
    assert_eq!(duplicates(&plan(&project, &swapped, CAREFUL).await), [false, false]);
    // One whose time another one keeps is a duplicate.
    let equal = [create("A", "0 8 * * *"), create("B", "0 8 * * *")];
    let planned = plan(&project, &equal, CAREFUL).await;
    assert_eq!(duplicates(&planned[..1]), [true]);
}

#[tokio::test]
async fn other_inputs_need_another_heartbeat() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let mut heartbeats = [create("Before school", "0 7 * * 1-5")];
    publish(&project, &heartbeats).await;
    let before = listed(&project.client).await;
    heartbeats[0].skill_input = Some(object(json!({"plant": "the ivy"})));
    let replaced = publish(&project, &heartbeats).await;
    let after = listed(&project.client).await;
    assert_eq!(replaced, [HeartbeatOutcome::Created(after[0].heartbeat_id.clone())]);
    assert_eq!(after.len(), 1);
    assert_ne!(after[0].heartbeat_id, before[0].heartbeat_id);
    assert_eq!(publish(&project, &heartbeats).await, [HeartbeatOutcome::Unchanged]);
}

#[tokio::test]
async fn a_second_machine_recognises_the_heartbeats_of_the_first() {
    let test_server = test_server();
    let (first, second) = (Project::new(&test_server), Project::new(&test_server));
    let heartbeats = [create("Before school", "0 7 * * 1-5")];
    for project in [&first, &second] {
        record_skill(project);
    }
    publish(&first, &heartbeats).await;
    assert_eq!(publish(&second, &heartbeats).await, [HeartbeatOutcome::Unchanged]);
    assert_eq!(listed(&first.client).await.len(), 1);
    // It is recorded now: removed there, it is cancelled.
    assert_eq!(publish(&second, &[]).await, [HeartbeatOutcome::Cancelled]);
    // One of the same name that fires at another time is only changed with `--force`.
    let third = Project::new(&test_server);
    record_skill(&third);
    publish(&second, &heartbeats).await;
    let other = [create("Before school", "0 8 * * 1-5")];
    let planned = plan(&third, &other, CAREFUL).await;
    assert!(
        matches!(
            reason(&planned),
            Some(HeartbeatBlocked::ChangedElsewhere { is_recorded: false, .. })
        ),
        "{planned:?}"
    );
}

#[tokio::test]
async fn what_another_machine_has_made_anew_is_not_made_again() {
    let test_server = test_server();
    let (first, second) = (Project::new(&test_server), Project::new(&test_server));
    let heartbeats = [create("Before school", "0 7 * * 1-5")];
    for project in [&first, &second] {
        record_skill(project);
        publish(project, &heartbeats).await;
    }
    let id = listed(&first.client).await[0].heartbeat_id.clone();
    edit(&first, &id, HeartbeatChange::Cancel).await;
    publish_as(&second, &heartbeats, FORCED).await;
    assert_eq!(publish_as(&first, &heartbeats, FORCED).await, [HeartbeatOutcome::Unchanged]);
    assert_eq!(listed(&first.client).await.len(), 1);
    assert_eq!(publish(&first, &[]).await, [HeartbeatOutcome::Cancelled]);
}

#[tokio::test]
async fn another_name_does_not_make_a_heartbeat_again_that_was_cancelled() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    publish(&project, &[create("Before school", "0 7 * * 1-5")]).await;
    let id = listed(&project.client).await[0].heartbeat_id.clone();
    edit(&project, &id, HeartbeatChange::Cancel).await;
    let planned = plan(&project, &[create("School", "0 7 * * 1-5")], CAREFUL).await;
    assert!(
        matches!(reason(&planned), Some(HeartbeatBlocked::CancelledElsewhere { .. })),
        "{planned:?}"
    );
}

/// Two machines that plan the same heartbeat before one of them makes it.
#[tokio::test]
async fn a_heartbeat_that_was_made_since_its_plan_is_not_made_again() {
    let test_server = test_server();
    let project = Project::new(&test_server);
    record_skill(&project);
    let wanted = create("A", "0 7 * * *");
    let planned = Box::pin(plan(&project, std::slice::from_ref(&wanted), CAREFUL)).await;
    let made = create_and_stop(&project, &wanted).await;
    let (current, mut locks) = (CurrentHeartbeats::new(&project.client), lock_files());
    let applied = apply_heartbeat(&planned[0], &current, project.publisher(), &mut locks);
    let applied = Box::pin(applied).await;
    assert!(
        matches!(&applied, Err(PublishError::AppearedHeartbeat(id)) if *id == made),
        "{applied:?}"
    );
    assert_eq!(listed(&project.client).await.len(), 1);
}
