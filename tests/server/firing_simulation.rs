//! A year of heartbeats in some seconds: three servers, whose clocks differ, share a store, crash at
//! every point of a run, the clock is set and the machines sleep, and heartbeats are paused and changed
//! meanwhile. Every planned time has exactly one run or one recorded reason.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dibber_server::Server;
use dibber_server::firing::{ClaimedRun, Executor, Outcome, Retry, RunResult};
use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{
    Cadence, FamilyId, FiredRun, Heartbeat, HeartbeatState, Member, MemberRole, RunList, Store,
    StoreExt, StoreResult,
};
use dibber_skill::contract::{MissedFires, RunId, RunState, WireEnum};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, json};

use crate::support::wire::{HOME, NOW, TestServer, sample};

/// The seconds between two looks at what is due.
const STEP: i64 = 600;

/// How much the clock of each server is ahead of the others', in seconds.
const AHEAD: [i64; 3] = [0, 20, -20];

/// The lease of the servers: a crash is noticed at the next step.
const LEASE: SignedDuration = SignedDuration::from_secs(300);

const CRONS: [&str; 6] =
    ["0 8 * * *", "30 2 * * *", "0 8,20 * * *", "15 6 * * 1-5", "0 0,6,12,18 * * *", "0 9 1 * *"];

/// The months of heartbeats that fire once a quarter.
const QUARTERS: [&str; 3] = ["1,4,7,10", "2,5,8,11", "3,6,9,12"];

const ZONES: [&str; 5] =
    ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"];

/// Returns when a heartbeat of a few fires: often.
fn often(number: usize) -> Cadence {
    cadence(CRONS[number % CRONS.len()], number)
}

/// Returns when a heartbeat of thousands fires: most of them once a quarter or a year.
fn seldom(number: usize) -> Cadence {
    let (minute, hour, day) = (number % 60, number / 7 % 24, number % 28 + 1);
    let cron = match number % 500 {
        0 => format!("{minute} {hour} * * *"),
        1..=5 => format!("{minute} {hour} * * {}", number % 7),
        6..=55 => format!("{minute} {hour} {day} * *"),
        56..=205 => format!("{minute} {hour} {day} {} *", QUARTERS[number % QUARTERS.len()]),
        _ => format!("{minute} {hour} {day} {} *", number % 12 + 1),
    };
    cadence(&cron, number)
}

fn cadence(cron: &str, number: usize) -> Cadence {
    Cadence::parse(cron, ZONES[number % ZONES.len()]).expect("a cadence")
}

/// A generator of numbers, the same in each run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn one_in(&mut self, chance: u64) -> bool {
        self.below(chance) == 0
    }
}

struct Simulation {
    servers: [TestServer; 3],
    /// When a heartbeat fires.
    cadence: fn(usize) -> Cadence,
    numbers: Numbers,
    /// What each run has done, once for each attempt that had an effect.
    effects: BTreeMap<RunId, usize>,
    /// The heartbeats that were paused or changed, of which not every planned time counts.
    changed: BTreeSet<usize>,
    count: usize,
}

impl Simulation {
    fn new(seed: u64, count: usize, cadence: fn(usize) -> Cadence) -> Self {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::temporary().expect("a database"));
        let test_server = TestServer::with_families_in(Arc::clone(&store));
        test_server.add_skill(HOME, "sk_plants", sample());
        test_server.change(move |store| {
            let family = FamilyId::from(HOME);
            let owner = store.user_ids(&family).expect("users")[0].clone();
            for number in 0..count {
                let member = Member { user_id: owner.clone(), role: MemberRole::Owner };
                let heartbeat = heartbeat(number, cadence(number));
                store.add_heartbeat(&family, &heartbeat, &[member]).expect("a heartbeat");
            }
        });
        let others = || TestServer::over(Arc::clone(&store));
        let servers = [test_server, others(), others()];
        for (server, ahead) in servers.iter().zip(AHEAD) {
            server.move_clock(ahead);
        }
        let (effects, changed) = (BTreeMap::new(), BTreeSet::new());
        Self { servers, cadence, numbers: Numbers(seed), effects, changed, count }
    }

    /// One of the servers does what is due, or crashes on the way.
    async fn turn(&mut self) {
        let number = self.any_server();
        let server = self.servers[number].server.clone();
        if self.numbers.one_in(40) {
            server.prepare_firing().await.expect("a start");
        }
        server.decide_due().await.expect("decisions");
        let next = server.next_work().await.expect("a state");
        if next.claim_at.is_none_or(|at| at > self.servers[number].now().as_millisecond()) {
            return;
        }
        let name = format!("proc_{number}");
        let claimed = server.claim_due(&name, LEASE, &[], 64).await.expect("claims");
        for claimed in claimed {
            if self.numbers.one_in(50) {
                continue;
            }
            self.execute(&claimed, &server).await;
        }
    }

    fn any_server(&mut self) -> usize {
        usize::try_from(self.numbers.below(3)).expect("a number")
    }

    async fn execute(&mut self, claimed: &ClaimedRun, server: &Server) {
        if self.numbers.one_in(60) {
            self.change_heartbeat();
        }
        let started = server.start_run(claimed, Executor::HomeAgent).await.expect("a start");
        let Some(job) = started else { return };
        if self.numbers.one_in(50) {
            return;
        }
        *self.effects.entry(job.run_id).or_default() += 1;
        if self.numbers.one_in(50) {
            return;
        }
        let outcome = match self.numbers.below(30) {
            0 => Outcome::Failed { reason: "it rained".to_owned(), retry: Retry::Later },
            1 => Outcome::Failed { reason: "no plant".to_owned(), retry: Retry::Never },
            _ => Outcome::Completed(RunResult::from_summary("Done.").expect("a result")),
        };
        server.finish_run(claimed, outcome).await.expect("an end");
    }

    /// Pauses, resumes or reschedules a heartbeat, as the tools do.
    fn change_heartbeat(&mut self) {
        let number = usize::try_from(self.numbers.below(self.count as u64)).expect("a number");
        let cadence = (self.cadence)(number + 1);
        let now = self.now().as_millisecond();
        self.changed.insert(number);
        self.servers[0].change(move |store| {
            let family = FamilyId::from(HOME);
            let id = format!("hb_{number}").as_str().into();
            let mut found = store.heartbeat(&family, &id).expect("a row").expect("a heartbeat");
            found.state = match found.state {
                HeartbeatState::Active => HeartbeatState::Paused,
                _ => HeartbeatState::Active,
            };
            found.cadence = cadence;
            found.decided_until = found.decided_until.max(now);
            store.put_heartbeat(&family, &found).expect("a change");
        });
    }

    fn now(&self) -> Timestamp {
        self.servers[0].now()
    }

    fn move_clocks(&self, seconds: i64) {
        self.servers.iter().for_each(|server| server.move_clock(seconds));
    }

    /// Lets the time pass: mostly a step, sometimes a night without a server or a clock that is set.
    async fn pass_time(&mut self) {
        match self.numbers.below(400) {
            0 => {
                let hours = i64::try_from(self.numbers.below(40)).expect("hours");
                self.move_clocks(hours * 3_600);
            }
            1 => {
                self.move_clocks(-3_600);
                self.servers[0].server.prepare_firing().await.expect("a clock that was set");
            }
            _ => self.move_clocks(STEP),
        }
    }

    fn runs(&self) -> Vec<FiredRun> {
        let list = RunList { limit: usize::MAX, ..RunList::default() };
        let runs: StoreResult<_> = self.servers[0]
            .server
            .store()
            .read_blocking(move |store| store.runs(&FamilyId::from(HOME), &list)?.complete());
        runs.expect("runs")
    }
}

fn heartbeat(number: usize, cadence: Cadence) -> Heartbeat {
    let created_at = NOW.parse::<Timestamp>().expect("a time").as_millisecond();
    Heartbeat {
        id: format!("hb_{number}").as_str().into(),
        name: format!("Plant {number}"),
        cadence,
        run_skill_id: "sk_plants".into(),
        assignment_skill_id: None,
        child_id: None,
        skill_input: Map::from_iter([("plant".to_owned(), json!("fern {{fireDate}}"))]),
        post_result_notify: number.is_multiple_of(7),
        state: HeartbeatState::Active,
        chat_id: format!("th_{number}").as_str().into(),
        created_at,
        last_run_at: None,
        missed_fires: MissedFires::all()[number % 3],
        decided_until: created_at,
        failed_in_row: 0,
    }
}

async fn simulate(seed: u64, heartbeats: usize, days: i64, cadence: fn(usize) -> Cadence) {
    let mut simulation = Simulation::new(seed, heartbeats, cadence);
    let began = simulation.now();
    let end = began + SignedDuration::from_hours(24 * days);
    simulation.servers[0].server.prepare_firing().await.expect("a start");
    while simulation.now() < end {
        simulation.turn().await;
        simulation.pass_time().await;
    }
    // A last look, since much time may have passed after the one before.
    simulation.servers[0].server.decide_due().await.expect("decisions");
    let now = simulation.now();
    let runs = simulation.runs();
    let mut planned: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
    for run in &runs {
        let is_new = planned.entry(run.heartbeat_id.as_str()).or_default().insert(run.planned_at);
        assert!(is_new, "seed {seed}: {} has two runs", run.planned_local);
        check(run, simulation.effects.get(&run.id).copied().unwrap_or_default(), now, seed);
    }
    let has = |is_it: fn(&FiredRun) -> bool| runs.iter().any(is_it);
    assert!(
        has(|run| run.state == RunState::Completed) && has(|run| run.state == RunState::Failed)
    );
    assert!(has(|run| run.state == RunState::Skipped) && has(|run| run.may_have_repeated));
    for number in (0..heartbeats).filter(|number| !simulation.changed.contains(number)) {
        let id = format!("hb_{number}");
        let found = planned.get(id.as_str()).cloned().unwrap_or_default();
        let cadence = cadence(number);
        let due = cadence.schedule().fires_after(began).map(|fire| fire.at);
        // What came after three failures is not decided.
        let due = due.take_while(|at| *at < now - SignedDuration::from_secs(2 * STEP));
        let missing: Vec<_> = due
            .filter(|at| !found.contains(&at.as_millisecond()))
            .map(|at| at.to_string())
            .collect();
        let is_paused = simulation.is_paused(&id);
        assert!(missing.is_empty() || is_paused, "seed {seed}: {id} has nothing for {missing:?}");
    }
}

impl Simulation {
    fn is_paused(&self, id: &str) -> bool {
        let id = id.into();
        let found: StoreResult<_> = self.servers[0]
            .server
            .store()
            .read_blocking(move |store| store.heartbeat(&FamilyId::from(HOME), &id));
        found.expect("a row").is_some_and(|it| it.state == HeartbeatState::Paused)
    }
}

/// Checks that a run says what it did: `effects` is the number of attempts that had one.
fn check(run: &FiredRun, effects: usize, now: Timestamp, seed: u64) {
    let about = format!("seed {seed}: {run:?} with {effects} effects");
    match run.state {
        RunState::Completed => assert!(effects > 0, "{about}"),
        RunState::Skipped => {
            assert!(run.reason.is_some() && (effects == 0 || run.attempt > 0), "{about}");
        }
        RunState::Failed => assert!(run.reason.is_some(), "{about}"),
        RunState::Due | RunState::Claimed | RunState::Running => {
            let age = now.as_millisecond() - run.planned_at;
            assert!(age <= 3 * 24 * 60 * 60 * 1000, "it is left for ever: {about}");
        }
    }
    // An attempt that failed in its own words is repeated on purpose.
    let failed_first = run.attempt > 1 && !run.may_have_repeated;
    assert!(effects <= 1 || run.may_have_repeated || failed_first, "{about}");
}

#[tokio::test]
async fn every_planned_time_has_one_run_or_one_reason() {
    if std::env::var_os("DIBBER_EVERY_FAULT").is_some() {
        simulate(7, 60, 366, often).await;
        simulate(11, 10_000, 366, seldom).await;
    }
    for seed in 1..=2 {
        simulate(seed, 30, 40, often).await;
    }
    simulate(3, 300, 70, seldom).await;
}
