//! The children of the families of the server in this program, whose names no output may show.

use super::family::open_server::OpenServer;
use super::session::open_server;
use super::{push, server_options};
use crate::cli::term::ui::Ui;
use dibber_client::ServerTarget;
use dibber_server::store::database_path;
use dibber_skill::names::Name;
use std::path::Path;

/// Adds the names of the children of the server that is selected in the current directory. What is
/// wrong with the configuration is reported by the commands that need a server.
pub(super) fn add_of_selected(ui: &mut Ui) {
    let selected = push::arguments_of(Path::new(".")).and_then(|it| server_options::select(&it));
    if let Ok(server) = selected {
        add_to(ui, &server.selection.target);
    }
}

/// Adds the names of the children to those that are masked, if the server is the one in this program
/// and has a database. What is damaged there is reported by the commands that need it.
pub(super) fn add_to(ui: &mut Ui, target: &ServerTarget) {
    let ServerTarget::Local { data } = target else { return };
    if !database_path(data).is_file() {
        return;
    }
    let Ok(open) = open_server(data).map(OpenServer) else { return };
    let families = open.families().unwrap_or_default();
    let households = families.iter().filter_map(|family| open.0.household(&family.id).ok());
    let names: Vec<Name> = households.flat_map(|household| household.child_names).collect();
    ui.add_children(&names);
}
