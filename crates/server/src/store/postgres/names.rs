//! The names of heartbeats and of children, for commands that start no server.

use postgres::Row;

use super::address::PostgresAddress;
use super::connection::Connection;
use super::error::OpenError;
use super::own_thread::on_own_thread;
use super::schema;
use super::value::{Parsed, text};
use dibber_skill::names::Name;

/// The newest names, each once. The number bounds the work, since a person waits.
const HEARTBEATS: &str = "SELECT name FROM heartbeats WHERE state <> 'cancelled' GROUP BY name \
                          ORDER BY max(seq) DESC LIMIT 1000";
const CHILDREN: &str = "SELECT name FROM children";

/// Returns the names of the heartbeats in a database that were not cancelled, without those that are
/// damaged. Nothing is created or changed.
///
/// # Errors
/// If it cannot be read as a database of this program.
pub(in crate::store) fn heartbeat_names(
    address: &PostgresAddress,
) -> Result<Vec<String>, OpenError> {
    on_own_thread(|| names(address, HEARTBEATS))
}

/// Returns the names of the children of all families in a database, without those that are damaged.
/// Nothing is created or changed.
///
/// # Errors
/// If it cannot be read as a database of this program.
pub(in crate::store) fn child_names(address: &PostgresAddress) -> Result<Vec<Name>, OpenError> {
    let names = on_own_thread(|| names(address, CHILDREN))?;
    Ok(names.iter().filter_map(|name| Name::parse(name).ok()).collect())
}

fn names(address: &PostgresAddress, statement: &str) -> Result<Vec<String>, OpenError> {
    let mut connection = Connection::open(address)?;
    if schema::version(&mut connection, address)?.is_none() {
        return Err(OpenError::Missing { database: address.clone() });
    }
    let rows = connection.query(statement, &[]);
    let rows = rows.map_err(|error| OpenError::other(address, &error))?;
    let name = |row: &Row| -> Parsed<String> { text(row, 0) };
    // A damaged name does not hide the others.
    Ok(rows.iter().filter_map(|row| name(row).ok()).collect())
}
