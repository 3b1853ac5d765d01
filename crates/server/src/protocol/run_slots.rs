//! How many runs there are at once, and how many wait.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::mutex::lock;
use dibber_skill::contract::skills_protocol::{RpcCode, RpcError, RpcReason};

/// The most runs that wait.
pub const WAITING_RUNS_MAX: usize = 64;

/// The most runs that wait for one owner: the rest is for the others.
const WAITING_OF_OWNER_MAX: usize = WAITING_RUNS_MAX / 2;

/// The slots of runs. They are given in the order in which they were asked for.
#[derive(Debug)]
pub(super) struct RunSlots<K> {
    running: Arc<Semaphore>,
    waiting: Mutex<HashMap<K, usize>>,
}

/// The slot of one run, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct RunSlot {
    _permit: OwnedSemaphorePermit,
}

impl<K: Clone + Eq + Hash> RunSlots<K> {
    /// Creates slots for so many runs at once; at least one.
    pub(super) fn new(runs: usize) -> Self {
        Self { running: Arc::new(Semaphore::new(runs.max(1))), waiting: Mutex::default() }
    }

    /// Waits for a slot. Waiting ends when the future is dropped.
    ///
    /// # Errors
    /// Too many runs wait already.
    pub(super) async fn acquire(&self, owner: &K) -> Result<RunSlot, RpcError> {
        if let Ok(permit) = Arc::clone(&self.running).try_acquire_owned() {
            return Ok(RunSlot { _permit: permit });
        }
        let _waiting = self.wait(owner)?;
        match Arc::clone(&self.running).acquire_owned().await {
            Ok(permit) => Ok(RunSlot { _permit: permit }),
            Err(_) => unreachable!("the slots are never closed"),
        }
    }

    fn wait(&self, owner: &K) -> Result<Waiting<'_, K>, RpcError> {
        let mut waiting = lock(&self.waiting);
        let total: usize = waiting.values().sum();
        let own = waiting.get(owner).copied().unwrap_or(0);
        if own >= WAITING_OF_OWNER_MAX || total >= WAITING_RUNS_MAX {
            return Err(RpcError::new(
                RpcCode::InternalError,
                RpcReason::Busy,
                "too many runs wait already",
                "nothing ran; try again in some seconds",
            ));
        }
        waiting.insert(owner.clone(), own + 1);
        Ok(Waiting { waiting: &self.waiting, owner: owner.clone() })
    }
}

/// A run that waits; it does not any more when this is dropped.
struct Waiting<'a, K: Eq + Hash> {
    waiting: &'a Mutex<HashMap<K, usize>>,
    owner: K,
}

impl<K: Eq + Hash> Drop for Waiting<'_, K> {
    fn drop(&mut self) {
        let mut waiting = lock(self.waiting);
        if let Some(own) = waiting.get_mut(&self.owner) {
            *own -= 1;
            if *own == 0 {
                waiting.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn runs_wait_in_their_order_and_give_up_when_they_are_dropped() {
        let slots = RunSlots::new(1);
        let mut first = pin!(slots.acquire(&"a"));
        let Poll::Ready(Ok(first)) = poll(first.as_mut()) else { panic!("a slot is free") };
        let mut second = Box::pin(slots.acquire(&"a"));
        let mut third = Box::pin(slots.acquire(&"b"));
        assert!(poll(second.as_mut()).is_pending() && poll(third.as_mut()).is_pending());
        drop(first);
        assert!(poll(third.as_mut()).is_pending());
        drop(second);
        assert!(poll(third.as_mut()).is_ready());
        drop(third);
        assert!(lock(&slots.waiting).is_empty());
    }

    #[test]
    fn one_owner_leaves_room_for_the_others() {
        let slots = RunSlots::new(1);
        let mut held = Vec::new();
        for _ in 0..=WAITING_OF_OWNER_MAX {
            held.push(Box::pin(slots.acquire(&"a")));
        }
        let Poll::Ready(Ok(_running)) = poll(held.remove(0).as_mut()) else {
            panic!("a slot is free")
        };
        assert!(held.iter_mut().all(|it| poll(it.as_mut()).is_pending()));
        let mut more = Box::pin(slots.acquire(&"a"));
        let Poll::Ready(Err(error)) = poll(more.as_mut()) else { panic!("refused") };
        assert_eq!(error.reason(), Some(RpcReason::Busy));
        let mut others: Vec<_> =
            (0..WAITING_OF_OWNER_MAX).map(|_| Box::pin(slots.acquire(&"b"))).collect();
        assert!(others.iter_mut().all(|it| poll(it.as_mut()).is_pending()));
        let mut last = Box::pin(slots.acquire(&"c"));
        assert!(matches!(poll(last.as_mut()), Poll::Ready(Err(_))));
        assert!(!lock(&slots.waiting).contains_key("c"));
    }
}
