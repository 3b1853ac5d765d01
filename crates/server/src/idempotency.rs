//! Keys that make a repeated write the same write.
//!
//! A key belongs to its caller, and stands for one tool with one set of arguments. What was
//! answered to it, success or refusal, is answered again for 24 hours; a fault of the server is
//! not, so that trying again can help. Source: the decisions, sections 1.7 and 8.9.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::call::{Call, Tool};
use super::failure::Failure;
use super::store::{Remembered, Writer};
use dibber_skill::contract::{
    ERROR, ErrorCode, IDEMPOTENCY_CONFLICT, IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_CHARACTERS_MAX,
    REPLAYED, ToolError,
};
use dibber_skill::spec_hash::{canonical_json, check_hashable};
use dibber_text::hex;

/// How long an answer is remembered, in milliseconds.
const REMEMBERED_MILLISECONDS: i64 = IDEMPOTENCY_HOURS * 60 * 60 * 1000;

/// The keys whose calls are under way, each with the fingerprint of its call.
pub(super) type InFlight = HashMap<(String, String), String>;

/// A key with the call that it stands for.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub(super) user_id: String,
    pub(super) value: String,
    pub(super) fingerprint: String,
}

impl Key {
    /// Reads a key.
    pub(super) fn new(key: &str, tool: &Tool, call: &Call) -> Result<Self, Failure> {
        let is_visible = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_visible || key.len() > IDEMPOTENCY_KEY_CHARACTERS_MAX {
            let message = format!(
                "the idempotency key is not 1 to {IDEMPOTENCY_KEY_CHARACTERS_MAX} visible ASCII \
                 characters"
            );
            let fix = "make a UUID for each thing that is to be done once";
            return Err(Failure::bad_input("INVALID_IDEMPOTENCY_KEY", message, fix));
        }
        // Another call could have the same fingerprint.
        check_hashable(&call.arguments).map_err(Failure::not_hashable)?;
        Ok(Self {
            user_id: call.caller.user_id.clone(),
            value: key.to_owned(),
            fingerprint: fingerprint(tool.name, &call.arguments),
        })
    }

    /// The name of the key among those whose calls are under way.
    pub(super) fn name(&self) -> (String, String) {
        (self.user_id.clone(), self.value.clone())
    }

    /// What was answered to this key, if it was answered.
    pub(super) fn answered(&self, store: &dyn Writer, now: i64) -> Result<Option<Value>, Failure> {
        let since = now - REMEMBERED_MILLISECONDS;
        match store.remembered(&self.user_id, &self.value, since)? {
            None => Ok(None),
            Some(before) if before.fingerprint != self.fingerprint => Err(conflict()),
            Some(before) => Ok(Some(before.answer)),
        }
    }

    /// Remembers what is answered.
    pub(super) fn remember(
        &self,
        answer: &Value,
        store: &dyn Writer,
        now: i64,
    ) -> Result<(), Failure> {
        let remembered = Remembered {
            user_id: self.user_id.clone(),
            key: self.value.clone(),
            fingerprint: self.fingerprint.clone(),
            answer: answer.clone(),
            at: now,
        };
        Ok(store.remember(&remembered, now - REMEMBERED_MILLISECONDS)?)
    }
}

/// An answer that can be kept: a success, or a refusal as `{"error":…}`. What the server failed
/// in is not kept.
pub(super) fn envelope(result: Result<Value, Failure>) -> Result<Value, Failure> {
    match result {
        Err(Failure::Refused(error)) => Ok(json!({ERROR: error})),
        other => other,
    }
}

/// Marks an answer as one that was remembered.
pub(super) fn replayed(mut envelope: Value) -> Value {
    if let Value::Object(envelope) = &mut envelope {
        envelope.insert(REPLAYED.to_owned(), true.into());
    }
    envelope
}

/// Returns the answer in an envelope, as it was given first; one that is replayed says so.
pub(super) fn open(envelope: Value) -> Result<Value, Failure> {
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

/// The key is under way, or is now.
pub(super) fn begin(in_flight: &mut InFlight, key: &Key) -> Result<(), Failure> {
    match in_flight.get(&key.name()) {
        Some(fingerprint) if *fingerprint != key.fingerprint => Err(conflict()),
        Some(_) => Err(ToolError::new(
            ErrorCode::InternalError,
            "a call with this idempotency key is under way",
            "wait a moment, and send the same call again",
        )
        .reason("IDEMPOTENCY_IN_FLIGHT")
        .into()),
        None => {
            in_flight.insert(key.name(), key.fingerprint.clone());
            Ok(())
        }
    }
}

fn conflict() -> Failure {
    Failure::bad_input(
        IDEMPOTENCY_CONFLICT,
        "this idempotency key was sent with another call",
        "make a new key for each thing that is to be done once",
    )
}

/// The digest of a call: SHA-256, hexadecimal.
fn fingerprint(tool: &str, arguments: &Map<String, Value>) -> String {
    hex(Sha256::digest(canonical_json(&json!({"tool": tool, "arguments": arguments}))))
}
