//! The address of a database: a directory for SQLite, a URL for PostgreSQL.

use std::fmt;
use std::path::PathBuf;

#[cfg(feature = "postgres")]
use super::postgres::{InvalidUrl, PostgresAddress};
use super::sqlite::database_path;

/// How the URL of a PostgreSQL database begins.
const POSTGRES_SCHEMES: [&str; 2] = ["postgres", "postgresql"];

/// The address of a database. What is shown of it contains no password.
#[derive(Clone, Debug)]
pub enum DatabaseAddress {
    /// The directory of a SQLite database.
    Directory(PathBuf),
    /// A PostgreSQL database.
    #[cfg(feature = "postgres")]
    Postgres(PostgresAddress),
}

/// Why a string is no [`DatabaseAddress`]. It does not quote the string, which may have a password.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidAddress {
    /// It is empty.
    Empty,
    /// It is the URL of something else.
    UnknownScheme,
    /// This program was built without PostgreSQL.
    Unsupported,
    /// It is a URL of PostgreSQL that is invalid.
    #[cfg(feature = "postgres")]
    Postgres(InvalidUrl),
}

impl DatabaseAddress {
    /// Parses `postgres://USER@HOST/NAME`, or the path of a directory.
    ///
    /// # Errors
    /// If it is empty, or another URL.
    pub fn parse(text: &str) -> Result<Self, InvalidAddress> {
        match text.split_once("://") {
            None if text.is_empty() => Err(InvalidAddress::Empty),
            None => Ok(Self::Directory(text.into())),
            Some((scheme, _)) if POSTGRES_SCHEMES.contains(&scheme) => Self::parse_postgres(text),
            Some(_) => Err(InvalidAddress::UnknownScheme),
        }
    }

    #[cfg(feature = "postgres")]
    fn parse_postgres(url: &str) -> Result<Self, InvalidAddress> {
        PostgresAddress::parse(url).map(Self::Postgres).map_err(InvalidAddress::Postgres)
    }

    #[cfg(not(feature = "postgres"))]
    fn parse_postgres(_: &str) -> Result<Self, InvalidAddress> {
        Err(InvalidAddress::Unsupported)
    }

    /// Returns `true` if passwords and content cross a network that others may read.
    pub fn is_unencrypted(&self) -> bool {
        match self {
            Self::Directory(_) => false,
            #[cfg(feature = "postgres")]
            Self::Postgres(address) => address.is_unencrypted(),
        }
    }
}

impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(directory) => f.write_str(&database_path(directory).to_string_lossy()),
            #[cfg(feature = "postgres")]
            Self::Postgres(address) => address.fmt(f),
        }
    }
}

impl InvalidAddress {
    /// Returns what to write instead.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Empty | Self::UnknownScheme => {
                "write `postgres://USER@HOST/NAME`, or the path of a directory"
            }
            Self::Unsupported => "build it with the feature `postgres`, or name a directory",
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => error.help(),
        }
    }
}

impl fmt::Display for InvalidAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::UnknownScheme => f.write_str("no database has a URL that begins like this"),
            Self::Unsupported => f.write_str("this program was built without PostgreSQL"),
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InvalidAddress {}
