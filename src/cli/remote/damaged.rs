//! The warnings about items that are missing from a list, or that it repeats.

use std::collections::BTreeSet;

use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::{Listed, UnreadableItem};
use dibber_text::{message, quote, quote_in_full};

/// What a list of a server that leaves something out is explained with.
pub(super) const LISTS_DAMAGE: &str =
    "if it is a server of dibber, `dibber doctor --database` on its computer lists what is damaged";
/// The most items of a list that are named because they cannot be read.
const UNREADABLE_SHOWN_MAX: usize = 20;

/// Warns of what is missing from a list of the server, and of what it repeats.
pub(super) fn warn_of_missing<T>(listed: &Listed<T>, ui: &mut Ui) {
    warn_of_unreadable(&listed.unreadable, ui);
    warn_of_repeated(&listed.repeated, ui);
    warn_of_damaged(listed.damaged, ui);
}

/// Names the items that the server lists and that cannot be read.
fn warn_of_unreadable(unreadable: &[UnreadableItem], ui: &mut Ui) {
    for item in unreadable.iter().take(UNREADABLE_SHOWN_MAX) {
        let name = match item.name() {
            Some(name) => message!["`", quote(name), "`"],
            None => "an item".into(),
        };
        let cause = quote(&item.cause);
        ui.warning(message!["cannot read ", name, " in the list of the server: ", cause]);
    }
    if let Some(more @ 1..) = unreadable.len().checked_sub(UNREADABLE_SHOWN_MAX) {
        let items = quantity(more, "item", "items");
        ui.warning(message![
            quote_in_full(&items),
            " more cannot be read in the list of the server"
        ]);
    }
}

/// Warns of items that the server lists more than once: each is taken once.
fn warn_of_repeated(ids: &BTreeSet<String>, ui: &mut Ui) {
    let Some(first) = ids.first() else { return };
    let first = message!["`", quote(first), "`"];
    let repeated = match ids.len() {
        1 => first,
        several => message![several, " items, such as ", first, ","],
    };
    ui.warning(message!["the server lists ", repeated, " more than once"]);
}

/// Warns that the list is not complete.
pub(super) fn warn_of_damaged(damaged: u64, ui: &mut Ui) {
    if damaged == 0 {
        return;
    }
    let count = usize::try_from(damaged).unwrap_or(usize::MAX);
    let items = quantity(count, "item is", "items are");
    ui.warning(message![
        quote_in_full(&items),
        " damaged in the database of the server and left out; ",
        LISTS_DAMAGE
    ]);
}
