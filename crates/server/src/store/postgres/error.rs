//! What PostgreSQL reports, without what a family has written.

use std::error::Error as _;
use std::fmt;

use postgres::Error;
use postgres::error::{DbError, Severity};

use super::address::PostgresAddress;
use crate::store::error::StoreError;

/// The classes of errors (the first two characters of the code) whose messages are about the server
/// and not about values: connections, authorization, databases, conflicts, resources, objects in
/// use, operators and the system (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
const CLASSES_WITHOUT_CONTENT: [&str; 10] =
    ["08", "0A", "28", "3D", "40", "53", "55", "57", "58", "25"];

/// Why a database cannot be opened.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The server cannot be reached, or does not let this program in.
    Unreachable {
        /// The database.
        database: PostgresAddress,
        /// What the server or the system reports.
        cause: String,
    },
    /// There are no tables of dibber.
    Missing {
        /// The database.
        database: PostgresAddress,
    },
    /// A newer program made the tables.
    Newer {
        /// The database.
        database: PostgresAddress,
        /// Their version.
        found: i64,
        /// The last version that this program knows.
        known: i64,
    },
    /// The schema `dibber` belongs to another program.
    Foreign {
        /// The database.
        database: PostgresAddress,
    },
    /// The database cannot store every character.
    NotUtf8 {
        /// The database.
        database: PostgresAddress,
    },
    /// The user may not create the tables, or a statement failed for another reason.
    Other {
        /// The database.
        database: PostgresAddress,
        /// What the server reports.
        cause: String,
    },
}

impl OpenError {
    /// Converts an error of a connection that could not be made.
    pub(super) fn unreachable(database: &PostgresAddress, error: &Error) -> Self {
        Self::Unreachable { database: database.clone(), cause: describe(error) }
    }

    /// Converts an error of a statement. There is no content in the statements that open a database.
    pub(super) fn other(database: &PostgresAddress, error: &Error) -> Self {
        let cause = match error.as_db_error() {
            Some(reported) => format!("{} ({})", reported.message(), reported.code().code()),
            None => describe(error),
        };
        Self::Other { database: database.clone(), cause }
    }

    /// Returns what to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => {
                "check the URL in `--database` or DIBBER_DATABASE, and that the server is running; \
                 for a certificate of your own authority, add `sslrootcert=FILE` to the URL"
            }
            Self::Missing { .. } => "a server creates the tables when it starts",
            Self::Newer { .. } => "use the newer dibber, or another database; nothing was changed",
            Self::Foreign { .. } => {
                "choose another database: dibber needs the schema `dibber` for itself; nothing was \
                 changed"
            }
            Self::NotUtf8 { .. } => "create the database with `ENCODING 'UTF8'`",
            Self::Other { .. } => {
                "dibber needs to create the schema `dibber`: make the user the owner of the database"
            }
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable { database, cause } => {
                write!(f, "cannot connect to `{database}`: {cause}")
            }
            Self::Missing { database } => {
                write!(f, "the database `{database}` has no tables of dibber")
            }
            Self::Newer { database, found, known } => write!(
                f,
                "the database `{database}` was created by a newer dibber: it has version {found}, \
                 and this dibber supports versions up to {known}"
            ),
            Self::Foreign { database } => {
                write!(f, "the schema `dibber` of `{database}` belongs to another program")
            }
            Self::NotUtf8 { database } => {
                write!(f, "the database `{database}` does not store UTF-8")
            }
            Self::Other { database, cause } => {
                write!(f, "cannot open the database `{database}`: {cause}")
            }
        }
    }
}

impl std::error::Error for OpenError {}

/// Converts an error of a statement.
pub(super) fn store_error(error: &Error) -> StoreError {
    StoreError::new(describe(error))
}

/// Returns `true` if the connection has ended with an error of a statement without parameters.
pub(super) fn has_ended_connection(error: &Error) -> bool {
    let Some(reported) = error.as_db_error() else { return true };
    matches!(reported.parsed_severity(), Some(Severity::Fatal | Severity::Panic))
}

/// Describes an error. A message of the server is only quoted if it is not about a value, since it
/// may contain the value.
pub(super) fn describe(error: &Error) -> String {
    if let Some(reported) = error.as_db_error() {
        return describe_reported(reported);
    }
    let mut description = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        description += &format!(": {error}");
        cause = error.source();
    }
    description
}

fn describe_reported(error: &DbError) -> String {
    let code = error.code().code();
    if code.get(..2).is_some_and(|class| CLASSES_WITHOUT_CONTENT.contains(&class)) {
        return format!("{} (PostgreSQL error {code})", error.message());
    }
    match (error.constraint(), error.table()) {
        (Some(constraint), _) => format!("PostgreSQL error {code} in constraint {constraint}"),
        (None, Some(table)) => format!("PostgreSQL error {code} in table {table}"),
        (None, None) => format!("PostgreSQL error {code}"),
    }
}
