//! Connections to the database file.

use std::fs::{DirBuilder, OpenOptions};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::error::OpenError;
use super::schema::{self, Kind, VERSION};

/// How long somebody waits for another process that is changing the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long somebody waits between two looks, where SQLite does not wait itself.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// How long the log may stay on the disk once what is in it has been taken over (64 MiB).
const LOG_BYTES_KEPT: i64 = 64 << 20;

/// How many statements a connection keeps ready; there are fewer.
const STATEMENTS_KEPT: usize = 64;

/// How sure a change is once it is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Durability {
    /// It outlives a power cut.
    PowerCut,
    /// It is gone with the process anyway.
    Process,
}

/// Opens the database for changes, and makes what is missing: the folder, the file, the tables.
pub(super) fn open(path: &Path, durability: Durability) -> Result<Connection, OpenError> {
    make_folder(path)?;
    make_file(path).map_err(|cause| OpenError::of_file(path, cause))?;
    let of_database = |cause| OpenError::of_database(path, cause);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = connect(path, flags).map_err(of_database)?;
    match patiently(|| schema::kind(&connection)).map_err(of_database)? {
        Kind::Foreign => return Err(OpenError::Foreign { path: path.to_owned() }),
        Kind::Ours(found) if found > VERSION => {
            return Err(OpenError::Newer { path: path.to_owned(), found, known: VERSION });
        }
        Kind::Ours(_) | Kind::Empty => {}
    }
    patiently(|| connection.pragma_update(None, "journal_mode", "WAL")).map_err(of_database)?;
    settle(&connection, durability).map_err(of_database)?;
    schema::migrate(&mut connection).map_err(of_database)?;
    Ok(connection)
}

/// Opens the database for looking.
pub(super) fn open_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    Ok(connection)
}

fn settle(connection: &Connection, durability: Durability) -> rusqlite::Result<()> {
    let synchronous = match durability {
        Durability::PowerCut => "FULL",
        Durability::Process => "OFF",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT)
}

/// Tries until nobody is in the way. SQLite does not wait itself where two that wait for each
/// other would never end.
fn patiently<T>(mut work: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let begin = Instant::now();
    loop {
        match work() {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && begin.elapsed() < BUSY_TIMEOUT =>
            {
                thread::sleep(BUSY_PAUSE);
            }
            result => return result,
        }
    }
}

fn make_folder(path: &Path) -> Result<(), OpenError> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|cause| OpenError::of_file(folder, cause))
}

/// Makes the file before SQLite does, so that nobody else can read it; the files that SQLite
/// makes beside it get the same mode.
fn make_file(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}
