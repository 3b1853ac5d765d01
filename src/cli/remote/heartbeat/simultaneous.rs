//! Heartbeats that another machine may have made at the same moment as this one.

use super::plan::HeartbeatItem;
use crate::cli::error::CommandError;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{CurrentHeartbeats, HeartbeatOutcome, HeartbeatStep, LockFiles};
use dibber_text::{message, quote, quote_in_full};

/// Warns of every heartbeat that may be the same as one that was made, and has appeared since the
/// plan.
pub(in crate::cli::remote) fn warn<'a>(
    done: impl IntoIterator<Item = (&'a HeartbeatItem, &'a Result<HeartbeatOutcome, CommandError>)>,
    current: &CurrentHeartbeats<'_>,
    (session, locks): (&Session, &LockFiles),
    ui: &mut Ui,
) {
    let created = done.into_iter().filter_map(|(item, outcome)| match (item.step(), outcome) {
        (HeartbeatStep::Create(creation), Ok(HeartbeatOutcome::Created(id))) => {
            Some((item.name(), (creation, id)))
        }
        _ => None,
    });
    let (names, created): (Vec<_>, Vec<_>) = created.unzip();
    let options = quote_in_full(&session.server.typed_options);
    for (id, other) in session.block_on(current.simultaneous(&created, locks)) {
        let name = created.iter().position(|(_, other)| *other == id).map_or("", |at| names[at]);
        let (id, other) = (quote_in_full(id.as_str()), quote_in_full(other.as_str()));
        ui.warning(message![
            "`",
            quote(name),
            "` was made (",
            id,
            "), and ",
            other,
            ", which may be the same, has appeared on ",
            quote_in_full(session.server.name()),
            "; `dibber heartbeat list",
            options,
            "` shows both; if they are the same, `dibber heartbeat cancel ",
            other,
            options,
            "` ends the other"
        ]);
    }
}
