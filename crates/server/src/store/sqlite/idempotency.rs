//! Answers that are remembered, so that a repeated call gets the same one.

use super::session::{Session, from_json, json};
use crate::store::{Remembered, Stored};

/// Forgets old answers, the oldest first, and a few at a time, so that no change has to wait for
/// a great tidying.
pub const FORGET: &str = "DELETE FROM answers WHERE seq IN
    (SELECT seq FROM answers WHERE answered_at < ?1 ORDER BY answered_at LIMIT 16)";

pub(super) fn remembered(
    session: &Session<'_>,
    user: &str,
    key: &str,
    since: i64,
) -> Stored<Option<Remembered>> {
    let statement = "SELECT user_id, idempotency_key, fingerprint, answer, answered_at FROM answers
         WHERE user_id = ?1 AND idempotency_key = ?2 AND answered_at >= ?3";
    session.one(statement, (user, key, since), |row| {
        Ok(Remembered {
            user_id: row.get(0)?,
            key: row.get(1)?,
            fingerprint: row.get(2)?,
            answer: from_json(row, 3)?,
            at: row.get(4)?,
        })
    })
}

pub(super) fn remember(session: &Session<'_>, remembered: &Remembered, since: i64) -> Stored<()> {
    session.change(FORGET, [since])?;
    session.change_one(
        "INSERT INTO answers (user_id, idempotency_key, fingerprint, answer, answered_at)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (user_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
         answer = excluded.answer, answered_at = excluded.answered_at",
        (
            &remembered.user_id,
            &remembered.key,
            &remembered.fingerprint,
            &json(&remembered.answer)?,
            remembered.at,
        ),
    )
}
