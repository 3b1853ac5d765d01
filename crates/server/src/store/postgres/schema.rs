//! The tables, and the migrations of a database from an earlier version.
//!
//! The tables are in a schema of their own, `dibber`, so that they share a database with those of
//! other programs.

use postgres::{Error, Row};

use super::address::PostgresAddress;
use super::connection::Connection;
use super::error::OpenError;

/// The migrations, each with the version that it leads to.
const MIGRATIONS: [(i64, &str); 6] = [
    (1, include_str!("migrations/1.sql")),
    (2, include_str!("migrations/2.sql")),
    (3, include_str!("migrations/3.sql")),
    (4, include_str!("migrations/4.sql")),
    (5, include_str!("migrations/5.sql")),
    (6, include_str!("migrations/6.sql")),
];

/// The version of the tables that this program creates.
pub(super) const VERSION: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

/// The number of the lock that every transaction holds that changes something: `dibber` in ASCII.
pub(super) const LOCK: i64 = 0x6469_6262_6572;

/// The program that the schema belongs to.
enum Owner {
    /// None yet: there are no tables.
    None,
    /// Dibber; the tables have this version.
    Dibber(i64),
    /// Another program.
    Other,
}

/// Runs the migrations that are missing. Of several processes that start at once, one runs them.
pub(super) fn migrate(
    connection: &mut Connection,
    database: &PostgresAddress,
) -> Result<(), OpenError> {
    let other = |error: Error| OpenError::other(database, &error);
    if !is_utf8(connection).map_err(other)? {
        return Err(OpenError::NotUtf8 { database: database.clone() });
    }
    if version(connection, database)? == Some(VERSION) {
        return Ok(());
    }
    connection.batch(&format!("BEGIN; SELECT pg_advisory_xact_lock({LOCK})")).map_err(other)?;
    // Another process may have been faster.
    let present = version(connection, database)?;
    let statements = statements(present.unwrap_or(0));
    connection.batch(&statements).and_then(|()| connection.batch("COMMIT")).map_err(other)
}

/// Returns the statements that lead from a version to the present one.
fn statements(present: i64) -> String {
    let mut statements = "CREATE SCHEMA IF NOT EXISTS dibber;\n\
        CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY);\n"
        .to_owned();
    for (to, migration) in MIGRATIONS.iter().filter(|(to, _)| *to > present) {
        statements += &format!("{migration}\nINSERT INTO migrations (version) VALUES ({to});\n");
    }
    statements
}

/// Returns the version of the tables; none if there are none.
///
/// # Errors
/// If they are those of another program, or of a newer version.
pub(super) fn version(
    connection: &mut Connection,
    database: &PostgresAddress,
) -> Result<Option<i64>, OpenError> {
    match owner(connection).map_err(|error| OpenError::other(database, &error))? {
        Owner::None => Ok(None),
        Owner::Dibber(found) if found > VERSION => {
            Err(OpenError::Newer { database: database.clone(), found, known: VERSION })
        }
        Owner::Dibber(found) => Ok(Some(found)),
        Owner::Other => Err(OpenError::Foreign { database: database.clone() }),
    }
}

fn owner(connection: &mut Connection) -> Result<Owner, Error> {
    let tables = "SELECT c.relname::text FROM pg_class c JOIN pg_namespace n
        ON n.oid = c.relnamespace WHERE n.nspname = 'dibber' AND c.relkind IN ('r', 'p', 'v')";
    let rows = connection.query(tables, &[])?;
    let names: Vec<&str> = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, Error>>()?;
    if !names.contains(&"migrations") {
        return Ok(if names.is_empty() { Owner::None } else { Owner::Other });
    }
    let rows = connection.query("SELECT max(version) FROM migrations", &[])?;
    let version = |row: &Row| row.try_get::<_, Option<i64>>(0);
    let version = rows.first().map(version).transpose()?.flatten();
    Ok(version.map_or(Owner::None, Owner::Dibber))
}

fn is_utf8(connection: &mut Connection) -> Result<bool, Error> {
    let rows = connection.query("SELECT current_setting('server_encoding')", &[])?;
    let encoding = rows.first().map(|row| row.try_get::<_, String>(0)).transpose()?;
    Ok(encoding.is_some_and(|encoding| encoding == "UTF8"))
}
