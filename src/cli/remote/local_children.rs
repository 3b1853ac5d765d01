//! The children of the families of the server in this program, for `new` and `edit`. Their names are
//! masked in the output of both, and of every command that opens a session of this server.

use std::path::Path;

use super::database_address::is_new;
use super::session::open_server;
use super::{family::open_server::OpenServer, push, server_options};
use crate::cli::term::ui::Ui;
use dibber_client::ServerTarget;

/// Adds the names of the children to those that are masked and found in what is typed, if the server
/// that is selected in the current directory is the one in this program and has a database. What is
/// wrong with the configuration is reported by the commands that need a server.
pub(super) fn add_children_of_selected(ui: &mut Ui) {
    let selected = push::arguments_of(Path::new(".")).and_then(|it| server_options::select(&it));
    let Ok(selected) = selected else { return };
    let ServerTarget::Local { .. } = &selected.selection.target else { return };
    if is_new(&selected.database) {
        return;
    }
    if let Ok(open) = open_server(&selected.database).map(OpenServer) {
        ui.add_children(&open.0.child_names().unwrap_or_default());
    }
}
