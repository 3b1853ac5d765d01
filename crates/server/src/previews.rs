//! The previews that the safety check has asked a parent to look at.
//!
//! A spec-hash says which arguments a parent has seen, but not how they were judged, and a program
//! may judge them otherwise later. So each preview with a review leaves a digest of its reasons
//! beside its hash, and a write with these reasons needs a preview that had the same.

use serde_json::Value;

use super::failure::Failure;
use super::idempotency::RECORDED_MILLISECONDS;
use super::store::{RecordedAnswer, Writer};
use super::tool::Call;
use dibber_skill::spec_hash::SpecHash;

/// Records the reasons for a review that the preview of a call shows.
pub(super) fn record_preview(
    call: &Call,
    hash: SpecHash,
    store: &dyn Writer,
) -> Result<(), Failure> {
    let Some(fingerprint) = call.safety.review_digest() else { return Ok(()) };
    let now = call.millisecond();
    let preview = RecordedAnswer {
        user_id: call.caller.user_id.clone(),
        key: key(hash),
        fingerprint,
        answer: Value::Null,
        at: now,
    };
    Ok(store.record_answer(&preview, now - RECORDED_MILLISECONDS)?)
}

/// Returns `true` if the caller has seen the reasons for a review of this call in its last preview,
/// or there are none.
pub(super) fn was_previewed(
    call: &Call,
    hash: SpecHash,
    store: &dyn Writer,
) -> Result<bool, Failure> {
    let Some(digest) = call.safety.review_digest() else { return Ok(true) };
    let since = call.millisecond() - RECORDED_MILLISECONDS;
    let preview = store.claim(&call.caller.user_id, &key(hash), since)?;
    Ok(preview.is_some_and(|preview| preview.fingerprint == digest))
}

/// Returns the key of a preview. No idempotency key is like it: these have no spaces.
fn key(hash: SpecHash) -> String {
    format!("preview {hash}")
}
