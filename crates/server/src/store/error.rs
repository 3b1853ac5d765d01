//! What a store reports when it fails.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The result of an operation of the store.
pub type StoreResult<T> = Result<T, StoreError>;

/// Why an operation of the store failed. It is for the log: a caller of the server learns only
/// that the server failed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// The store is closed.
    Closed,
    /// So many operations wait that no more are taken.
    Overloaded,
    /// The family has nothing with the id that was to be changed.
    NotFound,
    /// The whole transaction was rolled back, because an operation before or after this one failed.
    RolledBack,
    /// The store dropped the operation without running it to its end.
    Dropped,
    /// A row that is needed is damaged or missing.
    Damaged,
    /// The database reported an error.
    Database(Arc<dyn Error + Send + Sync>),
}

impl StoreError {
    /// Wraps an error of the database.
    pub fn new(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Database(error.into().into())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Closed => "the store is closed",
            Self::Overloaded => "too many operations are waiting for the store",
            Self::NotFound => "the family has nothing with this id",
            Self::RolledBack => "the transaction was rolled back",
            Self::Dropped => "the store dropped the operation",
            Self::Damaged => {
                "the database is damaged; `dibber doctor --database` lists what is damaged"
            }
            Self::Database(error) => return error.fmt(f),
        })
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // Its message is that of this error already.
            Self::Database(error) => error.source(),
            _ => None,
        }
    }
}
