//! Checking a database: each row, and what has no owner. The server takes care of the structure of
//! its files and of what the rows refer to. Nothing is changed.

use postgres::{Error, Row};

use super::address::PostgresAddress;
use super::checked_table::CheckedTable;
use super::connection::Connection;
use super::error::OpenError;
use super::own_thread::on_own_thread;
use super::schema::VERSION;
use super::value::{DamagedColumn, Parsed, Value, integer, optional_str, optional_text, text};
use super::{
    activity, answers, blobs, families, grants, heartbeats, inbox, runs, schema, skill_runs,
    skills, versions,
};
use crate::store::check::DatabaseProblem;
use dibber_skill::contract::check_id;

/// The most problems that are reported.
const PROBLEMS_MAX: usize = 200;

/// The rows that are read at once.
const PAGE_ROWS: usize = 500;

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
    "SELECT 'families', seq, id, 'users' FROM families f
         WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.family_id = f.id) ORDER BY seq LIMIT 201",
    "SELECT 'heartbeats', seq, id, 'heartbeat_members' FROM heartbeats h
         WHERE NOT EXISTS (SELECT 1 FROM heartbeat_members m WHERE m.family_id = h.family_id
             AND m.heartbeat_id = h.id AND m.role = 'owner') ORDER BY seq LIMIT 201",
];

/// Returns what is wrong in a database.
///
/// # Errors
/// If it cannot be read as a database of this program and its version.
pub(in crate::store) fn check(
    address: &PostgresAddress,
) -> Result<Vec<DatabaseProblem>, OpenError> {
    on_own_thread(|| {
        let mut connection = Connection::open(address)?;
        let version = schema::version(&mut connection, address)?;
        let version = version.ok_or_else(|| OpenError::Missing { database: address.clone() })?;
        if version < VERSION {
            // The tables lack what the next start adds.
            return Ok(Vec::new());
        }
        find(&mut connection).map_err(|error| OpenError::other(address, &error))
    })
}

/// Returns an error if a database has no tables of dibber.
pub(in crate::store) fn check_exists(address: &PostgresAddress) -> Result<(), OpenError> {
    on_own_thread(|| {
        let mut connection = Connection::open(address)?;
        let version = schema::version(&mut connection, address)?;
        version.map(drop).ok_or_else(|| OpenError::Missing { database: address.clone() })
    })
}

fn find(connection: &mut Connection) -> Result<Vec<DatabaseProblem>, Error> {
    // One state, while other processes go on writing.
    connection.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
    let mut problems = Vec::new();
    for table in TABLES.into_iter().flatten() {
        find_damaged_rows(connection, table, &mut problems)?;
    }
    if connection.query("SELECT id FROM server", &[])?.is_empty() {
        let message = "the table `server` has no row".to_owned();
        problems.push(DatabaseProblem::Structure { message });
    }
    for statement in OWNERS {
        let rows = connection.query(statement, &[])?;
        problems.extend(rows.iter().filter_map(|row| without_owner(row).ok()));
    }
    if problems.len() > PROBLEMS_MAX {
        problems.truncate(PROBLEMS_MAX);
        problems.push(DatabaseProblem::More { reported: PROBLEMS_MAX });
    }
    Ok(problems)
}

/// Adds the rows of a table that the server cannot read.
fn find_damaged_rows(
    connection: &mut Connection,
    CheckedTable { name, columns, parse, id }: &CheckedTable,
    problems: &mut Vec<DatabaseProblem>,
) -> Result<(), Error> {
    let statement = format!(
        "SELECT {columns}, seq AS row_number FROM {name} WHERE seq > $1 ORDER BY seq \
         LIMIT {PAGE_ROWS}"
    );
    let mut last = i64::MIN;
    while problems.len() <= PROBLEMS_MAX {
        let rows = connection.query(&statement, &[Value::from(last)])?;
        for row in &rows {
            let number = row.columns().len() - 1;
            last = row.try_get(number)?;
            let Err(DamagedColumn(column)) = check_row(row, *parse) else { continue };
            problems.push(DatabaseProblem::Row {
                table: (*name).to_owned(),
                row: last,
                id: id(row),
                column: row.columns().get(column).map(|column| column.name().to_owned()),
            });
        }
        if rows.len() < PAGE_ROWS {
            break;
        }
    }
    Ok(())
}

/// Reads a row, and checks its ids, which clients would not read otherwise.
fn check_row(row: &Row, parse: fn(&Row) -> Parsed<()>) -> Parsed<()> {
    parse(row)?;
    for (number, column) in row.columns().iter().enumerate() {
        let is_id = column.name() == "id" || column.name().ends_with("_id");
        if is_id && let Some(id) = optional_str(row, number)? {
            check_id(&id).map_err(|_| DamagedColumn(number))?;
        }
    }
    Ok(())
}

/// Reads a row that a statement of [`OWNERS`] finds.
fn without_owner(row: &Row) -> Parsed<DatabaseProblem> {
    Ok(DatabaseProblem::WithoutOwner {
        table: text(row, 0)?,
        row: integer(row, 1)?,
        id: optional_text(row, 2)?,
        missing_in: text(row, 3)?,
    })
}
