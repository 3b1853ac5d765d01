//! What the rest of the server knows of the Skills Protocol.

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use axum::body::Bytes;
use tokio::sync::mpsc;

use super::envelope;
use crate::caller::Caller;
use dibber_skill::contract::WireEnum;
use dibber_skill::contract::skills_protocol::{ProtocolMethod, RpcError, RpcReason};

/// What the log says of a call that did what it was to do.
pub(super) const OK: &str = "OK";

/// Answers messages of the Skills Protocol.
pub(crate) trait AnswerRpc: Send + Sync {
    /// Answers a message of JSON-RPC. What it runs ends when the future is dropped. `token` is the
    /// digest of the caller's token, if there is one.
    fn answer_rpc<'a>(
        &'a self,
        caller: &'a Caller,
        token: Option<&'a [u8; 32]>,
        message: &'a [u8],
    ) -> BoxFuture<'a, RpcAnswer>;

    /// Begins a message that is larger than what is read into memory: a call that creates a blob.
    fn begin_upload<'a>(
        &'a self,
        caller: &'a Caller,
        token: Option<&'a [u8; 32]>,
    ) -> BoxFuture<'a, Result<Upload, UploadRefusal>>;

    /// Calls a method, and returns its result.
    fn call_method<'a>(
        &'a self,
        caller: &'a Caller,
        token: Option<&'a [u8; 32]>,
        method: ProtocolMethod,
        parameters: Map<String, Value>,
    ) -> BoxFuture<'a, Result<Value, RpcError>>;
}

/// The answer to a message.
#[derive(Debug)]
pub(crate) struct RpcAnswer {
    /// The JSON; none if nothing is to be answered.
    pub(crate) json: Option<String>,
    pub(crate) outcome: RpcOutcome,
}

impl RpcAnswer {
    /// Returns the answer to a call: its id as it came, and its result, which is JSON, or its error.
    pub(super) fn to_call(id: &str, method: &'static str, result: Result<&str, &RpcError>) -> Self {
        let code = result.map_or_else(reason, |_| OK);
        Self { json: Some(envelope::answer(id, result)), outcome: RpcOutcome { method, code } }
    }

    /// Returns the answer to a message that is none, or has no id that can be read.
    pub(super) fn to_all(method: &'static str, error: &RpcError) -> Self {
        let outcome = RpcOutcome { method, code: reason(error) };
        Self { json: Some(envelope::answer_to_all(error)), outcome }
    }

    /// Returns what a call without an id gets. It is not executed, since its result could not be
    /// delivered: what only reads would be in vain, and what runs or creates something would be left
    /// behind.
    pub(super) fn to_notification(method: &'static str) -> Self {
        let code = RpcReason::NotificationRefused.name();
        Self { json: None, outcome: RpcOutcome { method, code } }
    }
}

/// Returns the reason of an error as the log has it.
fn reason(error: &RpcError) -> &'static str {
    error.reason().unwrap_or(RpcReason::Internal).name()
}

/// What the log says about a message; nothing of it is the caller's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RpcOutcome {
    /// The method, `batch`, or `other` for a method that does not exist.
    pub(crate) method: &'static str,
    /// `OK`, or the reason of the error: of a batch, that of the first one.
    pub(crate) code: &'static str,
}

/// A message that arrives in parts.
pub(crate) struct Upload {
    /// Takes the parts, and the end. A message without its end is forgotten.
    pub(crate) parts: mpsc::Sender<UploadPart>,
    /// The answer, after the end; none if the message is too large after all.
    pub(crate) answer: BoxFuture<'static, Option<RpcAnswer>>,
}

/// A part of a message.
pub(crate) enum UploadPart {
    /// Its next bytes.
    Bytes(Bytes),
    /// Nothing more comes.
    End,
}

/// Why no large message is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UploadRefusal {
    /// The caller may not create blobs, so that no message may be so large.
    TooLarge,
    /// Too many arrive already.
    Busy,
    /// The server failed; the log has the cause.
    Failed,
}
