//! The previews that the safety check has asked a parent to look at.
//!
//! A spec-hash says which arguments a parent has seen, but not how they were judged, and a program
//! may judge them more strictly later. So each preview with a review is recorded beside its hash,
//! and a write that needs a review needs such a preview. The reasons may be worded otherwise each
//! time: they do not stop the write, and the answer then says the new ones.

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

/// What the last preview of a call has shown of the reasons for a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PreviewedReview {
    /// The same reasons, or there are none.
    Same,
    /// Reasons in other words.
    Reworded,
    /// None: it was not previewed, or nothing asked for a review then.
    None,
}

/// Returns what the caller has seen of the reasons for a review of this call.
pub(super) fn previewed_review(
    call: &Call,
    hash: SpecHash,
    store: &dyn Writer,
) -> Result<PreviewedReview, Failure> {
    let Some(digest) = call.safety.review_digest() else { return Ok(PreviewedReview::Same) };
    let since = call.millisecond() - RECORDED_MILLISECONDS;
    let preview = store.claim(&call.caller.user_id, &key(hash), since)?;
    Ok(match preview {
        Some(preview) if preview.fingerprint == digest => PreviewedReview::Same,
        Some(_) => PreviewedReview::Reworded,
        None => PreviewedReview::None,
    })
}

/// Returns the key of a preview. No idempotency key is like it: these have no spaces.
fn key(hash: SpecHash) -> String {
    format!("preview {hash}")
}
