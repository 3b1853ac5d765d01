//! What a check of the database has to know of a table.

use rusqlite::Row;

/// A table, and how its rows are read.
pub(super) struct CheckedTable {
    /// The name.
    pub(super) name: &'static str,
    /// The columns, in the order in which `parse` expects them.
    pub(super) columns: &'static str,
    /// Reads a row as the server does.
    pub(super) parse: fn(&Row<'_>) -> rusqlite::Result<()>,
}
