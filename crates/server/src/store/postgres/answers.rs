//! Answers to calls with an idempotency key.

use postgres::Row;

use super::checked_table::CheckedTable;
use super::session::Session;
use super::value::{Parsed, from_json, id, integer, text, to_json, values};
use crate::store::answers::{IdempotencyRecords, RecordedAnswer};
use crate::store::error::StoreResult;
use dibber_skill::contract::UserId;

/// Deletes old answers, the oldest first, and only a few at a time, so that no transaction has to
/// wait for the deletion of many.
const DELETE_OLD_ANSWERS: &str = "DELETE FROM answers WHERE seq IN
    (SELECT seq FROM answers WHERE answered_at < $1 ORDER BY answered_at LIMIT 16)";

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[CheckedTable {
    name: "answers",
    columns: "user_id, idempotency_key, fingerprint, answer, answered_at",
    parse: |row| answer(row).map(drop),
    id: |_| None,
}];

impl IdempotencyRecords for Session<'_> {
    /// A writing transaction holds the one lock of the database from its beginning, so no other one
    /// can claim the key, or answer to it, before this one ends.
    fn claim(&self, user: &UserId, key: &str, since: i64) -> StoreResult<Option<RecordedAnswer>> {
        let statement = "SELECT user_id, idempotency_key, fingerprint, answer, answered_at
             FROM answers WHERE user_id = $1 AND idempotency_key = $2 AND answered_at >= $3";
        self.one(statement, values![user, key, since], answer)
    }

    fn record_answer(&self, answer: &RecordedAnswer, since: i64) -> StoreResult<()> {
        self.execute(DELETE_OLD_ANSWERS, values![since])?;
        self.execute_one(
            "INSERT INTO answers (user_id, idempotency_key, fingerprint, answer, answered_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (user_id, idempotency_key) DO UPDATE SET
             fingerprint = excluded.fingerprint, answer = excluded.answer,
             answered_at = excluded.answered_at",
            values![
                &answer.user_id,
                &answer.key,
                &answer.fingerprint,
                to_json(&answer.answer)?,
                answer.at,
            ],
        )
    }
}

fn answer(row: &Row) -> Parsed<RecordedAnswer> {
    Ok(RecordedAnswer {
        user_id: id(row, 0)?,
        key: text(row, 1)?,
        fingerprint: text(row, 2)?,
        answer: from_json(row, 3)?,
        at: integer(row, 4)?,
    })
}
