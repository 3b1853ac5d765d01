//! What a check of the stored data finds.

use std::fmt;

/// Something that is wrong in a database. It quotes nothing that a family has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseProblem {
    /// The engine reports a fault in the structure of its file.
    Structure {
        /// What it reports.
        message: String,
    },
    /// A row cannot be read.
    Row {
        /// The table.
        table: String,
        /// The number of the row.
        row: i64,
        /// The id of what is stored there.
        id: Option<String>,
        /// The column that cannot be read, if it is one alone.
        column: Option<String>,
    },
    /// A row refers to something that does not exist.
    Reference {
        /// The table.
        table: String,
        /// The number of the row.
        row: i64,
        /// The id of what is stored there, if it has one of its own.
        id: Option<String>,
        /// The table in which what it refers to is missing.
        missing_in: String,
    },
    /// A family or a heartbeat has no owner.
    WithoutOwner {
        /// The table.
        table: String,
        /// The number of the row.
        row: i64,
        /// The id of what is stored there.
        id: Option<String>,
        /// The table in which the owner is missing.
        missing_in: String,
    },
    /// There are more problems than are reported.
    More {
        /// The number of those that are.
        reported: usize,
    },
}

impl fmt::Display for DatabaseProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Structure { message } => write!(f, "the file is damaged: {message}"),
            Self::Row { table, row, id, column } => {
                write_row(f, table, *row, id.as_deref())?;
                match column {
                    Some(column) => write!(f, " is damaged: invalid value in `{column}`"),
                    None => f.write_str(" is damaged"),
                }
            }
            Self::Reference { table, row, id, missing_in } => {
                write_row(f, table, *row, id.as_deref())?;
                write!(f, " refers to a row that is missing in {missing_in}")
            }
            Self::WithoutOwner { table, row, id, missing_in } => {
                write_row(f, table, *row, id.as_deref())?;
                write!(f, " has no owner in {missing_in}")
            }
            Self::More { reported } => {
                write!(f, "there are more problems; the first {reported} are listed")
            }
        }
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, table: &str, row: i64, id: Option<&str>) -> fmt::Result {
    write!(f, "row {row} of {table}")?;
    id.map_or(Ok(()), |id| write!(f, " ({id})"))
}
