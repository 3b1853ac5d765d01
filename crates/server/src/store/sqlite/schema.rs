//! The tables, and how a database of an earlier version gets them.

use rusqlite::{Connection, TransactionBehavior};

/// The steps from each version to the next, each with the version that it leads to.
const MIGRATIONS: [(i64, &str); 1] = [(1, include_str!("migrations/1.sql"))];

/// The version that this program makes.
pub(super) const VERSION: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

/// Marks a database as one of dibber's: `dibb` in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x6469_6262;

/// Whose database it is, and of which version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nobody's yet.
    Empty,
    /// One of dibber's, of that version.
    Ours(i64),
    /// Another program's.
    Foreign,
}

/// Looks whose database it is.
pub(super) fn kind(connection: &Connection) -> rusqlite::Result<Kind> {
    // One state, since another process may be making the tables.
    let transaction = connection.unchecked_transaction()?;
    let number = |statement| transaction.query_row(statement, [], |row| row.get::<_, i64>(0));
    let tables = number("SELECT COUNT(*) FROM sqlite_schema")?;
    let application = number("PRAGMA application_id")?;
    if application == APPLICATION_ID {
        return Ok(Kind::Ours(version(&transaction)?));
    }
    Ok(if application == 0 && tables == 0 { Kind::Empty } else { Kind::Foreign })
}

/// Takes the steps that are missing. Of several processes that come at once, one takes them.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    if version(connection)? >= VERSION {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let present = version(&transaction)?;
    for (_, statements) in MIGRATIONS.iter().filter(|(to, _)| *to > present) {
        transaction.execute_batch(statements)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION.max(present))?;
    transaction.commit()
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}
