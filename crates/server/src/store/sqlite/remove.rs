//! Removing a damaged skill or heartbeat from a database, so that it can be added again.

use std::io;
use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Params, TransactionBehavior};
use serde_json::{Map, Value};

use super::check::damaged_row_numbers;
use super::connection::{Durability, open};
use super::error::OpenError;
use super::{heartbeats, skills};
use crate::store::removal::{RemovalDecision, RemovedRow};
use dibber_text::hex;

const SKILLS: &str = "skills";
const HEARTBEATS: &str = "heartbeats";
const MEMBERS: &str = "heartbeat_members";
const RESULTS: &str = "results";

/// The heartbeats that refer to the skill in the row ?1.
const HEARTBEATS_OF_SKILL: &str = "\
SELECT heartbeats.rowid FROM heartbeats JOIN skills ON heartbeats.family_id = skills.family_id
    AND skills.id IN (heartbeats.run_skill_id, heartbeats.assignment_skill_id)
    WHERE skills.rowid = ?1";

/// The skills with the id ?1 that refer to something that does not exist.
const BROKEN_SKILLS: &str = "\
SELECT rowid FROM skills
    WHERE id = ?1 AND rowid IN (SELECT rowid FROM pragma_foreign_key_check('skills'))";

/// The heartbeats with the id ?1 that refer to something that does not exist, or have no owner.
const BROKEN_HEARTBEATS: &str = "\
SELECT rowid FROM heartbeats
    WHERE id = ?1 AND (rowid IN (SELECT rowid FROM pragma_foreign_key_check('heartbeats'))
        OR (family_id, id) NOT IN
            (SELECT family_id, heartbeat_id FROM heartbeat_members WHERE role = 'owner'))";

/// The results of the skill in the row ?1.
const RESULTS_OF_SKILL: &str = "\
SELECT rowid FROM results
    WHERE (family_id, skill_id) = (SELECT family_id, id FROM skills WHERE rowid = ?1)";

/// The members of the heartbeat in the row ?1.
const MEMBERS_OF_HEARTBEAT: &str = "\
SELECT rowid FROM heartbeat_members
    WHERE (family_id, heartbeat_id) = (SELECT family_id, id FROM heartbeats WHERE rowid = ?1)";

/// Removes the skills and heartbeats with an id that cannot be read or that miss what they refer to,
/// and what refers to them, if `decide` says so of their rows. No other row is removed by its id.
///
/// # Errors
/// If the database cannot be opened or changed, or if `decide` fails.
pub(in crate::store) fn remove_damaged(
    path: &Path,
    id: &str,
    decide: &mut dyn FnMut(&[RemovedRow]) -> io::Result<RemovalDecision>,
) -> Result<(), OpenError> {
    // It is not created if it is missing.
    super::check(path)?;
    let mut connection = open(path, Durability::PowerCut)?;
    let from_sqlite = |cause| OpenError::from_sqlite(path, cause);
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let change = change.map_err(from_sqlite)?;
    let mut removed = Vec::new();
    remove(&change, id, &mut removed).map_err(from_sqlite)?;
    match decide(&removed).map_err(|cause| OpenError::from_io(path, cause))? {
        RemovalDecision::Keep => change.rollback(),
        RemovalDecision::Remove => change.commit(),
    }
    .map_err(from_sqlite)
}

fn remove(
    connection: &Connection,
    id: &str,
    removed: &mut Vec<RemovedRow>,
) -> rusqlite::Result<()> {
    for table in skills::CHECKED.iter().filter(|table| table.name == SKILLS) {
        let damaged = damaged_row_numbers(connection, table, id)?;
        for row in with_broken(connection, damaged, BROKEN_SKILLS, id)? {
            for heartbeat in row_numbers(connection, HEARTBEATS_OF_SKILL, [row])? {
                remove_heartbeat(connection, heartbeat, removed)?;
            }
            for result in row_numbers(connection, RESULTS_OF_SKILL, [row])? {
                remove_row(connection, RESULTS, result, removed)?;
            }
            remove_row(connection, SKILLS, row, removed)?;
        }
    }
    for table in heartbeats::CHECKED.iter().filter(|table| table.name == HEARTBEATS) {
        let damaged = damaged_row_numbers(connection, table, id)?;
        for row in with_broken(connection, damaged, BROKEN_HEARTBEATS, id)? {
            remove_heartbeat(connection, row, removed)?;
        }
    }
    Ok(())
}

/// Adds the rows that a statement finds by an id to those that cannot be read.
fn with_broken(
    connection: &Connection,
    mut rows: Vec<i64>,
    statement: &str,
    id: &str,
) -> rusqlite::Result<Vec<i64>> {
    for row in row_numbers(connection, statement, [id])? {
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Removes the heartbeat in a row, with its members.
fn remove_heartbeat(
    connection: &Connection,
    row: i64,
    removed: &mut Vec<RemovedRow>,
) -> rusqlite::Result<()> {
    for member in row_numbers(connection, MEMBERS_OF_HEARTBEAT, [row])? {
        remove_row(connection, MEMBERS, member, removed)?;
    }
    remove_row(connection, HEARTBEATS, row, removed)
}

fn row_numbers(
    connection: &Connection,
    statement: &str,
    parameters: impl Params,
) -> rusqlite::Result<Vec<i64>> {
    connection.prepare(statement)?.query_map(parameters, |row| row.get(0))?.collect()
}

fn remove_row(
    connection: &Connection,
    table: &'static str,
    row: i64,
    removed: &mut Vec<RemovedRow>,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {table} WHERE rowid = ?1"))?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let columns = statement.query_row([row], |row| {
        let value = |(index, name): (usize, &String)| Ok((name.clone(), json(row.get_ref(index)?)));
        names.iter().enumerate().map(value).collect::<rusqlite::Result<Map<String, Value>>>()
    })?;
    connection.execute(&format!("DELETE FROM {table} WHERE rowid = ?1"), [row])?;
    removed.push(RemovedRow { table, columns });
    Ok(())
}

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(bytes) => {
            std::str::from_utf8(bytes).map_or_else(|_| hex_value(bytes), Value::from)
        }
        ValueRef::Blob(bytes) => hex_value(bytes),
    }
}

fn hex_value(bytes: &[u8]) -> Value {
    format!("hex:{}", hex(bytes)).into()
}
