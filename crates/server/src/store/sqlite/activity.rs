//! What has happened.

use rusqlite::{Row, params};

use super::checked_table::CheckedTable;
use super::session::{Session, from_json, from_word, optional_id, time, to_json};
use crate::store::activity::{
    Event, EventList, EventOrder, NumberedEvent, ReadActivity, WriteActivity,
};
use crate::store::error::{StoreError, StoreResult};
use crate::store::families::FamilyId;
use crate::store::listed::Listed;
use crate::store::resource::Resource;
use crate::store::versions::WriteVersions;
use dibber_skill::contract::{ActivityType, Id, WireEnum};

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
            " FROM activity WHERE family_id = ?1 AND (?3 IS NULL OR at >= ?3) AND ",
            $page
        )
    };
}

const OLDEST_FIRST: &str = listing!("number > COALESCE(?2, 0) ORDER BY number");
const NEWEST_FIRST: &str =
    listing!("number < COALESCE(?2, 9223372036854775807) ORDER BY number DESC");

/// The statements that list events.
pub const EVENT_LISTINGS: [&str; 2] = [OLDEST_FIRST, NEWEST_FIRST];

impl ReadActivity for Session<'_> {
    fn events(&self, family: &FamilyId, list: &EventList) -> StoreResult<Listed<NumberedEvent>> {
        let statement = match list.order {
            EventOrder::OldestFirst => OLDEST_FIRST,
            EventOrder::NewestFirst => NEWEST_FIRST,
        };
        self.list(statement, (family.as_str(), list.after, list.since), list.limit, event)
    }

    fn newest_event(&self, family: &FamilyId) -> StoreResult<i64> {
        let statement = "SELECT COALESCE(MAX(number), 0) FROM activity WHERE family_id = ?1";
        let newest = self.one(statement, [family.as_str()], |row| row.get(0))?;
        newest.ok_or(StoreError::Damaged)
    }
}

impl WriteActivity for Session<'_> {
    /// The numbers have no gaps, since only the oldest events are deleted, so that nothing has to be
    /// counted. One is drawn under the write lock of the database, as `seq` of other tables is.
    fn add_event(&self, family: &FamilyId, event: &Event, kept: usize) -> StoreResult<()> {
        let number = self.newest_event(family)? + 1;
        self.execute_one(
            "INSERT INTO activity (family_id, number, type, actor_id, refs, payload, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                family.as_str(),
                number,
                event.kind.name(),
                event.actor.as_ref().map(Id::as_str),
                to_json(&event.refs)?,
                to_json(&event.payload)?,
                event.at,
            ],
        )?;
        let first_kept = number.saturating_sub(i64::try_from(kept).unwrap_or(i64::MAX));
        let statement = "DELETE FROM activity WHERE family_id = ?1 AND number <= ?2";
        self.execute(statement, (family.as_str(), first_kept))?;
        self.record_change(family, Resource::Activity)
    }
}

fn event(row: &Row<'_>) -> rusqlite::Result<NumberedEvent> {
    let event = Event {
        kind: from_word(row, 1, ActivityType::from_name)?,
        actor: optional_id(row, 2)?,
        refs: from_json(row, 3)?,
        payload: from_json(row, 4)?,
        at: time(row, 5)?,
    };
    Ok(NumberedEvent { number: row.get(0)?, event })
}
