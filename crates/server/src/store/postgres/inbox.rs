//! The cards of the inbox, in the table of results.

use postgres::Row;

use super::checked_table::{CheckedTable, id_column};
use super::session::Session;
use super::value::{Parsed, from_json, from_word, id, optional_id, time, to_json, values};
use crate::store::error::StoreResult;
use crate::store::families::FamilyId;
use crate::store::inbox::{Card, CardList, ReadInbox, WriteInbox};
use crate::store::listed::Listed;
use crate::store::resource::Resource;
use crate::store::versions::WriteVersions;
use dibber_skill::contract::{CardKind, CardState, ChatId, HeartbeatId, ResultId, WireEnum};

/// The columns of a card, in the order of [`card`].
macro_rules! columns {
    () => {
        "id, skill_id, thread_id, user_id, heartbeat_id, run_id, kind, state, posted_at, result"
    };
}

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[CheckedTable {
    name: "results",
    columns: columns!(),
    parse: |row| card(row).map(drop),
    id: id_column,
}];

/// Deletes the cards of a family before the newest `$2`.
const DELETE_OLD_CARDS: &str = "DELETE FROM results WHERE family_id = $1 AND seq <= (
    SELECT seq FROM results WHERE family_id = $1 ORDER BY seq DESC LIMIT 1 OFFSET $2)";

/// The beginning of every statement that reads cards.
macro_rules! select {
    ($($rest:literal),+) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM results WHERE family_id = $1 AND ",
            $($rest),+
        )
    };
}

/// A statement that lists cards before the one with the id `$2`. `seq` is in the order of the
/// commits, as that of skills is.
macro_rules! listing {
    ($filter:literal) => {
        select!(
            $filter,
            " AND seq < CASE WHEN $2 IS NULL THEN 9223372036854775807 \
             ELSE (SELECT seq FROM results WHERE family_id = $1 AND id = $2) END \
             ORDER BY seq DESC"
        )
    };
}

const CURRENT: &str = listing!("state <> 'archived'");
const IN_STATE: &str = listing!("state = $3");
const CURRENT_OF_THREAD: &str = listing!("thread_id = $3 AND state <> 'archived'");
const IN_STATE_OF_THREAD: &str = listing!("thread_id = $3 AND state = $4");

impl ReadInbox for Session<'_> {
    fn card(&self, family: &FamilyId, id: &ResultId) -> StoreResult<Option<Card>> {
        self.one(select!("id = $2"), values![family, id], card)
    }

    fn cards(&self, family: &FamilyId, list: &CardList) -> StoreResult<Listed<Card>> {
        let CardList { after, limit, state, thread } = list;
        let (after, limit) = (after.as_ref(), *limit);
        match (thread, state.map(CardState::name)) {
            (None, None) => self.page(CURRENT, values![family, after], limit, card),
            (None, Some(state)) => self.page(IN_STATE, values![family, after, state], limit, card),
            (Some(thread), None) => {
                self.page(CURRENT_OF_THREAD, values![family, after, thread], limit, card)
            }
            (Some(thread), Some(state)) => {
                self.page(IN_STATE_OF_THREAD, values![family, after, thread, state], limit, card)
            }
        }
    }

    fn has_cards(&self, family: &FamilyId, thread: &ChatId) -> StoreResult<bool> {
        let statement = "SELECT 1 FROM results WHERE family_id = $1 AND thread_id = $2 LIMIT 1";
        let found = self.one(statement, values![family, thread], |_| Ok(()))?;
        Ok(found.is_some())
    }
}

impl WriteInbox for Session<'_> {
    fn add_card(&self, family: &FamilyId, card: &Card, kept: usize) -> StoreResult<()> {
        self.execute_one(
            "INSERT INTO results (family_id, id, skill_id, thread_id, user_id, heartbeat_id, run_id,
             kind, state, posted_at, result) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            values![
                family,
                &card.id,
                &card.skill_id,
                &card.thread_id,
                &card.user_id,
                card.heartbeat_id.as_ref(),
                card.run_id.as_ref(),
                card.kind.name(),
                card.state.name(),
                card.posted_at,
                to_json(&card.result)?,
            ],
        )?;
        let kept = i64::try_from(kept).unwrap_or(i64::MAX);
        self.execute(DELETE_OLD_CARDS, values![family, kept])?;
        record_change(self, family, card.heartbeat_id.as_ref())
    }

    fn set_card_state(
        &self,
        family: &FamilyId,
        id: &ResultId,
        state: CardState,
    ) -> StoreResult<bool> {
        let statement = "UPDATE results SET state = $3
             WHERE family_id = $1 AND id = $2 AND state <> $3 RETURNING heartbeat_id";
        let changed =
            self.one(statement, values![family, id, state.name()], |row| optional_id(row, 0))?;
        let Some(heartbeat) = changed else { return Ok(false) };
        record_change(self, family, heartbeat.as_ref())?;
        Ok(true)
    }
}

/// Records that a card has changed, which may be about a heartbeat.
fn record_change(
    session: &Session<'_>,
    family: &FamilyId,
    heartbeat: Option<&HeartbeatId>,
) -> StoreResult<()> {
    session.record_change(family, Resource::Inbox)?;
    heartbeat.map_or(Ok(()), |id| session.record_heartbeat_change(family, id))
}

fn card(row: &Row) -> Parsed<Card> {
    Ok(Card {
        id: id(row, 0)?,
        skill_id: id(row, 1)?,
        thread_id: id(row, 2)?,
        user_id: id(row, 3)?,
        heartbeat_id: optional_id(row, 4)?,
        run_id: optional_id(row, 5)?,
        kind: from_word(row, 6, CardKind::from_name)?,
        state: from_word(row, 7, CardState::from_name)?,
        posted_at: time(row, 8)?,
        result: from_json(row, 9)?,
    })
}
