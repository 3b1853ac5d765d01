//! Opening the store of a data directory. Only this file chooses an engine.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::engine::Store;
use super::sqlite::{DATABASE_FILE_NAME, OpenError, SqliteStore};

/// Opens the store in a data directory, which is created if it does not exist.
///
/// # Errors
/// The same as for [`SqliteStore::open`].
pub fn open(directory: &Path) -> Result<Arc<dyn Store>, OpenError> {
    Ok(Arc::new(SqliteStore::open(&database_path(directory))?))
}

/// Returns the path of the database in a data directory, to be shown.
pub fn database_path(directory: &Path) -> PathBuf {
    directory.join(DATABASE_FILE_NAME)
}
