//! Turns of those that share something: round robin over those that wait, which remembers the latest turns.

use std::collections::HashMap;
use std::hash::Hash;

/// The turns of those that share something (start-time fair queueing, of which each turn costs the same).
///
/// A key that has had a turn is one ahead of those that wait. A new key begins with the present turn, so
/// that no turns are saved up; and one that leaves and comes back soon is as far ahead as before.
#[derive(Debug)]
pub(super) struct Turns<K> {
    now: u64,
    ahead: HashMap<K, u64>,
}

impl<K> Default for Turns<K> {
    fn default() -> Self {
        Self { now: 0, ahead: HashMap::new() }
    }
}

impl<K: Clone + Eq + Hash> Turns<K> {
    /// Returns the next turn of one of them: the lowest of all is first.
    pub(super) fn next(&self, key: &K) -> u64 {
        self.ahead.get(key).copied().unwrap_or(self.now)
    }

    /// Records that one of them has its next turn.
    pub(super) fn take(&mut self, key: &K) {
        self.now = self.next(key).max(self.now);
        self.ahead.insert(key.clone(), self.now + 1);
        self.ahead.retain(|_, next| *next > self.now);
    }

    /// Returns `true` if one of them has had a turn that others have not had yet.
    pub(super) fn is_ahead(&self, key: &K) -> bool {
        self.ahead.contains_key(key)
    }
}
