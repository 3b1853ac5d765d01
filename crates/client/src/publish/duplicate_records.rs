//! Heartbeats that are recorded under several names: a merge of two lock files by git can leave one
//! under its old name and under its new one.

use std::collections::BTreeSet;

use super::published::{Published, PublishedHeartbeat};

/// A heartbeat that is recorded under two names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateRecord {
    /// The name that is forgotten.
    pub forgotten: String,
    /// The name that remains.
    pub remaining: String,
}

impl Published {
    /// Returns the records of its heartbeats, one of each.
    pub(super) fn distinct_heartbeats(&self) -> impl Iterator<Item = &PublishedHeartbeat> {
        let mut seen = BTreeSet::new();
        self.heartbeats.values().filter(move |known| seen.insert(&known.heartbeat_id))
    }

    /// Returns the heartbeats that are recorded under more than one name. The first name that
    /// `is_in_use` returns `true` for remains, or else the first one.
    pub fn duplicate_heartbeats(&self, is_in_use: impl Fn(&str) -> bool) -> Vec<DuplicateRecord> {
        let records: Vec<_> = self.heartbeats.iter().collect();
        duplicates(&records, is_in_use)
    }
}

/// Removes all but one of the records of each heartbeat.
pub(super) fn forget_duplicates(
    records: &mut Vec<(String, PublishedHeartbeat)>,
    is_in_use: impl Fn(&str) -> bool,
) {
    let pairs: Vec<_> = records.iter().map(|(name, known)| (name, known)).collect();
    let duplicates = duplicates(&pairs, is_in_use);
    records.retain(|(name, _)| duplicates.iter().all(|it| it.forgotten != *name));
}

fn duplicates(
    records: &[(&String, &PublishedHeartbeat)],
    is_in_use: impl Fn(&str) -> bool,
) -> Vec<DuplicateRecord> {
    let remaining = |known: &PublishedHeartbeat| {
        let same = || records.iter().filter(|(_, it)| it.heartbeat_id == known.heartbeat_id);
        same().find(|(name, _)| is_in_use(name)).or_else(|| same().next()).map(|(name, _)| *name)
    };
    let duplicates = records.iter().filter_map(|(name, known)| {
        let remaining = remaining(known).filter(|remaining| remaining != name)?;
        Some(DuplicateRecord { forgotten: (*name).clone(), remaining: remaining.clone() })
    });
    duplicates.collect()
}
