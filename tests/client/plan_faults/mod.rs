//! Pushes with all that a plan can contain, through a network that breaks: skills that are created,
//! changed and archived, heartbeats that are created, changed and cancelled. Each step is in the
//! state that its result promises, and the same push over a whole network finishes the rest.

mod worker;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::runtime::{Handle, Runtime};

use super::faults::{AT_ONCE, Served, patient};
use crate::support::chance::Chance;
use crate::support::fault_proxy::{End, Fault, Proxy};
use worker::{Results, TARGETS, Worker};

/// How many pairs of pushes the quick sweep makes.
const QUICK_PAIRS: usize = 48;
/// At every how many bytes there is a fault in the long sweep.
const STEP: usize = 4;
/// How many pairs of pushes go to one server: fewer than the skills that a family can have.
const PER_SERVER: usize = 3_000;

/// The bytes of the requests and replies of the push to each target, from the other one.
fn lengths() -> [Vec<(usize, usize)>; 2] {
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let worker = Worker::new(0, Arc::new(Served::new().await));
        let proxy = Proxy::before(worker.served.address).await;
        let client = worker.served.client(proxy.address, patient());
        let mut lengths = Vec::new();
        for target in [&TARGETS[0], &TARGETS[1], &TARGETS[0]] {
            client.tools().await.expect("a server");
            proxy.lengths.lock().expect("no panic").clear();
            let plan = worker.push(&client, target, &mut Results::new()).await;
            plan.expect("a push");
            lengths.push(proxy.lengths.lock().expect("no panic").clone());
        }
        [lengths.remove(2), lengths.remove(1)]
    })
}

/// How many pushes ended in each way.
type Endings = BTreeMap<&'static str, usize>;

/// A fault, and the number of the request that it happens to.
type Case = (usize, Fault);

/// A fault at each of these bytes of a push, of one kind after the other.
fn cases(lengths: &[(usize, usize)]) -> Vec<Case> {
    let mut cases = Vec::new();
    for (request, (sent, received)) in lengths.iter().enumerate() {
        cases.extend([(request, Fault::Refuse), (request, Fault::Twice)]);
        cases.push((request, Fault::Reply(received / 2, End::Stall)));
        for at in (0..=*sent).step_by(STEP) {
            cases.push((
                request,
                match at / STEP % 3 {
                    0 => Fault::Request(at, End::Reset),
                    1 => Fault::Request(at, End::Close),
                    _ => Fault::CorruptRequest(at),
                },
            ));
        }
        for at in (0..=*received).step_by(STEP) {
            cases.push((
                request,
                match at / STEP % 3 {
                    0 => Fault::Reply(at, End::Reset),
                    1 => Fault::Reply(at, End::Close),
                    _ => Fault::CorruptReply(at),
                },
            ));
        }
    }
    cases
}

/// Runs the pairs of pushes that no other worker has begun.
async fn run_pairs(worker: &Worker, pairs: &[[Case; 2]], next: &AtomicUsize) -> Endings {
    let mut endings = Endings::new();
    let first = worker.push(&worker.whole, &TARGETS[0], &mut Results::new()).await;
    first.expect("a push");
    while let Some([back, there]) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
        for (target, (request, fault)) in [(&TARGETS[1], there), (&TARGETS[0], back)] {
            *endings.entry(worker.check(target, *request, fault).await).or_default() += 1;
        }
    }
    endings
}

/// Runs pairs of pushes to one server: to the second target and back to the first one.
fn run_on_one_server(pairs: Vec<[Case; 2]>) -> Endings {
    let runtime = Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let served = Arc::new(Served::new().await);
        let (pairs, next) = (Arc::new(pairs), Arc::new(AtomicUsize::new(0)));
        let workers = (0..AT_ONCE).map(|number| {
            let worker = Worker::new(number, Arc::clone(&served));
            let (pairs, next) = (Arc::clone(&pairs), Arc::clone(&next));
            let handle = Handle::current();
            // The futures of the library stay on their thread.
            tokio::task::spawn_blocking(move || handle.block_on(run_pairs(&worker, &pairs, &next)))
        });
        let mut endings = Endings::new();
        for worker in workers.collect::<Vec<_>>() {
            for (ending, count) in worker.await.expect("no panic") {
                *endings.entry(ending).or_default() += count;
            }
        }
        endings
    })
}

/// Faults at the bytes that the pushes send and get, some that chance chooses; with
/// `DIBBER_EVERY_FAULT`, all over each request and reply, which takes minutes.
#[test]
fn a_plan_survives_a_fault_in_every_request_and_reply() {
    let [back, there] = lengths().map(|lengths| cases(&lengths));
    let count = back.len().max(there.len());
    let pair = |at: usize| [back[at % back.len()].clone(), there[at % there.len()].clone()];
    let pairs: Vec<_> = if std::env::var_os("DIBBER_EVERY_FAULT").is_some() {
        (0..count).map(pair).collect()
    } else {
        let mut chance = Chance::new(0);
        // The second one is a request that arrives twice, which changes nothing: few others end well.
        [1].into_iter().chain((1..QUICK_PAIRS).map(|_| chance.below(count))).map(pair).collect()
    };
    let mut endings = Endings::new();
    for pairs in pairs.chunks(PER_SERVER) {
        for (ending, count) in run_on_one_server(pairs.to_vec()) {
            *endings.entry(ending).or_default() += count;
        }
    }
    for ending in ["done", "unknown", "failed"] {
        assert!(endings.contains_key(ending), "{ending} is not in {endings:?}");
    }
}
