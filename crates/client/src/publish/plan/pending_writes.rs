//! What interrupted writes may still do to a skill that is as it is to be.

use jiff::Timestamp;

use super::skill_step::PendingWrites;
use crate::journal::{Unfinished, UnfinishedDetails};
use crate::late_effect::seconds_in_flight;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::SKILL_WRITE;

/// Returns what the unfinished writes may still do to a skill with this content. What has created the
/// skill does not change it, and what was sent long ago has taken effect, or never will.
pub(super) fn pending(
    unfinished: &[Unfinished],
    content: &ContentHash,
    now: Timestamp,
) -> PendingWrites {
    let mut writes = unfinished.iter().filter_map(|it| it.details.as_ref());
    let leads_away = |write: &UnfinishedDetails| {
        let target = write.target.as_ref().filter(|_| write.tool != SKILL_WRITE);
        // Earlier versions do not record when an update is sent.
        let age = now.duration_since(write.sent.max(write.begun));
        target.is_some_and(|target| target != content.as_str()) && seconds_in_flight(age).is_some()
    };
    if writes.any(leads_away) {
        PendingWrites::MayChange
    } else if unfinished.is_empty() {
        PendingWrites::None
    } else {
        PendingWrites::Settled
    }
}
