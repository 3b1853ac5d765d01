//! What a check of the database has to know of a table.

use postgres::Row;

use super::value::{Parsed, text};

/// A table, and how its rows are read.
pub(super) struct CheckedTable {
    /// The name.
    pub(super) name: &'static str,
    /// The columns, in the order in which `parse` expects them.
    pub(super) columns: &'static str,
    /// Reads a row as the server does, and parses the values that the server only passes on.
    pub(super) parse: fn(&Row) -> Parsed<()>,
    /// Returns the id by which the owner finds what is stored in a row.
    pub(super) id: fn(&Row) -> Option<String>,
}

/// Returns the column `id` of a row.
pub(super) fn id_column(row: &Row) -> Option<String> {
    let column = row.columns().iter().position(|column| column.name() == "id")?;
    text(row, column).ok()
}
