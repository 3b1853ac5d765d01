//! A year of heartbeats in some seconds: three servers share a store, crash at every point of a run,
//! the clock is set and the machines sleep, and heartbeats are paused and changed meanwhile. Every
//! planned time has exactly one run or one recorded reason.

use std::collections::{BTreeMap, BTreeSet};

use dibber_server::firing::{ClaimedRun, Executor, Outcome, Retry, RunResult};
use dibber_server::store::{
    Cadence, FamilyId, FiredRun, Heartbeat, HeartbeatState, Member, MemberRole, RunList, StoreExt,
    StoreResult,
};
use dibber_skill::contract::{MissedFires, RunId, RunState, WireEnum};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, json};

use crate::support::wire::{HOME, NOW, TestServer, sample};

/// The seconds between two looks at what is due.
const STEP: i64 = 600;

/// The lease of the servers: a crash is noticed at the next step.
const LEASE: SignedDuration = SignedDuration::from_secs(300);

const CRONS: [&str; 6] =
    ["0 8 * * *", "30 2 * * *", "0 8,20 * * *", "15 6 * * 1-5", "0 0,6,12,18 * * *", "0 9 1 * *"];

const ZONES: [&str; 5] =
    ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"];

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
    test_server: TestServer,
    numbers: Numbers,
    /// What each run has done, once for each attempt that had an effect.
    effects: BTreeMap<RunId, usize>,
    /// The heartbeats that were paused or changed, of which not every planned time counts.
    changed: BTreeSet<usize>,
    count: usize,
}

impl Simulation {
    fn new(seed: u64, count: usize) -> Self {
        let test_server = TestServer::new();
        test_server.add_skill(HOME, "sk_plants", sample());
        test_server.change(move |store| {
            let family = FamilyId::from(HOME);
            let owner = store.user_ids(&family).expect("users")[0].clone();
            for number in 0..count {
                let member = Member { user_id: owner.clone(), role: MemberRole::Owner };
                store.add_heartbeat(&family, &heartbeat(number), &[member]).expect("a heartbeat");
            }
        });
        let (effects, changed) = (BTreeMap::new(), BTreeSet::new());
        Self { test_server, numbers: Numbers(seed), effects, changed, count }
    }

    /// One of the servers does what is due, or crashes on the way.
    async fn turn(&mut self) {
        let server = self.test_server.server.clone();
        if self.numbers.one_in(40) {
            server.prepare_firing().await.expect("a start");
        }
        server.decide_due().await.expect("decisions");
        let name = format!("proc_{}", self.numbers.below(3));
        let claimed = server.claim_due(&name, LEASE, 64).await.expect("claims");
        for claimed in claimed {
            if self.numbers.one_in(50) {
                continue;
            }
            self.execute(&claimed).await;
        }
    }

    async fn execute(&mut self, claimed: &ClaimedRun) {
        let server = self.test_server.server.clone();
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
        let cron = CRONS[number % 2];
        let now = self.now().as_millisecond();
        self.changed.insert(number);
        self.test_server.change(move |store| {
            let family = FamilyId::from(HOME);
            let id = format!("hb_{number}").as_str().into();
            let mut found = store.heartbeat(&family, &id).expect("a row").expect("a heartbeat");
            found.state = match found.state {
                HeartbeatState::Active => HeartbeatState::Paused,
                _ => HeartbeatState::Active,
            };
            found.cadence = Cadence::parse(cron, found.cadence.time_zone()).expect("a cadence");
            found.decided_until = found.decided_until.max(now);
            store.put_heartbeat(&family, &found).expect("a change");
        });
    }

    fn now(&self) -> Timestamp {
        self.test_server.now()
    }

    /// Lets the time pass: mostly a step, sometimes a night without a server or a clock that is set.
    async fn pass_time(&mut self) {
        match self.numbers.below(400) {
            0 => self
                .test_server
                .move_clock(i64::try_from(self.numbers.below(40)).expect("hours") * 3_600),
            1 => {
                self.test_server.move_clock(-3_600);
                self.test_server.server.prepare_firing().await.expect("a clock that was set");
            }
            _ => self.test_server.move_clock(STEP),
        }
    }

    fn runs(&self) -> Vec<FiredRun> {
        let list = RunList { limit: usize::MAX, ..RunList::default() };
        let runs: StoreResult<_> = self
            .test_server
            .server
            .store()
            .read_blocking(move |store| store.runs(&FamilyId::from(HOME), &list)?.complete());
        runs.expect("runs")
    }
}

fn heartbeat(number: usize) -> Heartbeat {
    let created_at = NOW.parse::<Timestamp>().expect("a time").as_millisecond();
    let cadence = Cadence::parse(CRONS[number % CRONS.len()], ZONES[number % ZONES.len()]);
    Heartbeat {
        id: format!("hb_{number}").as_str().into(),
        name: format!("Plant {number}"),
        cadence: cadence.expect("a cadence"),
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

async fn simulate(seed: u64, heartbeats: usize, days: i64) {
    let mut simulation = Simulation::new(seed, heartbeats);
    let began = simulation.now();
    let end = began + SignedDuration::from_hours(24 * days);
    simulation.test_server.server.prepare_firing().await.expect("a start");
    while simulation.now() < end {
        simulation.turn().await;
        simulation.pass_time().await;
    }
    // The last day runs without a crash.
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
        let schedule = heartbeat(number).cadence.schedule().clone();
        let due = schedule.fires_after(began).map(|fire| fire.at);
        // What came after the last look, or after three failures, is not decided.
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
        let found: StoreResult<_> = self
            .test_server
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
        simulate(7, 60, 366).await;
    }
    for seed in 1..=2 {
        simulate(seed, 30, 40).await;
    }
}
