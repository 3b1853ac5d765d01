//! Idempotency keys: a write that is sent again with its key takes effect once.
//!
//! A key belongs to its caller, and to one tool with one set of arguments. What was answered to
//! it, a success or a refusal, is answered again for 24 hours; an error of the server is not, so
//! that trying again can help.
//!
//! That a write happens once is up to the store: the key is claimed, the write made and the answer
//! recorded in one transaction, so two servers on one database cannot both make it, and a server
//! that dies leaves neither a write without its answer nor a claim that blocks the key.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::failure::Failure;
use super::mutex::lock;
use super::store::{RecordedAnswer, Writer};
use super::tool::{Call, Run, Tool};
use dibber_skill::contract::{
    ERROR, ErrorCode, IDEMPOTENCY_CONFLICT, IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_CHARACTERS_MAX,
    REPLAYED, ToolError, UserId,
};
use dibber_skill::spec_hash::{canonical_json, check_hashable};
use dibber_text::hex;

/// The most bytes of an answer that is recorded whole (64 KiB). Of a larger one, only the short
/// fields are, and nothing if the tool reads what it answers: that can be read again.
const RECORDED_BYTES_MAX: usize = 64 << 10;

/// The most bytes of a field that is recorded of a larger answer.
const SHORT_FIELD_BYTES_MAX: usize = 4 << 10;

/// What is recorded of an answer that can be read again.
const OMITTED: &str = "omitted";

/// How long an answer is recorded, in milliseconds.
pub(super) const RECORDED_MILLISECONDS: i64 = IDEMPOTENCY_HOURS * 60 * 60 * 1000;

/// The calls of this process that are in flight. It only makes a repeated call end at once, instead
/// of waiting in the store for the call that it repeats.
#[derive(Clone, Debug, Default)]
pub(super) struct InFlight(Arc<Mutex<Fingerprints>>);

/// The fingerprint of each call, by its user and key.
type Fingerprints = HashMap<(UserId, String), String>;

/// Removes a call from those in flight when it is dropped.
#[derive(Debug)]
pub(super) struct InFlightGuard {
    in_flight: InFlight,
    name: (UserId, String),
}

/// A key with the call that it belongs to.
#[derive(Clone, Debug)]
pub(super) struct CallKey {
    pub(super) user_id: UserId,
    pub(super) value: String,
    pub(super) fingerprint: String,
    /// Whether the tool reads what it answers, so that a repeated call can read it again.
    can_read_again: bool,
}

impl CallKey {
    /// Parses the key of a call, which may be named in several places; none if it is in none.
    pub(super) fn parse(
        keys: &[String],
        tool: &Tool,
        call: &Call,
    ) -> Result<Option<Self>, Failure> {
        let Some(key) = keys.first() else { return Ok(None) };
        if keys.iter().any(|other| other != key) {
            let message = "the call has different idempotency keys in its arguments, its `_meta` \
                           and its header";
            let fix = "send the key in one of these places";
            return Err(Failure::bad_input("INVALID_IDEMPOTENCY_KEY", message, fix));
        }
        Self::new(key, tool, call).map(Some)
    }

    fn new(key: &str, tool: &Tool, call: &Call) -> Result<Self, Failure> {
        let is_visible = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_visible || key.len() > IDEMPOTENCY_KEY_CHARACTERS_MAX {
            let message = format!(
                "the idempotency key must be 1 to {IDEMPOTENCY_KEY_CHARACTERS_MAX} visible ASCII \
                 characters"
            );
            let fix = "use a new UUID for each write";
            return Err(Failure::bad_input("INVALID_IDEMPOTENCY_KEY", message, fix));
        }
        // Another call could have the same fingerprint.
        check_hashable(&call.arguments).map_err(Failure::not_hashable)?;
        Ok(Self {
            user_id: call.caller.user_id.clone(),
            value: key.to_owned(),
            fingerprint: fingerprint(tool.name, &call.arguments),
            can_read_again: matches!(tool.run, Run::ReadThenRecord { .. }),
        })
    }

    /// Claims the key for this transaction, and returns what was answered to it before.
    pub(super) fn claim(&self, store: &dyn Writer, now: i64) -> Result<Option<Value>, Failure> {
        let since = now - RECORDED_MILLISECONDS;
        match store.claim(&self.user_id, &self.value, since)? {
            None => Ok(None),
            Some(before) if before.fingerprint != self.fingerprint => Err(conflict()),
            Some(before) if before.answer.get(OMITTED).is_some() => Ok(None),
            Some(before) => Ok(Some(before.answer)),
        }
    }

    /// Records what is answered.
    pub(super) fn record(
        &self,
        answer: &Value,
        store: &dyn Writer,
        now: i64,
    ) -> Result<(), Failure> {
        let answer = RecordedAnswer {
            user_id: self.user_id.clone(),
            key: self.value.clone(),
            fingerprint: self.fingerprint.clone(),
            answer: recorded(answer, self.can_read_again),
            at: now,
        };
        Ok(store.record_answer(&answer, now - RECORDED_MILLISECONDS)?)
    }
}

impl InFlight {
    /// Adds a call; it is refused if one with its key is in flight.
    pub(super) fn begin(&self, key: &CallKey) -> Result<InFlightGuard, Failure> {
        let name = (key.user_id.clone(), key.value.clone());
        self.with(|calls| match calls.get(&name) {
            Some(fingerprint) if *fingerprint != key.fingerprint => Err(conflict()),
            Some(_) => Err(in_flight()),
            None => {
                calls.insert(name.clone(), key.fingerprint.clone());
                Ok(())
            }
        })?;
        Ok(InFlightGuard { in_flight: self.clone(), name })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Fingerprints) -> T) -> T {
        work(&mut lock(&self.0))
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.in_flight.with(|calls| calls.remove(&self.name));
    }
}

/// Returns the answer to record: a success, or a refusal as `{"error":…}`. A failure of the server
/// is not recorded.
pub(super) fn encode_answer(result: Result<Value, Failure>) -> Result<Value, Failure> {
    match result {
        Err(Failure::Refused(error)) => Ok(json!({ERROR: error})),
        other => other,
    }
}

/// Returns what is recorded of an answer.
fn recorded(answer: &Value, can_read_again: bool) -> Value {
    if answer.to_string().len() <= RECORDED_BYTES_MAX {
        return answer.clone();
    }
    match answer.get(ERROR) {
        None if can_read_again => json!({OMITTED: true}),
        None => with_short_fields(answer),
        Some(error) => json!({ERROR: with_short_fields(error)}),
    }
}

fn with_short_fields(object: &Value) -> Value {
    let fields = object.as_object().into_iter().flatten();
    let short = fields.filter(|(_, field)| field.to_string().len() <= SHORT_FIELD_BYTES_MAX);
    Value::Object(short.map(|(name, field)| (name.clone(), field.clone())).collect())
}

/// Marks an answer as a repeated one.
pub(super) fn replayed(mut envelope: Value) -> Value {
    if let Value::Object(envelope) = &mut envelope {
        envelope.insert(REPLAYED.to_owned(), true.into());
    }
    envelope
}

/// Returns the answer in an envelope, as it was given first; one that is replayed says so.
pub(super) fn decode_answer(envelope: Value) -> Result<Value, Failure> {
    match envelope.get(ERROR) {
        None => Ok(envelope),
        Some(error) => {
            let error = serde_json::from_value::<ToolError>(error.clone())
                .map_err(|error| Failure::Internal(error.into()))?;
            let replayed = envelope.get(REPLAYED) == Some(&Value::Bool(true));
            Err(ToolError { replayed, ..error }.into())
        }
    }
}

fn in_flight() -> Failure {
    ToolError::new(
        ErrorCode::InternalError,
        "a call with this idempotency key is in flight",
        "wait a moment, and send the same call again",
    )
    .reason("IDEMPOTENCY_IN_FLIGHT")
    .into()
}

fn conflict() -> Failure {
    Failure::bad_input(
        IDEMPOTENCY_CONFLICT,
        "this idempotency key was used for another call",
        "use a new key for each write",
    )
}

/// Returns the digest of a call: SHA-256, hexadecimal.
fn fingerprint(tool: &str, arguments: &Map<String, Value>) -> String {
    hex(Sha256::digest(canonical_json(&json!({"tool": tool, "arguments": arguments}))))
}
