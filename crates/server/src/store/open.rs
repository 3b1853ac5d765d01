//! Opening the store of a data directory. Only this file chooses an engine.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::check::DatabaseProblem;
use super::engine::Store;
use super::removal::{RemovalDecision, RemovedRow};
use super::sqlite::{self, DATABASE_FILE_NAME, OpenError, SqliteStore};
use dibber_skill::names::Name;

/// Opens the store in a data directory, which is created if it does not exist.
///
/// # Errors
/// The same as for [`SqliteStore::open`].
pub fn open(directory: &Path) -> Result<Arc<dyn Store>, OpenError> {
    Ok(Arc::new(SqliteStore::open(&database_path(directory))?))
}

/// Checks the store in a data directory, and returns what is wrong in it. Nothing is created or
/// changed.
///
/// # Errors
/// If it cannot be read as a store of this program.
pub fn check(directory: &Path) -> Result<Vec<DatabaseProblem>, OpenError> {
    sqlite::check(&database_path(directory))
}

/// Returns the names of the heartbeats in the store in a data directory. Nothing is created or changed.
///
/// # Errors
/// If it cannot be read as a store of this program.
pub fn heartbeat_names(directory: &Path) -> Result<Vec<String>, OpenError> {
    sqlite::heartbeat_names(&database_path(directory))
}

/// Returns the names of the children of all families in the store in a data directory. Nothing is
/// created or changed.
///
/// # Errors
/// If it cannot be read as a store of this program.
pub fn child_names(directory: &Path) -> Result<Vec<Name>, OpenError> {
    sqlite::child_names(&database_path(directory))
}

/// Removes the damaged skills and heartbeats with an id from the store in a data directory, and what
/// refers to them, if `decide` says so of their rows.
///
/// # Errors
/// If it cannot be read as a store of this program, or not be changed, or if `decide` fails.
pub fn remove_damaged(
    directory: &Path,
    id: &str,
    decide: &mut dyn FnMut(&[RemovedRow]) -> io::Result<RemovalDecision>,
) -> Result<(), OpenError> {
    sqlite::remove_damaged(&database_path(directory), id, decide)
}

/// Returns the path of the database in a data directory, to be shown.
pub fn database_path(directory: &Path) -> PathBuf {
    directory.join(DATABASE_FILE_NAME)
}
