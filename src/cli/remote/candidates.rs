//! The values of arguments that a shell is offered for commands that need a server. Nothing is
//! sent: they come from files of the user and the project, from this program, and from its database.

use std::borrow::Cow;

use super::database_address::database;
use super::server_options;
use crate::cli::completions::candidates::{Candidate, skill_directories};
use crate::cli::state_directory::data_directory;
use dibber_client::LOCAL_SERVER;
use dibber_client::publish::{Lock, LockKey, read_lock};
use dibber_lint::Privacy;
use dibber_server::store::{child_names, heartbeat_names};
use dibber_server::tool_arguments;
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_skill::names::Roster;
use dibber_text::Mask;

/// The source of what needs a server.
pub(in crate::cli) fn source(name: &str) -> Option<fn() -> Vec<Candidate>> {
    Some(match name {
        "SERVER" => servers,
        "TOOL" => || tool_arguments().map(|arguments| Candidate::new(arguments.tool)).collect(),
        "SKILL" => skills,
        "HEARTBEAT" => heartbeats,
        _ => return None,
    })
}

fn servers() -> Vec<Candidate> {
    let configured = server_options::configured().unwrap_or_default();
    let names = configured.into_iter().map(|server| Candidate::new(server.name));
    [Candidate::new(LOCAL_SERVER)].into_iter().chain(names).collect()
}

/// Returns the directories of skills: those below the current one, and those that were published.
fn skills() -> Vec<Candidate> {
    let mut paths = skill_directories();
    if let Some((lock, directory)) = lock() {
        let published = lock.entries().map(|(path, _)| directory.join(path));
        paths.extend(published.map(|path| shown_path(&from_current_directory(path))));
    }
    paths.sort();
    paths.dedup();
    paths.into_iter().map(Candidate::new).collect()
}

/// Returns the names of the heartbeats that were published, and of those in the database of the server
/// in this program, without those that contain the name of a child in it.
fn heartbeats() -> Vec<Candidate> {
    let mut names: Vec<String> = lock().map_or_else(Vec::new, |(lock, _)| {
        lock.entries().flat_map(|(_, published)| published.heartbeats.keys().cloned()).collect()
    });
    let selected = server_options::default_database();
    names.extend(selected.into_iter().filter_map(|it| heartbeat_names(&it).ok()).flatten());
    names.sort();
    names.dedup();
    let children = data_directory(None).and_then(|data| database(None, &data));
    let children = children.ok().and_then(|database| child_names(&database).ok());
    let roster = Roster::new(&children.unwrap_or_default());
    let privacy = Privacy { roster: &roster };
    names.retain(|name| matches!(privacy.mask(name), Cow::Borrowed(_)));
    names.into_iter().map(Candidate::new).collect()
}

/// Returns what was published from the project, with its directory.
fn lock() -> Option<(Lock, std::path::PathBuf)> {
    let key = LockKey::below_current_directory();
    let directory = key.lock_file().parent()?.to_owned();
    Some((read_lock(key.lock_file()).ok()?, directory))
}
