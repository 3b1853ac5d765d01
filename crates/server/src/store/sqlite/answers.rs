//! Answers to calls with an idempotency key.

use super::checked_table::CheckedTable;
use super::session::{Session, from_json, id, to_json};
use crate::store::answers::{IdempotencyRecords, RecordedAnswer};
use crate::store::error::StoreResult;
use dibber_skill::contract::UserId;
use rusqlite::Row;

/// Deletes old answers, the oldest first, and only a few at a time, so that no transaction has to
/// wait for the deletion of many.
pub const DELETE_OLD_ANSWERS: &str = "DELETE FROM answers WHERE seq IN
    (SELECT seq FROM answers WHERE answered_at < ?1 ORDER BY answered_at LIMIT 16)";

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[CheckedTable {
    name: "answers",
    columns: "user_id, idempotency_key, fingerprint, answer, answered_at",
    parse: |row| answer(row).map(drop),
    id: |_| None,
}];

impl IdempotencyRecords for Session<'_> {
    /// A writing transaction holds the one write lock of the database from its beginning, so no
    /// other one can claim the key, or answer to it, before this one ends.
    fn claim(&self, user: &UserId, key: &str, since: i64) -> StoreResult<Option<RecordedAnswer>> {
        let statement = "SELECT user_id, idempotency_key, fingerprint, answer, answered_at
             FROM answers WHERE user_id = ?1 AND idempotency_key = ?2 AND answered_at >= ?3";
        self.one(statement, (user.as_str(), key, since), answer)
    }

    fn record_answer(&self, answer: &RecordedAnswer, since: i64) -> StoreResult<()> {
        self.execute(DELETE_OLD_ANSWERS, [since])?;
        self.execute_one(
            "INSERT INTO answers (user_id, idempotency_key, fingerprint, answer, answered_at)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (user_id, idempotency_key) DO UPDATE SET
             fingerprint = excluded.fingerprint, answer = excluded.answer,
             answered_at = excluded.answered_at",
            (
                answer.user_id.as_str(),
                &answer.key,
                &answer.fingerprint,
                &to_json(&answer.answer)?,
                answer.at,
            ),
        )
    }
}

fn answer(row: &Row<'_>) -> rusqlite::Result<RecordedAnswer> {
    Ok(RecordedAnswer {
        user_id: id(row, 0)?,
        key: row.get(1)?,
        fingerprint: row.get(2)?,
        answer: from_json(row, 3)?,
        at: row.get(4)?,
    })
}
