//! What firing asks of the store: nothing is written while nothing is due, and what fails or is
//! damaged holds up nothing else.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use dibber_server::firing::{
    ClaimedRun, Execute, Executor, FiringReport, Job, Outcome, Retry, RunResult, Scheduler,
    SchedulerOptions,
};
use dibber_skill::contract::RunState;
use jiff::SignedDuration;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::support::faulty_store::{Fault, FaultyStore};
use crate::support::stores::{damage, open};
use crate::support::wire::{HOME, TestServer, ok, sample};

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// The first present of a test, in seconds since 1970, without the part of a second.
const NOW_SECONDS: i64 = 1_779_537_600;

/// The time until a run may be taken over. It is renewed after a third of it.
const LEASE: SignedDuration = SignedDuration::from_millis(300);

/// The most turns of waiting for a scheduler, of 10 milliseconds each.
const WAITS_MAX: usize = 6_000;

async fn wait_until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..WAITS_MAX {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("it takes too long");
}

/// Waits until so many changes were tried.
async fn wait_for_writes(store: &FaultyStore, count: usize) {
    wait_until(|| store.writes() >= count).await;
}

/// Adds heartbeats at 9 in the morning, an hour after the present; returns their ids.
async fn add_heartbeats(test_server: &TestServer, count: usize) -> Vec<String> {
    test_server.add_skill(HOME, "sk_plants", sample());
    let client = test_server.client(HOME);
    let mut ids = Vec::new();
    for number in 0..count {
        let create = json!({"name": format!("Plants {number}"), "cron": "0 9 * * *",
                            "runSkillId": "sk_plants", "skillInput": {"plant": "the fern"}});
        let created = ok(&client, "heartbeat_create", create).await;
        ids.push(created["heartbeatId"].as_str().expect("an id").to_owned());
    }
    ids
}

async fn history(test_server: &TestServer) -> Vec<Value> {
    let history =
        ok(&test_server.client(HOME), "heartbeat_due", json!({"action": "history"})).await;
    history["items"].as_array().expect("runs").clone()
}

/// Executes every run at once.
struct Immediate;

impl Execute for Immediate {
    fn execute(&self, _: Job) -> Pin<Box<dyn Future<Output = Outcome> + Send + '_>> {
        let result = RunResult::from_summary("Done.").expect("a result");
        Box::pin(async { Outcome::Completed(result) })
    }

    fn executor(&self) -> Executor {
        Executor::Server
    }
}

async fn run_once(test_server: &TestServer) -> FiringReport {
    let options = SchedulerOptions::default();
    let scheduler = Scheduler::new(test_server.server.clone(), Some(Arc::new(Immediate)), options);
    scheduler.run_once().await.expect("a turn")
}

#[tokio::test]
async fn nothing_is_written_while_nothing_is_due() {
    let store = FaultyStore::temporary();
    let test_server = TestServer::with_families_in(Arc::<FaultyStore>::clone(&store));
    let ids = add_heartbeats(&test_server, 1).await;
    run_once(&test_server).await;
    store.take_writes();
    assert_eq!(run_once(&test_server).await.decided, 0);
    assert_eq!(store.take_writes(), 0, "it fires in an hour");
    test_server.move_clock(3_600);
    assert_eq!(run_once(&test_server).await.completed, 1);
    assert!(store.take_writes() > 0);
    assert_eq!(run_once(&test_server).await.executed, 0);
    assert_eq!(store.take_writes(), 0, "it has run");
    let pause = json!({"action": "pause", "heartbeatId": ids[0]});
    ok(&test_server.client(HOME), "heartbeat_update", pause).await;
    test_server.move_clock(91 * DAY);
    store.take_writes();
    run_once(&test_server).await;
    assert_eq!(store.take_writes(), 1, "the run is removed");
    run_once(&test_server).await;
    assert_eq!(store.take_writes(), 0, "nothing is left to remove");
}

/// Executes runs that end when a test says so, and counts them.
#[derive(Default)]
struct Waiting {
    started: AtomicUsize,
    ends: AtomicBool,
    ended: AtomicBool,
}

impl Execute for Waiting {
    fn execute(&self, _: Job) -> Pin<Box<dyn Future<Output = Outcome> + Send + '_>> {
        self.started.fetch_add(1, Ordering::SeqCst);
        let result = RunResult::from_summary("Done.").expect("a result");
        Box::pin(async {
            wait_until(|| self.ends.load(Ordering::SeqCst)).await;
            self.ended.store(true, Ordering::SeqCst);
            Outcome::Completed(result)
        })
    }

    fn executor(&self) -> Executor {
        Executor::Server
    }
}

/// Runs a scheduler for as long as `work` takes.
async fn with_scheduler(
    test_server: &TestServer,
    runner: &Arc<Waiting>,
    work: impl Future<Output = ()>,
) {
    let runner: Arc<dyn Execute> = Arc::<Waiting>::clone(runner);
    let options = SchedulerOptions { lease: LEASE, ..SchedulerOptions::default() };
    let scheduler = Scheduler::new(test_server.server.clone(), Some(runner), options);
    let (send, stop) = oneshot::channel::<()>();
    let work = async {
        work.await;
        drop(send);
    };
    tokio::join!(scheduler.run_until(async { drop(stop.await) }), work);
}

async fn wait_for_completion(test_server: &TestServer) -> Value {
    for _ in 0..WAITS_MAX {
        let run = history(test_server).await.remove(0);
        if run["state"] == "completed" {
            return run;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("it is not completed");
}

#[tokio::test]
async fn what_still_runs_after_its_lease_is_not_run_again() {
    let store = FaultyStore::temporary();
    let test_server = TestServer::with_families_in(Arc::<FaultyStore>::clone(&store));
    add_heartbeats(&test_server, 1).await;
    test_server.move_clock(3_600);
    let runner = Arc::new(Waiting::default());
    let work = Box::pin(async {
        wait_until(|| runner.started.load(Ordering::SeqCst) == 1).await;
        // As after a machine was suspended: no lease was renewed meanwhile.
        test_server.move_clock(3_600);
        store.take_writes();
        wait_for_writes(&store, 2).await;
        runner.ends.store(true, Ordering::SeqCst);
        let run = wait_for_completion(&test_server).await;
        assert_eq!(run["attempt"], 1);
        assert_ne!(run["mayHaveRepeated"], true);
    });
    with_scheduler(&test_server, &runner, work).await;
    assert_eq!(runner.started.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_end_of_a_run_is_recorded_once_the_store_takes_it() {
    let store = FaultyStore::temporary();
    let test_server = TestServer::with_families_in(Arc::<FaultyStore>::clone(&store));
    add_heartbeats(&test_server, 1).await;
    test_server.move_clock(3_600);
    let runner = Arc::new(Waiting::default());
    let work = Box::pin(async {
        wait_until(|| runner.started.load(Ordering::SeqCst) == 1).await;
        store.set(Fault::Undone);
        test_server.move_clock(3_600);
        store.take_writes();
        runner.ends.store(true, Ordering::SeqCst);
        wait_for_writes(&store, 6).await;
        store.set(Fault::None);
        let run = wait_for_completion(&test_server).await;
        assert_eq!(run["attempt"], 1);
        assert_ne!(run["mayHaveRepeated"], true);
    });
    with_scheduler(&test_server, &runner, work).await;
    assert_eq!(runner.started.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_run_is_held_until_its_end_is_recorded() {
    let store = FaultyStore::temporary();
    let test_server = TestServer::with_families_in(Arc::<FaultyStore>::clone(&store));
    add_heartbeats(&test_server, 1).await;
    test_server.move_clock(3_600);
    let runner = Arc::new(Waiting::default());
    let work = Box::pin(async {
        wait_until(|| runner.started.load(Ordering::SeqCst) == 1).await;
        store.set(Fault::EndsUndone);
        runner.ends.store(true, Ordering::SeqCst);
        wait_until(|| runner.ended.load(Ordering::SeqCst)).await;
        // The first renewal may have begun before the end.
        for _ in 0..3 {
            let before = lease(&test_server).await;
            test_server.move_clock(1);
            wait_for_renewal(&test_server, &before).await;
        }
        store.set(Fault::None);
        assert_eq!(wait_for_completion(&test_server).await["attempt"], 1);
    });
    with_scheduler(&test_server, &runner, work).await;
}

/// Returns when the lease of the run ends.
async fn lease(test_server: &TestServer) -> Value {
    history(test_server).await.remove(0)["leaseUntil"].take()
}

/// Waits until the lease of the run ends at another time.
async fn wait_for_renewal(test_server: &TestServer, before: &Value) {
    for _ in 0..WAITS_MAX {
        if lease(test_server).await != *before {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("the lease is not renewed");
}

/// A server with a run that is claimed.
async fn with_claimed_run(store: &Arc<FaultyStore>) -> (TestServer, ClaimedRun) {
    let test_server = TestServer::with_families_in(Arc::<FaultyStore>::clone(store));
    add_heartbeats(&test_server, 1).await;
    test_server.move_clock(3_600);
    test_server.server.decide_due().await.expect("a decision");
    let claimed = claim(&test_server, "a server").await;
    (test_server, claimed)
}

async fn claim(test_server: &TestServer, claimant: &str) -> ClaimedRun {
    let lease = SignedDuration::from_secs(60);
    test_server.server.claim_due(claimant, lease, &[], 1).await.expect("a claim").remove(0)
}

#[tokio::test]
async fn a_start_or_an_end_whose_answer_is_lost_is_answered_again() {
    let done = Outcome::Completed(RunResult::from_summary("Done.").expect("a result"));
    let failed = |retry| Outcome::Failed { reason: "no water".to_owned(), retry };
    for (outcome, state) in [
        (done, RunState::Completed),
        (failed(Retry::Later), RunState::Due),
        (failed(Retry::Never), RunState::Failed),
    ] {
        let store = FaultyStore::temporary();
        let (test_server, claimed) = with_claimed_run(&store).await;
        let start = || test_server.server.start_run(&claimed, Executor::Server);
        store.set(Fault::AnswersLost);
        start().await.expect_err("a lost answer");
        store.set(Fault::None);
        let job = start().await.expect("an answer").expect("the run");
        assert_eq!((job.attempt, job.may_have_repeated), (1, false));
        assert_eq!(job.prompt, "Look at the fern, then say what it needs.");
        let finish = || test_server.server.finish_run(&claimed, outcome.clone());
        store.set(Fault::AnswersLost);
        finish().await.expect_err("a lost answer");
        store.set(Fault::None);
        assert_eq!(finish().await.expect("an answer"), Some(state), "{outcome:?}");
        assert!(start().await.expect("an answer").is_none(), "it has ended");
        let client = test_server.client(HOME);
        let activity = ok(&client, "activity_list", json!({})).await.to_string();
        assert_eq!(activity.matches("heartbeat.fired").count(), 1, "{activity}");
        let ends =
            activity.matches("run.completed").count() + activity.matches("run.failed").count();
        assert_eq!(ends, usize::from(state.has_ended()), "{activity}");
    }
}

/// An end by hand does not say what the program has done.
#[tokio::test]
async fn a_run_that_is_ended_by_hand_may_be_repeated() {
    let (test_server, claimed) = with_claimed_run(&FaultyStore::temporary()).await;
    let start = test_server.server.start_run(&claimed, Executor::Server).await;
    start.expect("an answer").expect("the run");
    let fail = json!({"action": "fail", "runId": claimed.run_id, "attempt": 1, "message": "late"});
    let failed = ok(&test_server.client(HOME), "heartbeat_due", fail).await;
    assert_eq!(failed["run"]["state"], "due");
    assert_eq!(failed["run"]["mayHaveRepeated"], true, "{failed}");
}

#[tokio::test]
async fn a_run_that_was_taken_over_is_not_ended_by_the_attempt_before() {
    let store = FaultyStore::temporary();
    let (test_server, claimed) = with_claimed_run(&store).await;
    let start = |claimed| test_server.server.start_run(claimed, Executor::Server);
    start(&claimed).await.expect("an answer").expect("the run");
    test_server.move_clock(61);
    let other = claim(&test_server, "another server").await;
    let job = start(&other).await.expect("an answer").expect("the run");
    assert_eq!((job.attempt, job.may_have_repeated), (2, true));
    let done = || Outcome::Completed(RunResult::from_summary("Done.").expect("a result"));
    let finish = |claimed| test_server.server.finish_run(claimed, done());
    assert_eq!(finish(&claimed).await.expect("an answer"), None);
    assert_eq!(finish(&other).await.expect("an answer"), Some(RunState::Completed));
    assert_eq!(finish(&claimed).await.expect("an answer"), None);
}

/// A server over a file with two heartbeats of which a run is due for each.
async fn with_due_runs(directory: &TempDir) -> (Arc<FaultyStore>, TestServer, Vec<String>) {
    let store = FaultyStore::new(open(&directory.path().join("dibber.db")));
    let test_server = TestServer::with_families_in(Arc::<FaultyStore>::clone(&store));
    let ids = add_heartbeats(&test_server, 2).await;
    test_server.move_clock(3_600);
    assert_eq!(history(&test_server).await.len(), 2);
    (store, test_server, ids)
}

#[tokio::test]
async fn a_damaged_heartbeat_holds_up_no_run_of_another() {
    let directory = TempDir::new().expect("a directory");
    let (_, test_server, ids) = with_due_runs(&directory).await;
    let statement = format!("UPDATE heartbeats SET cron = 'soon' WHERE id = '{}'", ids[0]);
    damage(directory.path(), &statement);
    assert_eq!(run_once(&test_server).await.completed, 1);
    let statement = format!("UPDATE heartbeats SET cron = '0 9 * * *' WHERE id = '{}'", ids[0]);
    damage(directory.path(), &statement);
    let runs = history(&test_server).await;
    let run = runs.iter().find(|run| run["heartbeatId"] == *ids[0]).expect("its run");
    assert_eq!(
        (&run["state"], &run["reason"]),
        (&json!("failed"), &json!("its heartbeat is damaged"))
    );
}

#[tokio::test]
async fn a_heartbeat_that_cannot_be_decided_is_put_off() {
    let directory = TempDir::new().expect("a directory");
    let (store, test_server, ids) = with_due_runs(&directory).await;
    assert_eq!(run_once(&test_server).await.completed, 2);
    let statement =
        format!("UPDATE runs SET planned_at = 'soon' WHERE heartbeat_id = '{}'", ids[0]);
    damage(directory.path(), &statement);
    test_server.move_clock(DAY);
    assert_eq!(run_once(&test_server).await.completed, 1, "the other one fires");
    store.take_writes();
    assert_eq!(run_once(&test_server).await.decided, 0);
    assert_eq!(store.take_writes(), 0, "it is put off");
    let seconds = NOW_SECONDS + 3_600;
    let statement = format!("UPDATE runs SET planned_at = {seconds}000 WHERE planned_at = 'soon'");
    damage(directory.path(), &statement);
    test_server.move_clock(5 * 60);
    assert_eq!(run_once(&test_server).await.completed, 1, "nothing is lost");
}

#[tokio::test]
async fn a_run_that_cannot_be_ended_holds_up_no_other() {
    let directory = TempDir::new().expect("a directory");
    let (_, test_server, ids) = with_due_runs(&directory).await;
    let statement = format!(
        "CREATE TRIGGER refuse BEFORE UPDATE ON runs WHEN OLD.heartbeat_id = '{}'
         BEGIN SELECT RAISE(ABORT, 'refused'); END",
        ids[0]
    );
    damage(directory.path(), &statement);
    test_server.move_clock(DAY + 1);
    test_server.server.decide_due().await.expect("decisions");
    let runs = history(&test_server).await;
    let states = |id: &String| -> Vec<&Value> {
        let own = runs.iter().filter(|run| run["heartbeatId"] == **id);
        own.map(|run| &run["state"]).collect()
    };
    assert_eq!(states(&ids[0]), ["due", "due"]);
    assert_eq!(states(&ids[1]), ["due", "skipped"]);
}

#[tokio::test]
async fn a_family_with_damaged_activity_or_names_runs_each_planned_time_once() {
    for (statement, state) in [
        ("UPDATE activity SET number = 'first' WHERE number = 1", "completed"),
        ("UPDATE children SET name = X'FF' WHERE seq = 1", "failed"),
    ] {
        let directory = TempDir::new().expect("a directory");
        let (_, test_server, _) = with_due_runs(&directory).await;
        damage(directory.path(), statement);
        let report = run_once(&test_server).await;
        assert_eq!((report.executed, report.completed + report.failed), (2, 2), "{statement}");
        test_server.move_clock(3_600);
        assert_eq!(run_once(&test_server).await.executed, 0, "{statement}");
        for run in history(&test_server).await {
            assert_eq!(run["state"], state, "{statement}: {run}");
        }
    }
}
