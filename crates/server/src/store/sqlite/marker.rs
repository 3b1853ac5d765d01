//! The file beside a database that records that it was created.
//!
//! SQLite takes an empty file for a new database. Without the marker, a database that a backup, a
//! repair of the disk or an accident has emptied would be replaced by an empty one, and everything
//! that the family had would seem never to have been there.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::error::OpenError;
use dibber_text::private::open_private;

/// What follows the name of the database in the name of the marker.
const SUFFIX: &str = "-created";

/// What the marker contains, for the person who finds it.
const CONTENT: &str = "\
dibber has created the database beside this file. If the database is missing or empty, it is not
created again, so that the loss is noticed: restore it, or delete this file to begin with an empty
one.
";

/// The marker of a database.
pub(super) struct Marker {
    path: PathBuf,
    /// Whether it existed when [`Marker::find`] looked.
    existed: bool,
}

impl Marker {
    /// Returns the marker of a database. It has to be looked for before the database is: of two
    /// processes that create one at once, the second would otherwise see an empty database and then
    /// the marker of the first.
    pub(super) fn find(database: &Path) -> Self {
        let mut path = database.as_os_str().to_owned();
        path.push(SUFFIX);
        let path = PathBuf::from(path);
        Self { existed: path.exists(), path }
    }

    /// Returns an error if the database was created before, and `is_empty` now.
    pub(super) fn check(&self, database: &Path, is_empty: bool) -> Result<(), OpenError> {
        if !(self.existed && is_empty) {
            return Ok(());
        }
        Err(OpenError::Lost { path: database.to_owned(), marker: self.path.clone() })
    }

    /// Creates the marker. The database has to be durable before.
    pub(super) fn create(&self) -> Result<(), OpenError> {
        if self.existed {
            return Ok(());
        }
        let created =
            open_private(&self.path).and_then(|mut file| file.write_all(CONTENT.as_bytes()));
        created.map_err(|cause| OpenError::from_io(&self.path, cause))
    }
}
