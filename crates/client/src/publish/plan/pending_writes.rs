//! What interrupted writes may still do to a skill that is as it is to be.

use super::skill_step::PendingWrites;
use crate::journal::{Unfinished, UnfinishedDetails};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::SKILL_WRITE;

/// Returns what the unfinished writes may still do to a skill with this content. What has created the
/// skill does not change it.
pub(super) fn pending(unfinished: &[Unfinished], content: &ContentHash) -> PendingWrites {
    let mut writes = unfinished.iter().filter_map(|it| it.details.as_ref());
    let leads_away = |write: &UnfinishedDetails| {
        let target = write.target.as_ref().filter(|_| write.tool != SKILL_WRITE);
        target.is_some_and(|target| target != content.as_str())
    };
    if writes.any(leads_away) {
        PendingWrites::MayChange
    } else if unfinished.is_empty() {
        PendingWrites::None
    } else {
        PendingWrites::Settled
    }
}
