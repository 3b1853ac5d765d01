//! Connections to the database file.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;
use std::{io, thread};

use rusqlite::{Connection, OpenFlags};

use super::error::OpenError;
use super::schema::{self, Kind, VERSION};
use dibber_text::private::create_private_directory;

/// How long somebody waits for another process that is changing the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long somebody waits between two tries to open the database.
const OPEN_PAUSE: Duration = Duration::from_millis(10);

/// How often somebody tries to open the database while another process is in the way.
const OPEN_TRIES: u32 = 1000;

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
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection =
        connect(path, flags).map_err(|cause| OpenError::of_database(path, cause))?;
    for _ in 1..OPEN_TRIES {
        match prepare(&mut connection, path, durability) {
            Err(OpenError::Locked { .. }) => thread::sleep(OPEN_PAUSE),
            prepared => return prepared.map(|()| connection),
        }
    }
    prepare(&mut connection, path, durability).map(|()| connection)
}

fn prepare(
    connection: &mut Connection,
    path: &Path,
    durability: Durability,
) -> Result<(), OpenError> {
    let of_database = |cause| OpenError::of_database(path, cause);
    // SQLite itself does not wait where two that wait for each other would never end, so nothing
    // waits here; whoever is in the way, everything is tried again.
    connection.busy_timeout(Duration::ZERO).map_err(of_database)?;
    match schema::kind(connection).map_err(of_database)? {
        Kind::Foreign => return Err(OpenError::Foreign { path: path.to_owned() }),
        Kind::Ours(found) if found > VERSION => {
            return Err(OpenError::Newer { path: path.to_owned(), found, known: VERSION });
        }
        Kind::Ours(_) | Kind::Empty => {}
    }
    settle(connection, durability).map_err(of_database)?;
    schema::migrate(connection).map_err(of_database)?;
    connection.busy_timeout(BUSY_TIMEOUT).map_err(of_database)
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
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES_KEPT)
}

fn make_folder(path: &Path) -> Result<(), OpenError> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    create_private_directory(folder).map_err(|cause| match cause.kind() {
        io::ErrorKind::AlreadyExists => {
            let cause = "it is a file, and was to be a folder".into();
            OpenError::Unwritable { path: folder.to_owned(), cause }
        }
        _ => OpenError::of_file(folder, cause),
    })
}

/// Makes the file before SQLite does, so that nobody else can read it; the files that SQLite
/// makes beside it get the same mode.
fn make_file(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}
