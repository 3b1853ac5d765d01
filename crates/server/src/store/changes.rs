//! Who waits for changes, and is woken when one was committed.
//!
//! A subscriber does not get a queue of changes: it has a list of resources that have changed since
//! it was last asked, each of them once. So one that is slow needs no more memory than one that is
//! fast, and misses nothing that it could still read.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::Notify;

use super::families::FamilyId;
use super::resource::Resource;
use super::versions::Change;
use crate::mutex::lock;

/// The most resources that all subscribers of a family watch together.
pub const FAMILY_WATCHED_MAX: usize = 4096;

/// The subscribers of a store.
#[derive(Debug, Default)]
pub struct Changes {
    families: Mutex<HashMap<FamilyId, Vec<Weak<Watched>>>>,
}

/// What a subscriber watches.
#[derive(Debug, Default)]
struct Watched {
    state: Mutex<State>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// The resources, each with the version up to which its changes are known.
    known: BTreeMap<Resource, i64>,
    /// Those that have changed since, in the order of their changes.
    changed: VecDeque<Resource>,
}

/// A subscriber, which is forgotten when this is dropped.
#[derive(Debug)]
pub struct Subscriber {
    changes: Arc<Changes>,
    family: FamilyId,
    watched: Arc<Watched>,
}

/// The subscribers of a family watch as many resources as they may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyWatched;

impl Changes {
    /// Adds a subscriber of a family, which watches nothing yet.
    pub fn subscribe(self: &Arc<Self>, family: &FamilyId) -> Subscriber {
        let watched = Arc::default();
        let mut families = lock(&self.families);
        families.entry(family.clone()).or_default().push(Arc::downgrade(&watched));
        Subscriber { changes: Arc::clone(self), family: family.clone(), watched }
    }

    /// Returns `true` if there is a subscriber.
    pub(super) fn has_subscribers(&self) -> bool {
        !lock(&self.families).is_empty()
    }

    /// Wakes those who watch what has changed. A change that is published again has no effect.
    pub(super) fn publish(&self, changes: &[Change]) {
        if changes.is_empty() {
            return;
        }
        let families = lock(&self.families);
        for change in changes {
            for watched in families.get(&change.family).into_iter().flatten() {
                if let Some(watched) = watched.upgrade() {
                    watched.record(&change.resource, change.version);
                }
            }
        }
    }

    /// Returns the number of resources that the subscribers of a family watch.
    fn watched_count(&self, family: &FamilyId) -> usize {
        let families = lock(&self.families);
        let subscribers = families.get(family).into_iter().flatten();
        subscribers.filter_map(Weak::upgrade).map(|it| lock(&it.state).known.len()).sum()
    }
}

impl Watched {
    fn record(&self, resource: &Resource, version: i64) {
        let mut state = lock(&self.state);
        let State { known, changed } = &mut *state;
        let Some(known) = known.get_mut(resource).filter(|known| **known < version) else { return };
        *known = version;
        if !changed.contains(resource) {
            changed.push_back(resource.clone());
        }
        self.wake.notify_one();
    }
}

impl Subscriber {
    /// Watches further resources. What changes them from now on is reported; the caller then reads
    /// their versions, and passes them to [`set_known`](Self::set_known).
    ///
    /// # Errors
    /// If the subscribers of the family would watch too many.
    pub fn watch(&self, resources: &[Resource]) -> Result<(), TooManyWatched> {
        if self.changes.watched_count(&self.family) + resources.len() > FAMILY_WATCHED_MAX {
            return Err(TooManyWatched);
        }
        let mut state = lock(&self.watched.state);
        for resource in resources {
            state.known.entry(resource.clone()).or_default();
        }
        Ok(())
    }

    /// Stops watching a resource; returns `true` if it was watched.
    pub fn unwatch(&self, resource: &Resource) -> bool {
        let mut state = lock(&self.watched.state);
        state.changed.retain(|changed| changed != resource);
        state.known.remove(resource).is_some()
    }

    /// Returns the resources that are watched.
    pub fn resources(&self) -> Vec<Resource> {
        lock(&self.watched.state).known.keys().cloned().collect()
    }

    /// Records up to which version the changes of a resource are known; they are not reported.
    pub fn set_known(&self, resource: &Resource, version: i64) {
        let mut state = lock(&self.watched.state);
        let State { known, changed } = &mut *state;
        if let Some(known) = known.get_mut(resource)
            && *known <= version
        {
            *known = version;
            changed.retain(|changed| changed != resource);
        }
    }

    /// Reports watched resources as if they had changed.
    pub fn report(&self, is_meant: impl Fn(&Resource) -> bool) {
        let mut state = lock(&self.watched.state);
        let State { known, changed } = &mut *state;
        for resource in known.keys().filter(|resource| is_meant(resource)) {
            if !changed.contains(resource) {
                changed.push_back(resource.clone());
            }
        }
        self.watched.wake.notify_one();
    }

    /// Waits until a watched resource has changed, and returns it. A future that is dropped before it
    /// is ready takes nothing away.
    pub async fn next(&self) -> Resource {
        loop {
            let changed = lock(&self.watched.state).changed.pop_front();
            if let Some(changed) = changed {
                return changed;
            }
            self.watched.wake.notified().await;
        }
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        let mut families = lock(&self.changes.families);
        if let Some(subscribers) = families.get_mut(&self.family) {
            let own = Arc::as_ptr(&self.watched);
            subscribers.retain(|other| !std::ptr::eq(other.as_ptr(), own));
            if subscribers.is_empty() {
                families.remove(&self.family);
            }
        }
    }
}
