//! How many heartbeats that are due at the same moment each engine of the store fires in a second, how
//! late, and what a million runs cost that are kept.
//!
//! `cargo bench --bench firing` measures SQLite in a temporary directory, or in that of
//! `DIBBER_BENCH_DATA`, where it remains; and PostgreSQL if `DIBBER_TEST_POSTGRES` is the URL of a
//! server on which a database may be created. With `-- --test`, everything runs once in a small size.
#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

#[path = "../support/postgres_database.rs"]
mod postgres_database;
mod rows;

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use dibber_server::Server;
use dibber_server::firing::{
    Execute, Executor, Job, Outcome, RunResult, Scheduler, SchedulerOptions,
};
use dibber_server::store::{
    DatabaseAddress, FiredRun, RunList, Store, StoreExt, StoreResult, open,
};
use dibber_skill::contract::RunState;
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

use postgres_database::with_postgres_database;
use rows::{FIRST_FIRE, family_id, fill, heartbeat_id, old_decisions};

/// The variable with the directory of a SQLite database that remains.
const DATA_VARIABLE: &str = "DIBBER_BENCH_DATA";

/// The runs that are added at once when a database is filled.
const FILL_BATCH: usize = 5_000;
/// The runs of a page.
const PAGE: usize = 50;

/// How much is measured.
#[derive(Clone, Copy)]
struct Size {
    heartbeats: usize,
    kept_runs: usize,
}

const FULL: Size = Size { heartbeats: 10_000, kept_runs: 1_000_000 };
const SMALL: Size = Size { heartbeats: 200, kept_runs: 2_000 };

fn main() {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let size = if is_test { SMALL } else { FULL };
    let temporary = TempDir::new().expect("a directory");
    let directory = std::env::var_os(DATA_VARIABLE);
    let directory = directory.map_or_else(|| temporary.path().to_owned(), Into::into);
    measure("SQLite", &DatabaseAddress::Directory(directory), size);
    with_postgres_database(|address| measure("PostgreSQL", address, size));
}

/// A server whose clock runs on from a moment that is set.
struct BenchServer {
    server: Server,
    /// The milliseconds since 1970 of the clock when this process began.
    offset: Arc<AtomicI64>,
    began: Instant,
}

impl BenchServer {
    fn new(store: Arc<dyn Store>) -> Self {
        let (offset, began) = (Arc::new(AtomicI64::new(0)), Instant::now());
        let of_clock = Arc::clone(&offset);
        let clock = move || present(&of_clock, began);
        Self { server: Server::new(store, Arc::new(clock)), offset, began }
    }

    fn now(&self) -> Timestamp {
        present(&self.offset, self.began)
    }

    fn set_clock(&self, now: Timestamp) {
        let offset = now.as_millisecond() - milliseconds(self.began.elapsed());
        self.offset.store(offset, Ordering::Relaxed);
    }
}

fn measure(engine: &str, address: &DatabaseAddress, size: Size) {
    let store = open(address).unwrap_or_else(|error| panic!("{error}"));
    let heartbeats = size.heartbeats;
    let filled: StoreResult<()> = store.write_blocking(move |writer| fill(writer, heartbeats));
    filled.expect("heartbeats");
    let bench = BenchServer::new(Arc::clone(&store));
    let first: Timestamp = FIRST_FIRE.parse().expect("a time");
    let day = |number: i64| first + SignedDuration::from_hours(24 * number);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        bench.set_clock(day(0) - SignedDuration::from_mins(1));
        bench.server.prepare_firing().await.expect("a start");
        let begin = Instant::now();
        bench.server.decide_due().await.expect("decisions");
        println!("{engine}: {} to compute when they fire", rate(heartbeats, begin.elapsed()));
        decide(engine, &bench, day(0), heartbeats).await;
        for (number, concurrency) in [(1, 4), (2, 64)] {
            execute(engine, &bench, day(number), heartbeats, concurrency).await;
        }
    });
    keep(engine, store.as_ref(), first, size);
    store.close();
}

/// Measures how fast and how late it is recorded that runs are due, for agents that claim them.
async fn decide(engine: &str, bench: &BenchServer, fire: Timestamp, heartbeats: usize) {
    let ended = schedule(bench, None, fire, 4).await;
    let runs = runs_of(bench, fire);
    assert_eq!(runs.len(), heartbeats, "one run for each heartbeat");
    // A transaction has ended when the next one begins.
    let mut begun: Vec<i64> = runs.iter().map(|run| run.decided_at).collect();
    begun.sort_unstable();
    begun.dedup();
    let late = runs.iter().map(|run| {
        let next = begun.partition_point(|at| *at <= run.decided_at);
        begun.get(next).copied().unwrap_or(ended.as_millisecond()) - run.planned_at
    });
    let late = lateness(late.collect());
    println!("{engine}: {} recorded as due, {late}", rate(heartbeats, since(fire, ended)));
}

/// Measures how fast and how late runs start that end at once.
async fn execute(
    engine: &str,
    bench: &BenchServer,
    fire: Timestamp,
    heartbeats: usize,
    concurrency: usize,
) {
    let ended = schedule(bench, Some(Arc::new(Immediate)), fire, concurrency).await;
    let runs = runs_of(bench, fire);
    assert!(runs.iter().all(|run| run.state == RunState::Completed));
    assert_eq!(runs.len(), heartbeats, "one run for each heartbeat");
    let late = runs.iter().map(|run| run.started_at.expect("a start") - run.planned_at);
    let (rate, late) = (rate(heartbeats, since(fire, ended)), lateness(late.collect()));
    println!("{engine}: {rate} executed, {concurrency} at a time; start {late}");
}

/// Runs a scheduler from shortly before a planned time until nothing is left to do; returns when that
/// was.
async fn schedule(
    bench: &BenchServer,
    runner: Option<Arc<dyn Execute>>,
    fire: Timestamp,
    concurrency: usize,
) -> Timestamp {
    bench.set_clock(fire - SignedDuration::from_millis(500));
    let executes = runner.is_some();
    let options = SchedulerOptions { concurrency, ..SchedulerOptions::default() };
    let scheduler = Scheduler::new(bench.server.clone(), runner, options);
    let ended = async {
        loop {
            tokio::time::sleep(Duration::from_millis(5)).await;
            let next = bench.server.next_work().await.expect("a state");
            let now = bench.now();
            let is_decided = next.fire_at.is_some_and(|at| at > fire.as_millisecond());
            if now > fire && is_decided && !(executes && next.claim_at.is_some()) {
                return now;
            }
        }
    };
    let (send, stop) = tokio::sync::oneshot::channel::<()>();
    let stop = async { drop(stop.await) };
    let ended = async {
        let ended = ended.await;
        drop(send);
        ended
    };
    tokio::join!(scheduler.run_until(stop), ended).1
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

/// Measures what many kept runs cost: memory, pages of the history, and their removal.
fn keep(engine: &str, store: &dyn Store, before: Timestamp, size: Size) {
    let memory = resident_mebibytes();
    let begin = Instant::now();
    let count = FILL_BATCH.min(size.heartbeats);
    for batch in 0..size.kept_runs / count {
        let added: StoreResult<()> = store.write_blocking(move |writer| {
            writer.add_decisions(&old_decisions(batch, count, size.heartbeats, before)).map(drop)
        });
        added.expect("runs");
    }
    println!("{engine}: {} added", rate(size.kept_runs, begin.elapsed()));
    for (what, of_heartbeat) in [("a family", false), ("a heartbeat", true)] {
        let (first, last, pages) = pages(store, of_heartbeat);
        println!(
            "{engine}: a page of the history of {what}: first {}, slowest of {pages} {}",
            shown(first),
            shown(last)
        );
    }
    println!("{engine}: {memory} MiB of memory before, {} MiB after", resident_mebibytes());
    let begin = Instant::now();
    let limit = 1_000.min(size.kept_runs / 2);
    let time = before.as_millisecond();
    let removed: StoreResult<usize> =
        store.write_blocking(move |writer| writer.remove_runs_before(time, limit));
    assert_eq!(removed.expect("a removal"), limit);
    println!("{engine}: {limit} runs removed in {}", shown(begin.elapsed()));
}

/// Reads a history page by page; returns how long the first page and the slowest one took, and how
/// many there were.
fn pages(store: &dyn Store, of_heartbeat: bool) -> (Duration, Duration, usize) {
    let heartbeat = of_heartbeat.then(|| heartbeat_id(1));
    let (mut after, mut times) = (None, Vec::new());
    loop {
        let list = RunList { after, limit: PAGE, heartbeat: heartbeat.clone() };
        let begin = Instant::now();
        let page: StoreResult<_> =
            store.read_blocking(move |reader| reader.runs(&family_id(0), &list));
        let page = page.expect("a page").rows;
        times.push(begin.elapsed());
        if page.len() < PAGE {
            break;
        }
        after = page.last().map(|run| run.id.clone());
    }
    (times[0], times.iter().max().copied().unwrap_or_default(), times.len())
}

/// Returns the runs of a planned time.
fn runs_of(bench: &BenchServer, fire: Timestamp) -> Vec<FiredRun> {
    let runs: StoreResult<Vec<FiredRun>> = bench.server.store().read_blocking(move |reader| {
        let mut runs = Vec::new();
        for family in reader.families()?.rows {
            let list = RunList { limit: usize::MAX >> 1, ..RunList::default() };
            runs.extend(reader.runs(&family.id, &list)?.rows);
        }
        runs.retain(|run| run.planned_at == fire.as_millisecond());
        Ok(runs)
    });
    runs.expect("runs")
}

fn lateness(mut late: Vec<i64>) -> String {
    late.sort_unstable();
    let part = |percent: usize| late[(late.len() * percent / 100).min(late.len() - 1)];
    format!("late by {} ms (median), {} ms (p99)", part(50), part(99))
}

fn rate(count: usize, time: Duration) -> String {
    let number = f64::from(u32::try_from(count).expect("a few"));
    format!("{count} in {:.2} s, {:.0} a second", time.as_secs_f64(), number / time.as_secs_f64())
}

fn shown(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn since(from: Timestamp, to: Timestamp) -> Duration {
    Duration::try_from(to.duration_since(from)).expect("it is later")
}

fn present(offset: &AtomicI64, began: Instant) -> Timestamp {
    let milliseconds = offset.load(Ordering::Relaxed) + milliseconds(began.elapsed());
    Timestamp::from_millisecond(milliseconds).expect("a time in range")
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).expect("a short time")
}

/// Returns the memory of this process, where Linux says so.
fn resident_mebibytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kibibytes.unwrap_or_default() / 1024
}
