//! Connections to the database file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{io, thread};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::error::OpenError;
use super::marker::Marker;
use super::schema::{self, Owner, VERSION};
use dibber_text::file::{ReadError, open_regular};
use dibber_text::private::{create_private_directory, open_private};

/// How long a connection waits for another process that is changing the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait between two attempts to open the database.
const OPEN_PAUSE: Duration = Duration::from_millis(10);

/// How many attempts there are to open the database while another process has it locked.
const OPEN_ATTEMPTS: u32 = 1000;

/// The size to which the write-ahead log is cut after its content was moved into the database
/// (64 MiB).
const LOG_BYTES_MAX: i64 = 64 << 20;

/// What follows the name of a database in the names of the files that SQLite keeps beside it: the
/// write-ahead log, its index, and the journal of a database without one.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The prepared statements that a connection caches; there are fewer.
const STATEMENTS_MAX: usize = 128;

/// What a committed change survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Durability {
    /// A power cut.
    PowerCut,
    /// Nothing: the database is deleted with the process.
    Process,
}

/// Opens the database for changes, and creates what is missing: the directory, the file, the tables.
/// A database that was created before, and is missing or empty now, is an error.
pub(super) fn open(path: &Path, durability: Durability) -> Result<Connection, OpenError> {
    create_directory(path)?;
    let marker = Marker::find(path);
    // Before SQLite looks at it: it deletes the log that belongs to an empty file.
    let is_empty = |metadata: fs::Metadata| metadata.is_file() && metadata.len() == 0;
    marker.check(path, fs::metadata(path).map_or(true, is_empty))?;
    create_file(path).map_err(|cause| OpenError::from_read(path, cause))?;
    check_companions(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection =
        connect(path, flags).map_err(|cause| OpenError::from_sqlite(path, cause))?;
    for _ in 1..OPEN_ATTEMPTS {
        match prepare(&mut connection, path, &marker, durability) {
            Err(OpenError::Locked { .. }) => thread::sleep(OPEN_PAUSE),
            prepared => return prepared.map(|()| connection),
        }
    }
    prepare(&mut connection, path, &marker, durability).map(|()| connection)
}

fn prepare(
    connection: &mut Connection,
    path: &Path,
    marker: &Marker,
    durability: Durability,
) -> Result<(), OpenError> {
    let from_sqlite = |cause| OpenError::from_sqlite(path, cause);
    // SQLite reports a lock at once where two processes would wait for each other forever, such as
    // when both turn on the write-ahead log. So nothing waits here, and everything is tried again.
    connection.busy_timeout(Duration::ZERO).map_err(from_sqlite)?;
    match schema::owner(connection).map_err(from_sqlite)? {
        Owner::Other => return Err(OpenError::Foreign { path: path.to_owned() }),
        Owner::Dibber(found) if found > VERSION => {
            return Err(OpenError::Newer { path: path.to_owned(), found, known: VERSION });
        }
        Owner::Dibber(_) => {}
        Owner::None => marker.check(path, true)?,
    }
    configure(connection, durability).map_err(from_sqlite)?;
    schema::migrate(connection).map_err(from_sqlite)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(from_sqlite)?;
    match durability {
        Durability::PowerCut => marker.create(),
        Durability::Process => Ok(()),
    }
}

/// Opens the database for reading.
pub(super) fn open_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX)
}

/// Opens the database for a check, which changes nothing. Where SQLite cannot create a file beside
/// it, as on a read-only disk, the database is read as it is in its own file, unless a write-ahead
/// log has changes that are not in there yet.
pub(super) fn open_to_check(path: &Path) -> Result<Connection, OpenError> {
    check_companions(path)?;
    let connection = open_for_reading(path).map_err(|cause| OpenError::from_sqlite(path, cause))?;
    // The file is opened by the first statement.
    let read = connection.query_row("PRAGMA schema_version", [], |row| row.get::<_, i64>(0));
    let Err(cause) = read else { return Ok(connection) };
    let is_unwritable =
        matches!(cause.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly));
    if !is_unwritable {
        return Err(OpenError::from_sqlite(path, cause));
    }
    let unreadable = |cause: rusqlite::Error| OpenError::Unreadable {
        path: path.to_owned(),
        cause: cause.into(),
    };
    if has_log(path) {
        return Err(unreadable(cause));
    }
    let uri =
        immutable_uri(path).map_err(|cause| OpenError::from_unreadable(path, cause.into()))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    connect(Path::new(&uri), flags).map_err(unreadable)
}

/// Returns `true` if a database has a write-ahead log with changes.
fn has_log(path: &Path) -> bool {
    fs::metadata(companion(path, "-wal")).is_ok_and(|metadata| metadata.len() > 0)
}

/// Returns an error if a file that SQLite keeps beside the database is something else than a file.
/// SQLite would only say that it cannot open the database.
fn check_companions(path: &Path) -> Result<(), OpenError> {
    let mut companions = COMPANIONS.into_iter().map(|suffix| companion(path, suffix));
    let is_no_file = |path: &PathBuf| fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    companions.find(is_no_file).map_or(Ok(()), |path| Err(OpenError::LogNotAFile { path }))
}

fn companion(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Returns the URI of a database file that nothing changes while it is open
/// (<https://www.sqlite.org/uri.html>).
fn immutable_uri(path: &Path) -> io::Result<String> {
    let path = std::path::absolute(path)?;
    let mut uri = "file://".to_owned();
    if !path.as_os_str().as_encoded_bytes().starts_with(b"/") {
        uri.push('/');
    }
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b':' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    Ok(uri + "?immutable=1")
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(connection)
}

fn configure(connection: &Connection, durability: Durability) -> rusqlite::Result<()> {
    let synchronous = match durability {
        Durability::PowerCut => "FULL",
        Durability::Process => "OFF",
    };
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES_MAX)
}

fn create_directory(path: &Path) -> Result<(), OpenError> {
    let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty())
    else {
        return Ok(());
    };
    create_private_directory(directory).map_err(|cause| match cause.kind() {
        io::ErrorKind::AlreadyExists => {
            let cause = "it is a file, not a directory".into();
            OpenError::Unwritable { path: directory.to_owned(), cause }
        }
        _ => OpenError::from_io(directory, cause),
    })
}

/// Creates the file before SQLite does, so that only its owner can read it; the files that SQLite
/// creates beside it get the same mode. Opening a pipe would wait for its other end.
fn create_file(path: &Path) -> Result<(), ReadError> {
    if path.exists() {
        return open_regular(path).map(drop);
    }
    Ok(open_private(path).map(drop)?)
}
