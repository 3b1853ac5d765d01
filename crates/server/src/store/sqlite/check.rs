//! Checking a database: its structure, each row, and what the rows refer to. Nothing is changed.

use std::path::Path;

use rusqlite::types::Type;
use rusqlite::{Connection, Row};

use super::checked_table::CheckedTable;
use super::connection::open_to_check;
use super::error::OpenError;
use super::marker::Marker;
use super::schema::{self, Owner, VERSION};
use super::{
    activity, answers, blobs, families, grants, heartbeats, inbox, runs, skill_runs, skills,
    versions,
};
use crate::store::check::DatabaseProblem;
use dibber_skill::contract::check_id;
use dibber_text::file::open_regular;

/// The most problems that are reported; a damaged page can damage every row.
const PROBLEMS_MAX: usize = 200;

/// The most problems of one kind that are looked for: one more than are reported, so that it is
/// known whether there are more.
const FOUND_MAX: usize = PROBLEMS_MAX + 1;

/// The tables, by subject.
const TABLES: [&[CheckedTable]; 11] = [
    families::CHECKED,
    grants::CHECKED,
    skills::CHECKED,
    inbox::CHECKED,
    heartbeats::CHECKED,
    runs::CHECKED,
    activity::CHECKED,
    answers::CHECKED,
    versions::CHECKED,
    blobs::CHECKED,
    skill_runs::CHECKED,
];

/// The rows that need an owner in another table and have none, each with its table, its number, its
/// id and the other table.
const OWNERS: [&str; 2] = [
    "SELECT 'families', rowid, id, 'users' FROM families
         WHERE id NOT IN (SELECT family_id FROM users) ORDER BY rowid",
    "SELECT 'heartbeats', rowid, id, 'heartbeat_members' FROM heartbeats
         WHERE (family_id, id) NOT IN
             (SELECT family_id, heartbeat_id FROM heartbeat_members WHERE role = 'owner')
         ORDER BY rowid",
];

/// Returns what is wrong in a database.
///
/// # Errors
/// If it cannot be read as a database of this program and its version.
pub(in crate::store) fn check(path: &Path) -> Result<Vec<DatabaseProblem>, OpenError> {
    let marker = Marker::find(path);
    if let Err(cause) = open_regular(path) {
        marker.check(path, cause.is_not_found())?;
        return Err(OpenError::from_unreadable(path, cause));
    }
    let from_sqlite = |cause| OpenError::from_sqlite(path, cause);
    let connection = open_to_check(path)?;
    let version = match schema::owner(&connection).map_err(from_sqlite)? {
        Owner::Other => return Err(OpenError::Foreign { path: path.to_owned() }),
        Owner::Dibber(found) if found > VERSION => {
            return Err(OpenError::Newer { path: path.to_owned(), found, known: VERSION });
        }
        Owner::None => {
            marker.check(path, true)?;
            return Err(OpenError::Missing { path: path.to_owned() });
        }
        Owner::Dibber(found) => found,
    };
    // One state, while other processes go on writing.
    let state = connection.unchecked_transaction().map_err(from_sqlite)?;
    let mut problems = structure(&state);
    // A database of an earlier version lacks the tables and columns that the next start adds.
    let is_current = version == VERSION;
    for table in TABLES.into_iter().flatten() {
        if is_current || has_columns(&state, table) {
            problems.extend(damaged_rows(&state, table));
        }
    }
    // Rows that cannot be read are reported already.
    let is_empty = || has_no_row(&state, "server").unwrap_or(false);
    if is_current && is_empty() {
        let message = "the table `server` has no row".to_owned();
        problems.push(DatabaseProblem::Structure { message });
    }
    problems.extend(broken_references(&state));
    problems.extend(OWNERS.iter().flat_map(|statement| without_owner(&state, statement)));
    if problems.len() > PROBLEMS_MAX {
        problems.truncate(PROBLEMS_MAX);
        problems.push(DatabaseProblem::More { reported: PROBLEMS_MAX });
    }
    Ok(problems)
}

/// Returns what SQLite's own check finds in the pages and the indexes.
fn structure(connection: &Connection) -> Vec<DatabaseProblem> {
    let statement = format!("PRAGMA integrity_check({FOUND_MAX})");
    let mut problems = Vec::new();
    let found = collect(connection, &statement, &mut problems, |row| {
        Ok(DatabaseProblem::Structure { message: row.get(0)? })
    });
    let ok = DatabaseProblem::Structure { message: "ok".to_owned() };
    problems.retain(|problem| *problem != ok);
    problems.extend(found.err().as_ref().map(unreadable));
    problems
}

/// Returns the problem of what SQLite cannot read.
fn unreadable(error: &rusqlite::Error) -> DatabaseProblem {
    DatabaseProblem::Structure { message: error.to_string() }
}

/// Returns `true` if a table has every column that is checked.
fn has_columns(connection: &Connection, CheckedTable { name, columns, .. }: &CheckedTable) -> bool {
    connection.prepare(&format!("SELECT {columns} FROM {name}")).is_ok()
}

fn has_no_row(connection: &Connection, table: &str) -> rusqlite::Result<bool> {
    let statement = format!("SELECT NOT EXISTS (SELECT 1 FROM {table})");
    connection.query_row(&statement, [], |row| row.get(0))
}

/// Returns the rows of a table that the server cannot read.
fn damaged_rows(connection: &Connection, table: &CheckedTable) -> Vec<DatabaseProblem> {
    let mut problems = Vec::new();
    if let Err(error) = find_damaged_rows(connection, table, &mut problems) {
        // A page that cannot be read ends the table.
        let message = format!("cannot read {}: {error}", table.name);
        problems.push(DatabaseProblem::Structure { message });
    }
    problems
}

fn find_damaged_rows(
    connection: &Connection,
    CheckedTable { name, columns, parse, id }: &CheckedTable,
    problems: &mut Vec<DatabaseProblem>,
) -> rusqlite::Result<()> {
    let statement = format!("SELECT {columns}, rowid AS row_number FROM {name} ORDER BY rowid");
    let mut prepared = connection.prepare(&statement)?;
    let column_names: Vec<String> = prepared.column_names().map(str::to_owned).collect();
    let mut rows = prepared.query([])?;
    while problems.len() < FOUND_MAX
        && let Some(row) = rows.next()?
    {
        let Err(error) = check_row(row, *parse, &column_names) else { continue };
        problems.push(DatabaseProblem::Row {
            table: (*name).to_owned(),
            row: row.get("row_number")?,
            id: id(row),
            column: column_of(&error).and_then(|column| column_names.get(column).cloned()),
        });
    }
    Ok(())
}

/// Returns the numbers of the rows of a table that the server cannot read and that have this id.
pub(super) fn damaged_row_numbers(
    connection: &Connection,
    CheckedTable { name, columns, parse, id }: &CheckedTable,
    wanted: &str,
) -> rusqlite::Result<Vec<i64>> {
    let statement = format!("SELECT {columns}, rowid AS row_number FROM {name} ORDER BY rowid");
    let mut prepared = connection.prepare(&statement)?;
    let column_names: Vec<String> = prepared.column_names().map(str::to_owned).collect();
    let mut rows = prepared.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        if id(row).as_deref() == Some(wanted) && check_row(row, *parse, &column_names).is_err() {
            found.push(row.get("row_number")?);
        }
    }
    Ok(found)
}

/// Reads a row, and checks its ids, which clients would not read otherwise.
fn check_row(
    row: &Row<'_>,
    parse: fn(&Row<'_>) -> rusqlite::Result<()>,
    column_names: &[String],
) -> rusqlite::Result<()> {
    parse(row)?;
    for (column, name) in column_names.iter().enumerate() {
        if (name == "id" || name.ends_with("_id"))
            && let Some(id) = row.get::<_, Option<String>>(column)?
        {
            check_id(&id).map_err(|error| {
                rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
            })?;
        }
    }
    Ok(())
}

/// Returns the column that an error is about. Its message is not used: it may quote the content.
fn column_of(error: &rusqlite::Error) -> Option<usize> {
    match error {
        rusqlite::Error::FromSqlConversionFailure(column, ..)
        | rusqlite::Error::InvalidColumnType(column, ..)
        | rusqlite::Error::IntegralValueOutOfRange(column, _) => Some(*column),
        _ => None,
    }
}

/// Returns the rows that a statement of [`OWNERS`] finds.
fn without_owner(connection: &Connection, statement: &str) -> Vec<DatabaseProblem> {
    let mut problems = Vec::new();
    // A table that cannot be read is reported already.
    let _ = collect(connection, statement, &mut problems, |row| {
        Ok(DatabaseProblem::WithoutOwner {
            table: row.get(0)?,
            row: row.get(1)?,
            id: row.get(2).ok(),
            missing_in: row.get(3)?,
        })
    });
    problems
}

/// Returns the rows that refer to something that does not exist.
fn broken_references(connection: &Connection) -> Vec<DatabaseProblem> {
    let mut problems = Vec::new();
    let found = collect(connection, "PRAGMA foreign_key_check", &mut problems, |row| {
        Ok(DatabaseProblem::Reference {
            table: row.get(0)?,
            row: row.get(1)?,
            id: None,
            missing_in: row.get(2)?,
        })
    });
    for problem in &mut problems {
        if let DatabaseProblem::Reference { table, row, id, .. } = problem {
            *id = id_of_row(connection, table, *row);
        }
    }
    problems.extend(found.err().as_ref().map(unreadable));
    problems
}

/// Returns the id in a row of a table, if its rows have one.
fn id_of_row(connection: &Connection, table: &str, row: i64) -> Option<String> {
    let tables = TABLES.into_iter().flatten();
    let table = tables.into_iter().find(|known| known.name == table)?;
    let statement = format!("SELECT {} FROM {} WHERE rowid = ?1", table.columns, table.name);
    connection.query_row(&statement, [row], |row| Ok((table.id)(row))).ok()?
}

/// Adds what a statement finds, up to the first row that cannot be read.
fn collect(
    connection: &Connection,
    statement: &str,
    problems: &mut Vec<DatabaseProblem>,
    read: fn(&Row<'_>) -> rusqlite::Result<DatabaseProblem>,
) -> rusqlite::Result<()> {
    for problem in connection.prepare(statement)?.query_map([], read)?.take(FOUND_MAX) {
        problems.push(problem?);
    }
    Ok(())
}
