//! Waiting for changes in a terminal: what interrupts it is shown once.

use std::time::Instant;

use super::session::Session;
use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_client::{ResourceChange, WatchEvent, Watcher};
use dibber_text::{message, quote_display};

/// What is shown before changes that have a gap.
const MISSED: &str =
    "some changes were missed: the server does not have them any more, or they cannot be read";

/// Waits for the next changes, and warns if others were missed before them; none if there are none until
/// `end`.
pub(super) fn next_changes(
    watcher: &mut Watcher<'_>,
    end: Option<Instant>,
    session: &Session,
    ui: &mut Ui,
) -> Result<Option<Vec<ResourceChange>>, CommandError> {
    loop {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        match session.wait(watcher.next(left))? {
            None => return Ok(None),
            Some(WatchEvent::Changes(changes)) => {
                if changes.iter().any(|change| change.has_gap) {
                    ui.warning(MISSED);
                }
                return Ok(Some(changes));
            }
            Some(WatchEvent::Interrupted(reason)) => {
                ui.eprintln(message![quote_display(reason), "; trying again"]);
            }
            Some(WatchEvent::Resumed) => ui.eprintln("the server answers again"),
        }
    }
}
