//! Folders that are recorded as the same skill, such as a copy of one that was linked or pulled: a
//! push of one would overwrite what was published from the other.

use std::collections::BTreeMap;
use std::time::SystemTime;

use super::plan::PushItem;
use crate::cli::term::ui::Ui;
use dibber_text::{Message, message, quote_in_full};

/// Warns of every skill that several folders are recorded as.
pub(super) fn warn(items: &[PushItem], ui: &mut Ui) {
    let mut folders: BTreeMap<&str, Vec<&PushItem>> = BTreeMap::new();
    for item in items {
        if let Some(published) = item.record.published() {
            folders.entry(published.skill_id.as_str()).or_default().push(item);
        }
    }
    for (skill_id, items) in folders.iter().filter(|(_, items)| items.len() > 1) {
        let copy = items.iter().max_by_key(|item| newness(item));
        let copy = copy.map_or("", |item| &item.review.path);
        let paths = items.iter().map(|item| message![quote_in_full(&item.review.path)]);
        ui.warning(message![
            Message::join(paths, " and "),
            " are the same skill, ",
            quote_in_full(skill_id),
            ": each push overwrites the others; to publish one as another skill, run `dibber skill \
             unlink ",
            quote_in_full(copy),
            "` first"
        ]);
    }
}

/// Returns what is the greatest for the folder that is most likely the copy: it has no recorded
/// heartbeats, and was made last.
fn newness<'a>(item: &'a PushItem) -> (bool, Option<SystemTime>, &'a str) {
    let known = item.record.published();
    let has_heartbeats = known.is_some_and(|published| !published.heartbeats.is_empty());
    let directory = item.draft.as_ref().map(|draft| draft.key.skill_directory());
    let created = directory.and_then(|directory| directory.metadata().ok()?.created().ok());
    (!has_heartbeats, created, &item.review.path)
}
