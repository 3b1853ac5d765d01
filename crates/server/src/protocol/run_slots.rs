//! How many runs there are at once, and in which order those that wait have their turn.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::{Notify, oneshot};

use super::blobs::BlobOwner;
use super::turns::Turns;
use crate::mutex::lock;
use dibber_skill::contract::FamilyId;
use dibber_skill::contract::skills_protocol::{RpcCode, RpcError, RpcReason};

/// The most runs that wait.
const WAITING_RUNS_MAX: usize = 64;

/// The most runs that wait for one family: the rest is for the others.
const WAITING_OF_FAMILY_MAX: usize = WAITING_RUNS_MAX / 2;

/// The most runs that wait for one token: the rest is for the others of its family.
const WAITING_OF_TOKEN_MAX: usize = WAITING_OF_FAMILY_MAX / 2;

/// The slots of runs. The families that wait have them in turn, and the tokens of a family have its
/// turns in turn, however many runs each of them has sent; the runs of a token keep their order.
#[derive(Debug)]
pub(super) struct RunSlots(Arc<Shared>);

/// The slot of one run, which the next run has when this is dropped.
#[derive(Debug)]
pub(super) struct RunSlot(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    /// Notified when all slots are free.
    idle: Notify,
}

#[derive(Debug)]
struct Queue {
    free: usize,
    slots: usize,
    /// In the order in which they began to wait. There are few.
    waiting: Vec<WaitingRun>,
    last_ticket: u64,
    families: Turns<FamilyId>,
    tokens: HashMap<FamilyId, Turns<BlobOwner>>,
}

#[derive(Debug)]
struct WaitingRun {
    ticket: u64,
    owner: BlobOwner,
    slot: oneshot::Sender<RunSlot>,
}

impl RunSlots {
    /// Creates slots for so many runs at once; at least one.
    pub(super) fn new(slots: usize) -> Self {
        let slots = slots.max(1);
        let queue = Queue {
            free: slots,
            slots,
            waiting: Vec::new(),
            last_ticket: 0,
            families: Turns::default(),
            tokens: HashMap::new(),
        };
        Self(Arc::new(Shared { queue: Mutex::new(queue), idle: Notify::new() }))
    }

    /// Returns how many slots there are.
    pub(super) fn count(&self) -> usize {
        lock(&self.0.queue).slots
    }

    /// Waits until no run has a slot.
    pub(super) async fn wait_until_idle(&self) {
        while !lock(&self.0.queue).is_idle() {
            self.0.idle.notified().await;
        }
    }

    /// Waits for a slot. Waiting ends when the future is dropped.
    ///
    /// # Errors
    /// Too many runs wait already.
    pub(super) async fn acquire(&self, owner: &BlobOwner) -> Result<RunSlot, RpcError> {
        let (ticket, slot) = {
            let mut queue = lock(&self.0.queue);
            if queue.free > 0 {
                queue.free -= 1;
                queue.take_turn(owner);
                return Ok(RunSlot(Arc::clone(&self.0)));
            }
            queue.wait(owner)?
        };
        let _waiting = Waiting { queue: &self.0.queue, ticket };
        Ok(slot.await.unwrap_or_else(|_| unreachable!("what waits is removed with its slot")))
    }
}

impl Drop for RunSlot {
    fn drop(&mut self) {
        let (next, is_idle) = {
            let mut queue = lock(&self.0.queue);
            (queue.release(), queue.is_idle())
        };
        if let Some(next) = next {
            // If that run has just ceased to wait, the slot comes back at once, and goes to another one.
            drop(next.send(RunSlot(Arc::clone(&self.0))));
        }
        if is_idle {
            self.0.idle.notify_one();
        }
    }
}

/// A run that waits; it does not any more when this is dropped.
struct Waiting<'a> {
    queue: &'a Mutex<Queue>,
    ticket: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        lock(self.queue).waiting.retain(|run| run.ticket != self.ticket);
    }
}

impl Queue {
    fn wait(&mut self, owner: &BlobOwner) -> Result<(u64, oneshot::Receiver<RunSlot>), RpcError> {
        let count = |is: &dyn Fn(&BlobOwner) -> bool| {
            self.waiting.iter().filter(|run| is(&run.owner)).count()
        };
        if self.waiting.len() >= WAITING_RUNS_MAX
            || count(&|other| other.family() == owner.family()) >= WAITING_OF_FAMILY_MAX
            || count(&|other| other == owner) >= WAITING_OF_TOKEN_MAX
        {
            return Err(RpcError::new(
                RpcCode::InternalError,
                RpcReason::Busy,
                "too many runs wait already",
                "nothing ran; try again in some seconds",
            ));
        }
        let (sender, slot) = oneshot::channel();
        self.last_ticket += 1;
        let ticket = self.last_ticket;
        self.waiting.push(WaitingRun { ticket, owner: owner.clone(), slot: sender });
        Ok((ticket, slot))
    }

    /// Gives back a slot; returns the sender of the run that gets it next, if one waits.
    fn release(&mut self) -> Option<oneshot::Sender<RunSlot>> {
        if let Some(next) = self.next() {
            let run = self.waiting.remove(next);
            self.take_turn(&run.owner);
            return Some(run.slot);
        }
        self.free += 1;
        if self.is_idle() {
            self.families = Turns::default();
            self.tokens.clear();
        }
        None
    }

    /// Returns the index of the run that waits and has the next turn.
    fn next(&self) -> Option<usize> {
        let of_family = |run: &&WaitingRun| (self.families.next(run.owner.family()), run.ticket);
        let family = self.waiting.iter().min_by_key(of_family)?.owner.family();
        let tokens = self.tokens.get(family);
        let of_token =
            |run: &WaitingRun| (tokens.map_or(0, |tokens| tokens.next(&run.owner)), run.ticket);
        let runs = self.waiting.iter().enumerate().filter(|(_, run)| run.owner.family() == family);
        runs.min_by_key(|(_, run)| of_token(run)).map(|(at, _)| at)
    }

    fn is_idle(&self) -> bool {
        self.free == self.slots
    }

    fn take_turn(&mut self, owner: &BlobOwner) {
        let family = owner.family();
        self.families.take(family);
        self.tokens.entry(family.clone()).or_default().take(owner);
        let Self { waiting, families, tokens, .. } = self;
        tokens.retain(|family, _| {
            families.is_ahead(family) || waiting.iter().any(|run| run.owner.family() == family)
        });
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use dibber_skill::contract::UserId;

    use super::*;

    type Acquire<'a> = Pin<Box<dyn Future<Output = Result<RunSlot, RpcError>> + 'a>>;

    fn owner(family: &str, user: &str) -> BlobOwner {
        BlobOwner::user(FamilyId::from(family.to_owned()), &UserId::from(user.to_owned()))
    }

    fn poll(acquire: &mut Acquire<'_>) -> Poll<Result<RunSlot, RpcError>> {
        acquire.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }

    /// Runs that want a slot, by name. The name is a family, and after a dot a token.
    struct Runs<'a> {
        slots: &'a RunSlots,
        waiting: Vec<(&'a str, Acquire<'a>)>,
        running: Vec<(&'a str, RunSlot)>,
    }

    impl<'a> Runs<'a> {
        fn of(slots: &'a RunSlots) -> Self {
            Self { slots, waiting: Vec::new(), running: Vec::new() }
        }

        fn start(&mut self, names: &[&'a str]) {
            for name in names {
                let (family, user) = name.split_once('.').unwrap_or((name, "home"));
                let owner = owner(family, user);
                let slots = self.slots;
                self.waiting.push((name, Box::pin(async move { slots.acquire(&owner).await })));
                self.poll();
            }
        }

        fn poll(&mut self) {
            for (name, mut acquire) in std::mem::take(&mut self.waiting) {
                match poll(&mut acquire) {
                    Poll::Ready(slot) => self.running.push((name, slot.expect("a slot"))),
                    Poll::Pending => self.waiting.push((name, acquire)),
                }
            }
        }

        /// Ends the run that began first, and returns its name.
        fn end_first(&mut self) -> &'a str {
            let (name, slot) = self.running.remove(0);
            drop(slot);
            self.poll();
            name
        }

        fn end_all(&mut self) -> String {
            let mut ended = Vec::new();
            while !self.running.is_empty() {
                ended.push(self.end_first());
            }
            assert!(self.waiting.is_empty());
            ended.join(" ")
        }
    }

    #[test]
    fn runs_of_one_owner_keep_their_order_and_give_up_when_they_are_dropped() {
        let slots = RunSlots::new(1);
        let home = owner("a", "home");
        let mut acquire: Vec<Acquire<'_>> =
            (0..3).map(|_| Box::pin(slots.acquire(&home)) as Acquire<'_>).collect();
        let Poll::Ready(Ok(first)) = poll(&mut acquire[0]) else { panic!("a slot is free") };
        assert!(poll(&mut acquire[1]).is_pending() && poll(&mut acquire[2]).is_pending());
        drop(first);
        assert!(poll(&mut acquire[2]).is_pending());
        // It has its slot already, and goes without taking it.
        drop(acquire.remove(1));
        assert!(poll(&mut acquire[1]).is_ready());
        acquire.clear();
        let queue = lock(&slots.0.queue);
        assert!(queue.waiting.is_empty() && queue.tokens.is_empty() && queue.free == 1);
    }

    #[test]
    fn families_have_their_turn_one_after_another() {
        let slots = RunSlots::new(1);
        let mut runs = Runs::of(&slots);
        // The first one has had its turn when the others come.
        runs.start(&["a", "a", "a", "a", "b", "b", "c"]);
        assert_eq!(runs.end_all(), "a b c a b a a");
    }

    #[test]
    fn tokens_share_the_turns_of_their_family() {
        let slots = RunSlots::new(1);
        let mut runs = Runs::of(&slots);
        runs.start(&["a.1", "a.1", "a.1", "a.2", "a.3", "b", "b"]);
        assert_eq!(runs.end_all(), "a.1 b a.2 b a.3 a.1 a.1");
    }

    #[test]
    fn a_family_that_waits_has_the_next_slot_of_several() {
        let slots = RunSlots::new(2);
        let mut runs = Runs::of(&slots);
        runs.start(&["a", "a", "a", "a", "b", "b"]);
        assert_eq!(runs.end_all(), "a a b a b a");
    }

    /// Who comes back as soon as a run has ended does not keep those out that wait all the time.
    #[test]
    fn no_number_of_families_keeps_one_from_its_turn() {
        let slots = RunSlots::new(1);
        let mut runs = Runs::of(&slots);
        runs.start(&["a", "a", "a", "a", "a", "b", "c", "d"]);
        let mut ended = Vec::new();
        for _ in 0..12 {
            let name = runs.end_first();
            ended.push(name);
            if name != "a" {
                runs.start(&[name]);
            }
        }
        assert_eq!(ended.join(" "), "a b c d a b c d a b c d");
    }

    #[test]
    fn one_owner_leaves_room_for_the_others() {
        let slots = RunSlots::new(1);
        let running = owner("x", "home");
        let Poll::Ready(Ok(_running)) =
            poll(&mut (Box::pin(slots.acquire(&running)) as Acquire<'_>))
        else {
            panic!("a slot is free")
        };
        let owners = ["a.1", "a.2", "b.1", "b.2", "c.1"].map(|name| {
            let (family, user) = name.split_once('.').expect("a dot");
            owner(family, user)
        });
        let mut held: Vec<Acquire<'_>> = Vec::new();
        let refused = |owner: &BlobOwner| {
            let Poll::Ready(Err(error)) =
                poll(&mut (Box::pin(slots.acquire(owner)) as Acquire<'_>))
            else {
                panic!("refused")
            };
            assert_eq!(error.reason(), Some(RpcReason::Busy));
        };
        for owner in &owners[..4] {
            for _ in 0..WAITING_OF_TOKEN_MAX {
                let mut acquire: Acquire<'_> = Box::pin(slots.acquire(owner));
                assert!(poll(&mut acquire).is_pending());
                held.push(acquire);
            }
            refused(owner);
        }
        refused(&owner("a", "3"));
        refused(&owners[4]);
        assert_eq!(lock(&slots.0.queue).waiting.len(), WAITING_RUNS_MAX);
        held.clear();
        assert!(lock(&slots.0.queue).waiting.is_empty());
    }
}
