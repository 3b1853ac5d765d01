//! The tables, and how a database of an earlier version gets them.

use rusqlite::{Connection, Transaction, TransactionBehavior};

/// The steps from each version to the next; a database holds the number of those it has taken.
const MIGRATIONS: [&str; 1] = [include_str!("migrations/1.sql")];

/// The version that this program makes.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;

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
    // In this order: another process that makes it meanwhile sets both at once.
    let tables: i64 =
        connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let application: i64 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if application == APPLICATION_ID {
        return Ok(Kind::Ours(version(connection)?));
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
    for step in version(&transaction)?..VERSION {
        take(&transaction, step)?;
    }
    transaction.commit()
}

fn take(transaction: &Transaction<'_>, step: i64) -> rusqlite::Result<()> {
    let statements = usize::try_from(step).ok().and_then(|step| MIGRATIONS.get(step));
    transaction.execute_batch(statements.expect("a step below the version"))?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", step + 1)
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}
