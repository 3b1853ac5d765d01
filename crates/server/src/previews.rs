//! The previews that a parent has to look at before something is written, and the errors of a write
//! without one.
//!
//! A spec-hash says which arguments a parent has seen, but not how they were judged, and a program
//! may judge them more strictly later. So each preview with a review is recorded beside its hash,
//! and a write that needs a review needs such a preview, which has shown each of its reasons. A
//! reason is the same if its code and its argument are: the program may word it otherwise each time.
//! That does not stop the write, and the answer then says the new words.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::failure::Failure;
use super::idempotency::RECORDED_MILLISECONDS;
use super::store::{RecordedAnswer, Writer};
use super::tool::Call;
use dibber_skill::contract::{Decision, Issue, PolicyDecision, PolicyReason};
use dibber_skill::spec_hash::{SpecHash, canonical_json};
use dibber_text::hex;

/// The most reasons for a review that one message names.
const NAMED_MAX: usize = 3;

/// Records the reasons for a review that the preview of a call shows. The safety check asks for one.
pub(super) fn record_preview(
    call: &Call,
    hash: SpecHash,
    decision: &PolicyDecision,
    store: &dyn Writer,
) -> Result<(), Failure> {
    let now = call.millisecond();
    let preview = RecordedAnswer {
        user_id: call.caller.user_id.clone(),
        key: key(hash),
        fingerprint: digest(decision),
        answer: reviews(decision).map(place).collect(),
        at: now,
    };
    Ok(store.record_answer(&preview, now - RECORDED_MILLISECONDS)?)
}

/// What the last preview of a call has shown of the reasons for a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PreviewedReview {
    /// The same reasons, or there are none.
    Same,
    /// The same reasons in other words, or more than these.
    Reworded,
    /// Not all of them: it was not previewed, nothing asked for a review then, or something else
    /// did.
    Incomplete,
}

/// Returns what the caller has seen of the reasons for a review of this call.
pub(super) fn previewed_review(
    call: &Call,
    hash: SpecHash,
    decision: &PolicyDecision,
    store: &dyn Writer,
) -> Result<PreviewedReview, Failure> {
    if !call.safety.asks_for_review() {
        return Ok(PreviewedReview::Same);
    }
    let since = call.millisecond() - RECORDED_MILLISECONDS;
    let Some(preview) = store.claim(&call.caller.user_id, &key(hash), since)? else {
        return Ok(PreviewedReview::Incomplete);
    };
    if preview.fingerprint == digest(decision) {
        return Ok(PreviewedReview::Same);
    }
    let shown = preview.answer.as_array().map(Vec::as_slice).unwrap_or_default();
    let are_shown = reviews(decision).all(|reason| shown.contains(&place(reason)));
    Ok(if are_shown { PreviewedReview::Reworded } else { PreviewedReview::Incomplete })
}

/// Returns the problem of a hash that is not that of the arguments. It does not contain theirs: a
/// hash is only for what was previewed.
pub(super) fn hash_mismatch(tool: &str) -> Issue {
    spec_hash_issue(
        "SPEC_HASH_MISMATCH",
        "the arguments differ from those of the dry-run".to_owned(),
        format!(
            "call {tool} with dryRun and without specHash, show the preview to the parent, and \
             send the specHash that comes back"
        ),
    )
}

/// Returns the problem of a write that has to be reviewed, unless its preview has shown that.
pub(super) fn preview_problem(
    tool: &str,
    call: &Call,
    previewed: PreviewedReview,
    decision: &PolicyDecision,
) -> Option<Issue> {
    let fix = format!(
        "call {tool} with dryRun, show the preview and its reasons to the parent, and send the \
         specHash that comes back"
    );
    let reasons = review_messages(decision);
    if !call.arguments.contains_key("specHash") {
        let message = format!("a parent has to look at this skill before it is written: {reasons}");
        return Some(spec_hash_issue("REVIEW_NEEDS_SPEC_HASH", message, fix));
    }
    if previewed == PreviewedReview::Incomplete {
        let message = format!(
            "the preview did not show every reason why this skill has to be reviewed: {reasons}"
        );
        return Some(spec_hash_issue("PREVIEW_OUTDATED", message, fix));
    }
    None
}

/// Returns the messages of the first reasons for a review.
pub(super) fn review_messages(decision: &PolicyDecision) -> String {
    let messages = reviews(decision).take(NAMED_MAX).map(|reason| reason.message.as_str());
    messages.collect::<Vec<_>>().join("; ")
}

fn spec_hash_issue(reason: &str, message: String, fix: String) -> Issue {
    Issue { path: "/specHash".to_owned(), reason: reason.to_owned(), message, fix }
}

/// Returns the reasons for a review.
fn reviews(decision: &PolicyDecision) -> impl Iterator<Item = &PolicyReason> {
    decision.reasons.iter().filter(|reason| reason.decision == Decision::Review)
}

/// Returns the code of a reason, and the argument that it is about.
fn place(reason: &PolicyReason) -> Value {
    json!([reason.reason, reason.path])
}

/// Returns the digest of the reasons for a review (SHA-256, hexadecimal).
fn digest(decision: &PolicyDecision) -> String {
    let reasons: Vec<_> = reviews(decision).collect();
    hex(Sha256::digest(canonical_json(&json!(reasons))))
}

/// Returns the key of a preview. No idempotency key is like it: these have no spaces.
fn key(hash: SpecHash) -> String {
    format!("preview {hash}")
}
