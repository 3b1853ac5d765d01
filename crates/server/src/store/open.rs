//! Opening the store at an address. Only this file chooses an engine.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::address::DatabaseAddress;
use super::check::DatabaseProblem;
use super::engine::Store;
#[cfg(feature = "postgres")]
use super::postgres::{self, PostgresStore};
use super::removal::{RemovalDecision, RemovedRow};
use super::sqlite::{self, SqliteStore, database_path};
use dibber_skill::names::Name;

/// Why the store at an address cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// It is a SQLite database.
    Sqlite(sqlite::OpenError),
    /// It is a PostgreSQL database.
    #[cfg(feature = "postgres")]
    Postgres(postgres::OpenError),
}

/// Opens the store at an address. What is missing is created.
///
/// # Errors
/// The same as for [`SqliteStore::open`] and `PostgresStore::open`.
pub fn open(address: &DatabaseAddress) -> Result<Arc<dyn Store>, OpenError> {
    Ok(match address {
        DatabaseAddress::Directory(directory) => {
            Arc::new(SqliteStore::open(&database_path(directory))?)
        }
        #[cfg(feature = "postgres")]
        DatabaseAddress::Postgres(address) => Arc::new(PostgresStore::open(address)?),
    })
}

/// Opens the store at an address, if there is one. Nothing is created, but the tables of an earlier
/// version are migrated.
///
/// # Errors
/// The same as for [`open`], and if there is none.
pub fn open_existing(address: &DatabaseAddress) -> Result<Arc<dyn Store>, OpenError> {
    match address {
        DatabaseAddress::Directory(directory) => {
            let path = database_path(directory);
            if !path.exists() {
                return Err(sqlite::OpenError::Missing { path }.into());
            }
        }
        #[cfg(feature = "postgres")]
        DatabaseAddress::Postgres(address) => postgres::check_exists(address)?,
    }
    open(address)
}

/// Checks the store at an address, and returns what is wrong in it. Nothing is created or changed.
///
/// # Errors
/// If it cannot be read as a store of this program.
pub fn check(address: &DatabaseAddress) -> Result<Vec<DatabaseProblem>, OpenError> {
    Ok(match address {
        DatabaseAddress::Directory(directory) => sqlite::check(&database_path(directory))?,
        #[cfg(feature = "postgres")]
        DatabaseAddress::Postgres(address) => postgres::check(address)?,
    })
}

/// Returns the names of the heartbeats in the store at an address. Nothing is created or changed.
///
/// # Errors
/// If it cannot be read as a store of this program.
pub fn heartbeat_names(address: &DatabaseAddress) -> Result<Vec<String>, OpenError> {
    Ok(match address {
        DatabaseAddress::Directory(directory) => {
            sqlite::heartbeat_names(&database_path(directory))?
        }
        #[cfg(feature = "postgres")]
        DatabaseAddress::Postgres(address) => postgres::heartbeat_names(address)?,
    })
}

/// Returns the names of the children of all families in the store at an address. Nothing is created
/// or changed.
///
/// # Errors
/// If it cannot be read as a store of this program.
pub fn child_names(address: &DatabaseAddress) -> Result<Vec<Name>, OpenError> {
    Ok(match address {
        DatabaseAddress::Directory(directory) => sqlite::child_names(&database_path(directory))?,
        #[cfg(feature = "postgres")]
        DatabaseAddress::Postgres(address) => postgres::child_names(address)?,
    })
}

/// Removes the damaged skills and heartbeats with an id from the SQLite database in a directory, and
/// what refers to them, if `decide` says so of their rows.
///
/// # Errors
/// If it cannot be read as a store of this program, or not be changed, or if `decide` fails.
pub fn remove_damaged(
    directory: &Path,
    id: &str,
    decide: &mut dyn FnMut(&[RemovedRow]) -> io::Result<RemovalDecision>,
) -> Result<(), OpenError> {
    Ok(sqlite::remove_damaged(&database_path(directory), id, decide)?)
}

impl OpenError {
    /// Returns `true` if there is no database.
    pub const fn is_missing(&self) -> bool {
        match self {
            Self::Sqlite(error) => matches!(error, sqlite::OpenError::Missing { .. }),
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => matches!(error, postgres::OpenError::Missing { .. }),
        }
    }

    /// Returns what to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Sqlite(error) => error.help(),
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => error.help(),
        }
    }
}

impl From<sqlite::OpenError> for OpenError {
    fn from(error: sqlite::OpenError) -> Self {
        Self::Sqlite(error)
    }
}

#[cfg(feature = "postgres")]
impl From<postgres::OpenError> for OpenError {
    fn from(error: postgres::OpenError) -> Self {
        Self::Postgres(error)
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(error) => error.fmt(f),
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Sqlite(error) => error.source(),
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => error.source(),
        }
    }
}
