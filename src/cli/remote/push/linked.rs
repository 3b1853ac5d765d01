//! Folders that are linked to skills of the server with the same content, because their record was
//! lost.

use super::arguments::PushMode;
use super::plan::PushItem;
use crate::cli::term::ui::Ui;
use dibber_text::{message, quote_in_full};

/// Says which folders were linked, or would be; the pages of a diff say it themselves.
pub(super) fn announce(items: &[PushItem], mode: PushMode, server: &str, ui: &mut Ui) {
    let link = match mode {
        PushMode::Push => "Linked ",
        PushMode::Preview => "Would link ",
        PushMode::Diff { .. } => return,
    };
    for (item, skill_id) in items.iter().filter_map(|item| Some((item, item.linked_skill()?))) {
        let (path, id) = (quote_in_full(&item.review.path), quote_in_full(skill_id.as_str()));
        let server = quote_in_full(server);
        ui.eprintln(message![link, path, " to ", id, " on ", server, ": they are the same."]);
    }
}
