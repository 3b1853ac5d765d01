//! Why a call about blobs is refused.

use std::fmt::Display;
use std::time::Duration;

use crate::store::StoreError;
use dibber_skill::contract::skills_protocol::{RpcCode, RpcError, RpcReason};
use dibber_skill::contract::{BlobId, Issue, WireEnum};

/// A store that fails is an error of the server. The cause goes only to the log.
impl From<StoreError> for RpcError {
    fn from(cause: StoreError) -> Self {
        internal(cause)
    }
}

/// Returns the error of a server that fails. The cause goes only to the log.
pub(in crate::protocol) fn internal(cause: impl Display) -> RpcError {
    tracing::error!(%cause, "a call failed");
    let help = "try again in a moment; the log of the server has the cause";
    RpcError::new(RpcCode::InternalError, RpcReason::Internal, "internal server error", help)
}

/// Returns the refusal of a parameter.
pub(super) fn invalid_parameter(path: &str, message: &str, help: &str) -> RpcError {
    refused_parameter(path, RpcReason::InvalidParams, message, help)
}

fn refused_parameter(path: &str, reason: RpcReason, message: &str, help: &str) -> RpcError {
    let issue = Issue {
        path: path.to_owned(),
        reason: reason.name().to_owned(),
        message: message.to_owned(),
        fix: help.to_owned(),
    };
    RpcError::invalid(reason, message, help).with_issues(vec![issue])
}

/// Returns the refusal of a parameter that is not the id of a blob. It is not repeated, since it can
/// be anything.
pub(super) fn not_an_id(path: &str) -> RpcError {
    let message = format!("`{}` is not the id of a blob", path.trim_start_matches('/'));
    let help = "write the id as `create_blob` or a run returned it: `blob:` and 32 digits";
    refused_parameter(path, RpcReason::BlobNotFound, &message, help)
}

/// Returns the refusal of a blob that is gone, was never there, or belongs to another token: the
/// caller cannot learn which.
pub(super) fn not_found(id: &BlobId, lifetime: Duration) -> RpcError {
    let hours = lifetime.as_secs() / 3600;
    let help = format!(
        "a blob is gone {hours} hours after it was last used, and can be used only with the token \
         that created it; create it again with `create_blob`"
    );
    RpcError::invalid(RpcReason::BlobNotFound, format!("blob `{id}` not found"), help)
}

/// Returns the refusal of a content that is larger than a blob may be.
pub(super) fn too_large(bytes_max: u64) -> RpcError {
    let message = format!("the content is larger than {bytes_max} bytes");
    let help = "split it, and create a blob of each part";
    RpcError::invalid(RpcReason::BlobTooLarge, message, help)
}

/// Returns the refusal of more blobs than an owner may have.
pub(super) fn too_many(count_max: u64, lifetime: Duration) -> RpcError {
    let message =
        format!("there are {count_max} blobs of this token already, as many as it may have");
    RpcError::invalid(RpcReason::QuotaExceeded, message, quota_help(lifetime))
}

/// Returns the refusal of larger blobs than an owner may have.
pub(super) fn too_much(bytes_max: u64, lifetime: Duration) -> RpcError {
    let message =
        format!("the blobs of this token would be larger than {bytes_max} bytes together");
    RpcError::invalid(RpcReason::QuotaExceeded, message, quota_help(lifetime))
}

fn quota_help(lifetime: Duration) -> String {
    let hours = lifetime.as_secs() / 3600;
    format!("a blob is gone {hours} hours after it was last used; reuse one, or wait")
}
