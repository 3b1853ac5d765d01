//! The Skills Protocol on the network: one message in the body of a request, and its answer.
//!
//! What is wrong with a call is an error in the answer, with the status 200. A status of its own is only
//! for what is no message: the token, the body, its type.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use tokio::sync::mpsc::Sender;
use tokio::time::Instant;
use tokio::time::timeout;

use super::answer::{internal_error, refuse, too_many_uploads};
use super::body::{BodyError, Start, discard, is_json, next_part, read_start, read_whole, refusal};
use super::limits::{
    BODY_TIME, DISCARDED_BYTES_MAX, UPLOAD_BYTES_MAX, UPLOAD_RATE_MIN, UPLOAD_RATE_TIME,
    UPLOAD_TIME,
};
use super::paths::RPC_PATH;
use super::token::TokenKey;
use crate::caller::Caller;
use crate::log::RequestLog;
use crate::protocol::answer_rpc::{AnswerRpc, RpcAnswer, Upload, UploadPart, UploadRefusal};
use dibber_skill::contract::ErrorCode;

/// Answers a message.
pub(super) async fn handle(
    State(protocol): State<Arc<dyn AnswerRpc>>,
    Extension(caller): Extension<Caller>,
    Extension(token): Extension<TokenKey>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let is_json = is_json(&parts.headers);
    let answer = match read_and_answer(&*protocol, &caller, &token, body, is_json).await {
        Ok(answer) => answer,
        Err(refusal) => return refusal,
    };
    if let Some(line) = parts.extensions.get::<RequestLog>() {
        line.set_rpc(answer.outcome);
    }
    match answer.json {
        Some(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

/// Reads a message, and answers it; an error is a refusal with a status of its own.
async fn read_and_answer(
    protocol: &dyn AnswerRpc,
    caller: &Caller,
    token: &TokenKey,
    mut body: Body,
    is_json: bool,
) -> Result<RpcAnswer, Response> {
    if !is_json {
        read_whole(body).await?;
        return Err(refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ErrorCode::BadInput,
            "NOT_JSON",
            "the body is not declared as JSON",
            "send the header `Content-Type: application/json`",
        ));
    }
    let start = timeout(BODY_TIME, read_start(&mut body)).await;
    match start.unwrap_or(Err(BodyError::TooSlow(BODY_TIME))).map_err(refusal)? {
        Start::Whole(message) => Ok(protocol.answer_rpc(caller, Some(&token.0), &message).await),
        Start::Larger(start) => {
            let begun = protocol.begin_upload(caller, Some(&token.0)).await;
            let Ok(Upload { parts, answer }) = begun else {
                // However the rest arrives, it is refused for this reason.
                let _ = timeout(BODY_TIME, discard(&mut body, start.len())).await;
                return Err(match begun {
                    Err(UploadRefusal::Busy) => too_many_uploads(),
                    Err(UploadRefusal::Failed) => internal_error(),
                    _ => refusal(BodyError::NotABlob),
                });
            };
            let sent = timeout(UPLOAD_TIME, pass_on(body, start, parts)).await;
            sent.unwrap_or(Err(BodyError::TooSlow(UPLOAD_TIME))).map_err(refusal)?;
            answer.await.ok_or_else(|| refusal(BodyError::NotABlob))
        }
    }
}

/// Passes on a large message as it arrives, and its end.
async fn pass_on(mut body: Body, start: Bytes, parts: Sender<UploadPart>) -> Result<(), BodyError> {
    let (mut length, mut rate) = (start.len(), Rate::default());
    let mut is_received = parts.send(UploadPart::Bytes(start)).await.is_ok();
    loop {
        let began = Instant::now();
        let part = timeout(BODY_TIME, next_part(&mut body)).await;
        let Some(part) = part.unwrap_or(Err(BodyError::Stalled(BODY_TIME)))? else { break };
        rate.add(began.elapsed(), part.len())?;
        length += part.len();
        if length > UPLOAD_BYTES_MAX {
            return Err(BodyError::TooLarge(UPLOAD_BYTES_MAX));
        }
        if !is_received && length > DISCARDED_BYTES_MAX {
            break;
        }
        is_received = is_received && parts.send(UploadPart::Bytes(part)).await.is_ok();
    }
    // It fails if the message was refused already, which its answer says.
    let _ = parts.send(UploadPart::End).await;
    Ok(())
}

/// How fast a body arrives. Only the time counts in which the server waits for it.
#[derive(Default)]
struct Rate {
    waited: Duration,
    bytes: usize,
}

impl Rate {
    /// Adds a part that was waited for; an error if the last ones were too slow.
    fn add(&mut self, waited: Duration, bytes: usize) -> Result<(), BodyError> {
        self.waited += waited;
        self.bytes = self.bytes.saturating_add(bytes);
        if self.waited < UPLOAD_RATE_TIME {
            return Ok(());
        }
        let Self { waited, bytes } = mem::take(self);
        let bytes_min = waited.as_millis() * UPLOAD_RATE_MIN as u128 / 1000;
        if (bytes as u128) < bytes_min {
            return Err(BodyError::BelowRate);
        }
        Ok(())
    }
}

/// Refuses another method than POST.
pub(super) async fn method_not_allowed() -> Response {
    let mut response = refuse(
        StatusCode::METHOD_NOT_ALLOWED,
        ErrorCode::BadInput,
        "METHOD_NOT_ALLOWED",
        "the method is not allowed here",
        &format!(
            "send a JSON-RPC 2.0 call to {RPC_PATH} with POST, such as `{{\"jsonrpc\": \"2.0\", \
             \"id\": 1, \"method\": \"load_skills_protocol_guide\"}}`"
        ),
    );
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_must_arrive_at_a_rate_on_average() {
        let mut rate = Rate::default();
        // It may begin slowly, and stop for a while.
        for (seconds, bytes) in [(20, 1), (9, 900_000), (1, 90_000), (25, 0), (5, 1_000_000)] {
            assert!(rate.add(Duration::from_secs(seconds), bytes).is_ok(), "{seconds} {bytes}");
        }
        for _ in 0..14 {
            assert!(rate.add(Duration::from_secs(2), 1).is_ok());
        }
        let ended = rate.add(Duration::from_secs(2), 1);
        assert!(matches!(ended, Err(BodyError::BelowRate)), "{ended:?}");
    }
}
