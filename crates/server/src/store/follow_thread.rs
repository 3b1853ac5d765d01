//! The thread that notices what other processes change, whatever the engine. It runs while there is a
//! subscriber.

use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::changes::Changes;
use super::error::StoreResult;
use super::versions::Change;
use crate::mutex::lock;
use dibber_text::isolation::isolated;

/// The most changes that are read at once.
const CHANGES_MAX: usize = 1000;

/// How an engine notices what other processes change.
pub(super) trait Follow {
    /// Waits for a change, until `stop` or for a fraction of a second; returns `true` if there may
    /// have been one.
    fn wait(&mut self, stop: &Stop) -> StoreResult<bool>;

    /// Returns the changes after a version.
    fn changes_after(&mut self, version: i64, limit: usize) -> StoreResult<Vec<Change>>;
}

/// Creates what the thread follows with, on the thread.
pub(super) type CreateFollow = Box<dyn Fn() -> Box<dyn Follow> + Send + Sync>;

/// The thread.
pub(super) struct FollowThread(Arc<Shared>);

struct Shared {
    changes: Arc<Changes>,
    create: CreateFollow,
    state: Mutex<State>,
    stop: Stop,
}

#[derive(Default)]
struct State {
    is_running: bool,
    thread: Option<JoinHandle<()>>,
    /// The version up to which the changes are published.
    after: i64,
}

/// Whether the store is closed.
#[derive(Default)]
pub(super) struct Stop {
    is_closed: Mutex<bool>,
    wake: Condvar,
}

impl Stop {
    /// Waits for so long, or until the store is closed; returns `true` if it is.
    pub(super) fn wait(&self, time: Duration) -> bool {
        let is_closed = lock(&self.is_closed);
        let waited = self.wake.wait_timeout_while(is_closed, time, |is_closed| !*is_closed);
        waited.map_or(true, |(is_closed, _)| *is_closed)
    }

    fn is_set(&self) -> bool {
        *lock(&self.is_closed)
    }

    fn set(&self) {
        *lock(&self.is_closed) = true;
        self.wake.notify_all();
    }
}

impl FollowThread {
    /// Returns a thread that does not run yet.
    pub(super) fn new(changes: Arc<Changes>, create: CreateFollow) -> Self {
        let (state, stop) = (Mutex::default(), Stop::default());
        Self(Arc::new(Shared { changes, create, state, stop }))
    }

    /// Publishes the changes after a version, and those to come, as long as there is a subscriber.
    pub(super) fn follow(&self, after: i64) {
        let mut state = lock(&self.0.state);
        if state.is_running {
            // What is published again has no effect.
            state.after = state.after.min(after);
            return;
        }
        if self.0.stop.is_set() {
            return;
        }
        let shared = Arc::clone(&self.0);
        let thread = thread::Builder::new().name("store-follow".to_owned());
        match thread.spawn(move || shared.run()) {
            Ok(thread) => {
                *state = State { is_running: true, thread: Some(thread), after };
            }
            Err(error) => tracing::error!(%error, "changes of other servers are not noticed"),
        }
    }

    /// Waits until the thread has ended.
    pub(super) fn close(&self) {
        self.0.stop.set();
        let thread = lock(&self.0.state).thread.take();
        if let Some(thread) = thread.filter(|other| other.thread().id() != thread::current().id()) {
            drop(thread.join());
        }
    }
}

impl Shared {
    fn run(&self) {
        let mut follow = (self.create)();
        let mut may_have_changed = true;
        loop {
            let step = isolated(|| self.step(follow.as_mut(), may_have_changed));
            may_have_changed = match step {
                Ok(Ok(may_have_changed)) => may_have_changed,
                Ok(Err(error)) => self.pause(&error.to_string()),
                Err(panic) => self.pause(&panic.to_string()),
            };
            let mut state = lock(&self.state);
            if self.stop.is_set() || !self.changes.has_subscribers() {
                state.is_running = false;
                return;
            }
        }
    }

    /// Publishes what has changed, and waits for more.
    fn step(&self, follow: &mut dyn Follow, may_have_changed: bool) -> StoreResult<bool> {
        let mut may_have_more = may_have_changed;
        while may_have_more {
            let after = lock(&self.state).after;
            let found = follow.changes_after(after, CHANGES_MAX)?;
            self.changes.publish(&found);
            let mut state = lock(&self.state);
            // A new subscriber may have asked for earlier ones meanwhile.
            if let Some(last) = found.last().filter(|_| state.after == after) {
                state.after = last.version;
            }
            may_have_more = found.len() == CHANGES_MAX || state.after < after;
        }
        follow.wait(&self.stop)
    }

    /// Waits before the next attempt; what has changed meanwhile is found then.
    fn pause(&self, cause: &str) -> bool {
        const PAUSE: Duration = Duration::from_secs(1);
        tracing::warn!(%cause, "changes of other servers cannot be read; trying again");
        self.stop.wait(PAUSE);
        true
    }
}
