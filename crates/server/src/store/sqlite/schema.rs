//! The tables, and the migrations of a database from an earlier version.

use rusqlite::{Connection, TransactionBehavior};

/// The migrations, each with the version that it leads to.
const MIGRATIONS: [(i64, &str); 9] = [
    (1, include_str!("migrations/1.sql")),
    (2, include_str!("migrations/2.sql")),
    (3, include_str!("migrations/3.sql")),
    (4, include_str!("migrations/4.sql")),
    (5, include_str!("migrations/5.sql")),
    (6, include_str!("migrations/6.sql")),
    (7, include_str!("migrations/7.sql")),
    (8, include_str!("migrations/8.sql")),
    (9, include_str!("migrations/9.sql")),
];

/// The version of a database that this program creates.
pub(super) const VERSION: i64 = MIGRATIONS[MIGRATIONS.len() - 1].0;

/// Identifies a database as one of dibber's: `dibb` in ASCII.
pub(super) const APPLICATION_ID: i64 = 0x6469_6262;

/// The program that a database belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// None yet: there are no tables.
    None,
    /// Dibber; the database has this version.
    Dibber(i64),
    /// Another program.
    Other,
}

/// Returns the owner of a database.
pub(super) fn owner(connection: &Connection) -> rusqlite::Result<Owner> {
    // One state, since another process may be creating the tables.
    let transaction = connection.unchecked_transaction()?;
    let number = |statement| transaction.query_row(statement, [], |row| row.get::<_, i64>(0));
    let tables = number("SELECT COUNT(*) FROM sqlite_schema")?;
    let application = number("PRAGMA application_id")?;
    if application == APPLICATION_ID {
        return Ok(Owner::Dibber(version(&transaction)?));
    }
    Ok(if application == 0 && tables == 0 { Owner::None } else { Owner::Other })
}

/// Runs the migrations that are missing. Of several processes that start at once, one runs them.
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
