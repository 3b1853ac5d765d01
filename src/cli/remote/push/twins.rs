//! Folders that are recorded as the same skill, such as a copy of one that was linked or pulled: a
//! push of one would overwrite what was published from the other.

use std::collections::BTreeMap;

use super::plan::PushItem;
use crate::cli::term::ui::Ui;
use dibber_text::{Message, message, quote_in_full};

/// Warns of every skill that several folders are recorded as.
pub(super) fn warn(items: &[PushItem], ui: &mut Ui) {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for item in items {
        if let Some(published) = item.record.published() {
            folders.entry(published.skill_id.as_str()).or_default().push(&item.review.path);
        }
    }
    for (skill_id, paths) in folders.iter().filter(|(_, paths)| paths.len() > 1) {
        let last = quote_in_full(paths[paths.len() - 1]);
        let paths = Message::join(paths.iter().map(|path| message![quote_in_full(path)]), " and ");
        ui.warning(message![
            paths,
            " are the same skill, ",
            quote_in_full(skill_id),
            ": each push overwrites the others; to publish one as another skill, run `dibber skill \
             unlink ",
            last,
            "` first"
        ]);
    }
}
