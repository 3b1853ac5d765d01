//! Answers to calls with an idempotency key, so that a repeated call gets the same answer.

use serde_json::Value;

use dibber_skill::contract::UserId;

use super::error::StoreResult;

/// What was answered to a call with an idempotency key.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedAnswer {
    /// The caller.
    pub user_id: UserId,
    /// The key.
    pub key: String,
    /// A digest of the tool and of the canonical arguments.
    pub fingerprint: String,
    /// The answer: a success, or `{"error":…}`.
    pub answer: Value,
    /// When it was answered.
    pub at: i64,
}

/// Claims keys, and records what is answered to them.
///
/// A claim is a part of the transaction in which the call runs, so it needs no lease: if the
/// process dies, or the transaction fails for another reason, the database rolls the claim back
/// with everything else that the call did, and the next call with the key runs at once.
pub trait IdempotencyRecords {
    /// Claims a key of a user until this transaction ends, and returns what was answered to it, if
    /// that is not older than `since`.
    ///
    /// Of two transactions that claim one key, in one process or in two, the second one sees what
    /// the first one recorded, or fails: it never finds the key unused. An engine whose
    /// transactions run one at a time has nothing to do for that; another one inserts a row under a
    /// unique index, on which the second transaction waits.
    fn claim(&self, user: &UserId, key: &str, since: i64) -> StoreResult<Option<RecordedAnswer>>;

    /// Records what is answered to a claimed key, and deletes a few of the answers that are older
    /// than `since`.
    fn record_answer(&self, answer: &RecordedAnswer, since: i64) -> StoreResult<()>;
}
