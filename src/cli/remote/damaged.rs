//! The warning about a list from which a server leaves items out.

use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_text::{message, quote_in_full};

/// Warns that the list is not complete.
pub(super) fn warn_of_damaged(damaged: u64, ui: &mut Ui) {
    if damaged == 0 {
        return;
    }
    let count = usize::try_from(damaged).unwrap_or(usize::MAX);
    let items = quantity(count, "item is", "items are");
    ui.warning(message![
        quote_in_full(&items),
        " damaged in the database of the server and left out; `dibber doctor` there lists what is \
         damaged"
    ]);
}
