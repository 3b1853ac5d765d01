//! What has happened.

use std::collections::BTreeSet;

use postgres::Row;
use serde_json::{Value, json};

use super::checked_table::CheckedTable;
use super::session::Session;
use super::value::{
    Parsed, escape, from_json, from_word, integer, optional_id, time, to_json, values,
};
use crate::store::activity::{
    Event, EventList, EventOrder, NumberedEvent, ReadActivity, WriteActivity,
};
use crate::store::error::{StoreError, StoreResult};
use crate::store::families::FamilyId;
use crate::store::listed::Listed;
use crate::store::resource::Resource;
use crate::store::versions::WriteVersions;
use dibber_skill::contract::{ActivityType, WireEnum};

/// The columns of an event, in the order of [`event`].
macro_rules! columns {
    () => {
        "number, type, actor_id, refs, payload, at"
    };
}

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[CheckedTable {
    name: "activity",
    columns: columns!(),
    parse: |row| event(row).map(drop),
    id: |_| None,
}];

/// A statement that lists events. It finds the first one of a page by an index; with a time, it
/// passes over the events before it.
macro_rules! listing {
    ($page:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM activity WHERE family_id = $1 AND ($3 IS NULL OR at >= $3) AND ",
            $page
        )
    };
}

const OLDEST_FIRST: &str = listing!("number > COALESCE($2, 0) ORDER BY number");
const NEWEST_FIRST: &str =
    listing!("number < COALESCE($2, 9223372036854775807) ORDER BY number DESC");

/// Adds the rows of a JSON array, in their order.
const ADD_EVENTS: &str =
    "INSERT INTO activity (family_id, number, type, actor_id, refs, payload, at)
     SELECT family, ROW_NUMBER() OVER (PARTITION BY family ORDER BY position)
             + COALESCE((SELECT MAX(number) FROM activity WHERE family_id = family), 0),
         type, actor, refs, payload, at
     FROM ROWS FROM (json_to_recordset($1::json)
             AS (family TEXT, type TEXT, actor TEXT, refs TEXT, payload TEXT, at BIGINT))
         WITH ORDINALITY AS added (family, type, actor, refs, payload, at, position)";

/// Deletes the events of the families of a JSON array but for the newest ones.
const REMOVE_OLDEST: &str = "WITH newest AS MATERIALIZED (
         SELECT family, (SELECT MAX(number) FROM activity WHERE family_id = family) AS number
         FROM json_array_elements_text($1::json) AS family)
     DELETE FROM activity USING newest
     WHERE activity.family_id = newest.family AND activity.number <= newest.number - $2";

impl ReadActivity for Session<'_> {
    fn events(&self, family: &FamilyId, list: &EventList) -> StoreResult<Listed<NumberedEvent>> {
        let statement = match list.order {
            EventOrder::OldestFirst => OLDEST_FIRST,
            EventOrder::NewestFirst => NEWEST_FIRST,
        };
        self.page(statement, values![family, list.after, list.since], list.limit, event)
    }

    fn newest_event(&self, family: &FamilyId) -> StoreResult<i64> {
        let statement = "SELECT COALESCE(MAX(number), 0) FROM activity WHERE family_id = $1";
        let newest = self.one(statement, values![family], |row| integer(row, 0))?;
        newest.ok_or(StoreError::Damaged)
    }
}

impl WriteActivity for Session<'_> {
    /// The numbers have no gaps, since only the oldest events are deleted, so that nothing has to be
    /// counted. One is drawn under the lock of the database, as `seq` of other tables is.
    fn add_event(&self, family: &FamilyId, event: &Event, kept: usize) -> StoreResult<()> {
        let number = self.newest_event(family)? + 1;
        self.execute_one(
            "INSERT INTO activity (family_id, number, type, actor_id, refs, payload, at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            values![
                family,
                number,
                event.kind.name(),
                event.actor.as_ref(),
                to_json(&event.refs)?,
                to_json(&event.payload)?,
                event.at,
            ],
        )?;
        let first_kept = number.saturating_sub(i64::try_from(kept).unwrap_or(i64::MAX));
        let statement = "DELETE FROM activity WHERE family_id = $1 AND number <= $2";
        self.execute(statement, values![family, first_kept])?;
        self.record_change(family, Resource::Activity)
    }

    /// They are added together: hundreds of runs can be due at the same moment, and a statement waits
    /// for the server.
    fn add_events(&self, events: &[(FamilyId, Event)], kept: usize) -> StoreResult<()> {
        let rows = events.iter().map(|(family, event)| row(family, event));
        let rows = Value::Array(rows.collect::<StoreResult<_>>()?).to_string();
        self.execute(ADD_EVENTS, values![&rows])?;
        let families: BTreeSet<_> = events.iter().map(|(family, _)| family).collect();
        let names: Value = families.iter().map(|family| escape(family.as_str())).collect();
        let kept = i64::try_from(kept).unwrap_or(i64::MAX);
        self.execute(REMOVE_OLDEST, values![&names.to_string(), kept])?;
        let changed = families.into_iter().map(|family| (family.clone(), Resource::Activity));
        self.record_changes(changed.collect())
    }
}

/// Returns an event as [`ADD_EVENTS`] takes it.
fn row(family: &FamilyId, event: &Event) -> StoreResult<Value> {
    Ok(json!({
        "family": escape(family.as_str()),
        "type": event.kind.name(),
        "actor": event.actor.as_ref().map(|actor| escape(actor.as_str())),
        "refs": escape(&serde_json::to_string(&event.refs).map_err(StoreError::new)?),
        "payload": escape(&serde_json::to_string(&event.payload).map_err(StoreError::new)?),
        "at": event.at,
    }))
}

fn event(row: &Row) -> Parsed<NumberedEvent> {
    let event = Event {
        kind: from_word(row, 1, ActivityType::from_name)?,
        actor: optional_id(row, 2)?,
        refs: from_json(row, 3)?,
        payload: from_json(row, 4)?,
        at: time(row, 5)?,
    };
    Ok(NumberedEvent { number: integer(row, 0)?, event })
}
