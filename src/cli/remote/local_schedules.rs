//! What the server in this program does with schedules.

use super::server_options::SelectedServer;
use dibber_client::ServerTarget;

/// What people read about schedules of the server in this program, which runs only when it is started.
const NEEDS_SERVER: &str = "\
Note: dibber's own server (`local`) starts schedules while `dibber serve --run PROGRAM` runs; otherwise an agent has to ask for them.";

/// Returns what people have to know about the schedules of a server.
pub(super) const fn note(server: &SelectedServer) -> Option<&'static str> {
    match server.selection.target {
        ServerTarget::Local { .. } => Some(NEEDS_SERVER),
        ServerTarget::Url { .. } | ServerTarget::Program { .. } => None,
    }
}
