//! What the server in this program does with schedules.

use super::server_options::SelectedServer;
use dibber_client::ServerTarget;

/// What people read about schedules that only the server in this program has.
const STORED_ONLY: &str = "\
Note: dibber's own server (`local`) starts no schedules; a Sprout server does.";

/// Returns what people have to know about the schedules of a server.
pub(super) const fn note(server: &SelectedServer) -> Option<&'static str> {
    match server.selection.target {
        ServerTarget::Local { .. } => Some(STORED_ONLY),
        ServerTarget::Url { .. } | ServerTarget::Program { .. } => None,
    }
}
