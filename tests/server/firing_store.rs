//! What firing asks of the store: nothing is written while nothing is due, and what fails or is
//! damaged holds up nothing else.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use dibber_server::firing::{
    Execute, Executor, FiringReport, Job, Outcome, RunResult, Scheduler, SchedulerOptions,
};
use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{Changes, ReadJob, Store, StoreError, WriteJob};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::support::stores::{damage, open};
use crate::support::wire::{HOME, TestServer, ok, sample};

/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// The first present of a test, in seconds since 1970, without the part of a second.
const NOW_SECONDS: i64 = 1_779_537_600;

/// The most turns of waiting for a scheduler, of 10 milliseconds each.
const WAITS_MAX: usize = 6_000;

/// A store that counts its transactions that write, and fails them if it is set to.
struct Counting {
    inner: SqliteStore,
    writes: AtomicUsize,
    fails: AtomicBool,
}

impl Counting {
    fn new(inner: SqliteStore) -> Arc<Self> {
        Arc::new(Self { inner, writes: AtomicUsize::default(), fails: AtomicBool::default() })
    }

    fn temporary() -> Arc<Self> {
        Self::new(SqliteStore::temporary().expect("a database"))
    }

    /// Returns the number of writes since the last call.
    fn writes(&self) -> usize {
        self.writes.swap(0, Ordering::SeqCst)
    }

    /// Waits until so many writes were tried.
    async fn wait_for_writes(&self, count: usize) {
        wait_until(|| self.writes.load(Ordering::SeqCst) >= count).await;
    }
}

impl Store for Counting {
    fn submit_read(&self, job: ReadJob) {
        self.inner.submit_read(job);
    }

    fn submit_write(&self, job: Box<dyn WriteJob>) {
        self.writes.fetch_add(1, Ordering::SeqCst);
        if self.fails.load(Ordering::SeqCst) {
            job.finish(Err(StoreError::new("the disk is full")));
        } else {
            self.inner.submit_write(job);
        }
    }

    fn changes(&self) -> &Arc<Changes> {
        self.inner.changes()
    }

    fn follow(&self, after: i64) {
        self.inner.follow(after);
    }

    fn close(&self) {
        self.inner.close();
    }
}

async fn wait_until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..WAITS_MAX {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("it takes too long");
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
    let store = Counting::temporary();
    let test_server = TestServer::with_families_in(Arc::<Counting>::clone(&store));
    let ids = add_heartbeats(&test_server, 1).await;
    run_once(&test_server).await;
    store.writes();
    assert_eq!(run_once(&test_server).await.decided, 0);
    assert_eq!(store.writes(), 0, "it fires in an hour");
    test_server.move_clock(3_600);
    assert_eq!(run_once(&test_server).await.completed, 1);
    assert!(store.writes() > 0);
    assert_eq!(run_once(&test_server).await.executed, 0);
    assert_eq!(store.writes(), 0, "it has run");
    let pause = json!({"action": "pause", "heartbeatId": ids[0]});
    ok(&test_server.client(HOME), "heartbeat_update", pause).await;
    test_server.move_clock(91 * DAY);
    store.writes();
    run_once(&test_server).await;
    assert_eq!(store.writes(), 1, "the run is removed");
    run_once(&test_server).await;
    assert_eq!(store.writes(), 0, "nothing is left to remove");
}

/// Executes runs that end when a test says so, and counts them.
#[derive(Default)]
struct Waiting {
    started: AtomicUsize,
    ends: AtomicBool,
}

impl Execute for Waiting {
    fn execute(&self, _: Job) -> Pin<Box<dyn Future<Output = Outcome> + Send + '_>> {
        self.started.fetch_add(1, Ordering::SeqCst);
        let result = RunResult::from_summary("Done.").expect("a result");
        Box::pin(async {
            wait_until(|| self.ends.load(Ordering::SeqCst)).await;
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
    let options = SchedulerOptions::default();
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
    let store = Counting::temporary();
    let test_server = TestServer::with_families_in(Arc::<Counting>::clone(&store));
    add_heartbeats(&test_server, 1).await;
    test_server.move_clock(3_600);
    let runner = Arc::new(Waiting::default());
    let work = Box::pin(async {
        wait_until(|| runner.started.load(Ordering::SeqCst) == 1).await;
        // As after a machine was suspended: no lease was renewed meanwhile.
        test_server.move_clock(3_600);
        store.writes();
        store.wait_for_writes(2).await;
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
    let store = Counting::temporary();
    let test_server = TestServer::with_families_in(Arc::<Counting>::clone(&store));
    add_heartbeats(&test_server, 1).await;
    test_server.move_clock(3_600);
    let runner = Arc::new(Waiting::default());
    let work = Box::pin(async {
        wait_until(|| runner.started.load(Ordering::SeqCst) == 1).await;
        store.fails.store(true, Ordering::SeqCst);
        test_server.move_clock(3_600);
        store.writes();
        runner.ends.store(true, Ordering::SeqCst);
        store.wait_for_writes(6).await;
        store.fails.store(false, Ordering::SeqCst);
        let run = wait_for_completion(&test_server).await;
        assert_eq!(run["attempt"], 1);
        assert_ne!(run["mayHaveRepeated"], true);
    });
    with_scheduler(&test_server, &runner, work).await;
    assert_eq!(runner.started.load(Ordering::SeqCst), 1);
}

/// A server over a file with two heartbeats of which a run is due for each.
async fn with_due_runs(directory: &TempDir) -> (Arc<Counting>, TestServer, Vec<String>) {
    let store = Counting::new(open(&directory.path().join("dibber.db")));
    let test_server = TestServer::with_families_in(Arc::<Counting>::clone(&store));
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
    store.writes();
    assert_eq!(run_once(&test_server).await.decided, 0);
    assert_eq!(store.writes(), 0, "it is put off");
    let seconds = NOW_SECONDS + 3_600;
    let statement = format!("UPDATE runs SET planned_at = {seconds}000 WHERE planned_at = 'soon'");
    damage(directory.path(), &statement);
    test_server.move_clock(5 * 60);
    assert_eq!(run_once(&test_server).await.completed, 1, "nothing is lost");
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
