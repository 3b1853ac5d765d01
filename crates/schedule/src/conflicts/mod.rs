//! Schedules that fire at the same time, or nearly so.
//!
//! Two schedules of one zone are compared on the calendar, which is exact: every common day is
//! found, also one that comes once in forty years. Encounters at clock changes, and schedules of
//! different zones, are searched fire by fire over a [`Horizon`].

mod candidate;
mod comparison;
mod conflict;
mod conflict_list;
mod first_encounter;
mod timeline;

use jiff::Timestamp;

use crate::fires::Schedule;
use crate::horizon::Horizon;
use candidate::candidates;
use conflict_list::ConflictList;

pub use conflict::{CONFLICTS_MAX, Conflict, ConflictKind, Conflicts, WITHIN_MINUTES_MAX};

/// Returns the conflicts of schedules after an instant.
///
/// Fires are near when they are at most `within` minutes apart; with 0 only those in the same
/// minute are. Values above [`WITHIN_MINUTES_MAX`] are lowered to it.
pub fn conflicts(schedules: &[Schedule], after: Timestamp, within: u32) -> Conflicts {
    let within = within.min(WITHIN_MINUTES_MAX);
    let horizon = Horizon::new(schedules, after);
    let candidates = candidates(schedules, horizon, within);
    let mut found = ConflictList::default();
    for (index, first) in candidates.iter().enumerate() {
        for second in &candidates[index + 1..] {
            let each = |kind, search| found.add((first, second), kind, search);
            if first.zone == second.zone {
                first.conflicts_in_zone(second, within, each);
            } else {
                first.conflicts_across_zones(second, within, each);
            }
        }
    }
    found.into_conflicts(horizon)
}
