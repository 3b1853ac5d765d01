//! Skills that a push has sent a second time, because nothing of the first call was found.

use super::plan::PushItem;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::CurrentSkills;
use dibber_text::{message, quote_in_full};

/// Warns of every skill that was sent a second time, with the command that shows whether the server has
/// it twice.
pub(super) fn warn(
    items: &[PushItem],
    current: &CurrentSkills<'_>,
    session: &Session,
    ui: &mut Ui,
) {
    let sent_again = current.sent_again();
    for item in items {
        let Some(draft) = &item.draft else { continue };
        if !sent_again.contains(&draft.key) {
            continue;
        }
        let options = || quote_in_full(&session.server.typed_options);
        ui.warning(message![
            quote_in_full(&item.review.path),
            " was sent for the second time: an earlier push had no answer, and the server listed \
             nothing of it; `dibber skill list",
            options(),
            "` shows whether there are two now, and `dibber skill archive ID",
            options(),
            "` archives one"
        ]);
    }
}
