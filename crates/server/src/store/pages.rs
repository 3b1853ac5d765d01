//! Everything of a family, read page by page.

use super::error::StoreResult;
use super::families::FamilyId;
use super::heartbeats::{Heartbeat, HeartbeatList};
use super::skills::{Skill, SkillList};
use super::transaction::Reader;
use dibber_skill::contract::Id;

/// The rows that are read at once.
const PAGE_ROWS: usize = 500;

/// Returns every heartbeat of a family that is not cancelled, in
/// [listing order](super#listing-order).
pub(crate) fn heartbeats<'a>(
    store: &'a (impl Reader + ?Sized),
    family: &'a FamilyId,
) -> impl Iterator<Item = StoreResult<Heartbeat>> + 'a {
    let page = |after| {
        store.heartbeats(family, &HeartbeatList { after, limit: PAGE_ROWS }).map(|page| page.rows)
    };
    items(page, |heartbeat| &heartbeat.id)
}

/// Returns every skill of a family, archived ones included, in
/// [listing order](super#listing-order).
pub(crate) fn skills<'a>(
    store: &'a (impl Reader + ?Sized),
    family: &'a FamilyId,
) -> impl Iterator<Item = StoreResult<Skill>> + 'a {
    let list = SkillList { limit: PAGE_ROWS, include_archived: true, ..SkillList::default() };
    let page = move |after| {
        store.skills(family, &SkillList { after, ..list.clone() }).map(|page| page.rows)
    };
    items(page, |skill| &skill.id)
}

/// Returns the items of all pages. `page` reads the one after the item with an id; the first error
/// is the last item.
fn items<T, K: Clone>(
    page: impl Fn(Option<Id<K>>) -> StoreResult<Vec<T>>,
    id: impl Fn(&T) -> &Id<K>,
) -> impl Iterator<Item = StoreResult<T>> {
    let mut rows = Vec::new().into_iter();
    let mut after = None;
    let mut has_ended = false;
    std::iter::from_fn(move || {
        if rows.len() == 0 && !has_ended {
            let read = match page(after.take()) {
                Ok(read) => read,
                Err(error) => {
                    has_ended = true;
                    return Some(Err(error));
                }
            };
            after = read.last().map(|row| id(row).clone());
            has_ended = after.is_none();
            rows = read.into_iter();
        }
        rows.next().map(Ok)
    })
}
