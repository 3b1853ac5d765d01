//! Collects conflicts, and limits their number.

use super::candidate::Candidate;
use super::comparison::Search;
use super::conflict::{CONFLICTS_MAX, ConflictKind, Conflicts};
use crate::horizon::Horizon;

/// The conflicts found, by kind and then in order, at most [`CONFLICTS_MAX`] of each kind.
///
/// The first two fires are searched only for those that are listed, because a search may be long.
#[derive(Default)]
pub(super) struct ConflictList<'a> {
    of_kind: [Vec<((&'a Candidate<'a>, &'a Candidate<'a>), Search)>; ConflictKind::ALL.len()],
    count: usize,
}

impl<'a> ConflictList<'a> {
    pub(super) fn add(
        &mut self,
        pair: (&'a Candidate<'a>, &'a Candidate<'a>),
        kind: ConflictKind,
        search: Search,
    ) {
        let list = &mut self.of_kind[kind as usize];
        if list.len() < CONFLICTS_MAX {
            list.push((pair, search));
        }
        self.count += 1;
    }

    pub(super) fn into_conflicts(self, horizon: Horizon) -> Conflicts {
        let all = ConflictKind::ALL.into_iter().zip(self.of_kind);
        let all = all.flat_map(|(kind, list)| list.into_iter().map(move |found| (kind, found)));
        let found = all
            .take(CONFLICTS_MAX)
            .filter_map(|(kind, ((a, b), search))| a.conflict(b, kind, search, horizon));
        let left_out = self.count.saturating_sub(CONFLICTS_MAX);
        Conflicts { left_out, found: found.collect(), horizon }
    }
}
