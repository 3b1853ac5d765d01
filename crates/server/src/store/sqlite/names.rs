//! The names of heartbeats and of children, for commands that start no server.

use std::path::Path;

use super::connection::open_to_check;
use super::error::OpenError;
use dibber_skill::names::Name;
use dibber_text::file::open_regular;

/// The newest names, each once. The number bounds the work, since a person waits.
const HEARTBEATS: &str = "SELECT name FROM heartbeats WHERE state <> 'cancelled' GROUP BY name \
                          ORDER BY max(seq) DESC LIMIT 1000";
const CHILDREN: &str = "SELECT name FROM children";

/// Returns the names of the heartbeats in a database that were not cancelled, without those that are
/// damaged. Nothing is created or changed.
///
/// # Errors
/// If it cannot be read as a database of this program.
pub(in crate::store) fn heartbeat_names(path: &Path) -> Result<Vec<String>, OpenError> {
    names(path, HEARTBEATS)
}

/// Returns the names of the children of all families in a database, without those that are damaged.
/// Nothing is created or changed.
///
/// # Errors
/// If it cannot be read as a database of this program.
pub(in crate::store) fn child_names(path: &Path) -> Result<Vec<Name>, OpenError> {
    let names = names(path, CHILDREN)?;
    Ok(names.iter().filter_map(|name| Name::parse(name).ok()).collect())
}

fn names(path: &Path, statement: &str) -> Result<Vec<String>, OpenError> {
    open_regular(path).map_err(|cause| OpenError::from_unreadable(path, cause))?;
    let connection = open_to_check(path)?;
    let names = || -> rusqlite::Result<Vec<String>> {
        let mut prepared = connection.prepare(statement)?;
        // A damaged name does not hide the others.
        let names =
            prepared.query_map([], |row| Ok(row.get_ref(0)?.as_str().ok().map(str::to_owned)))?;
        names.filter_map(Result::transpose).collect()
    };
    names().map_err(|cause| OpenError::from_sqlite(path, cause))
}
