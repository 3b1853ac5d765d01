//! The Skills Protocol on the network: one message in the body of a request, and its answer.
//!
//! What is wrong with a call is an error in the answer, with the status 200. A status of its own is only
//! for what is no message: the token, the body, its type.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use super::answer::refuse;
use super::body::{is_json, read_whole};
use super::paths::RPC_PATH;
use super::token::TokenKey;
use crate::caller::Caller;
use crate::log::RequestLog;
use crate::protocol::answer_rpc::AnswerRpc;
use dibber_skill::contract::ErrorCode;

/// Answers a message.
pub(super) async fn handle(
    State(protocol): State<Arc<dyn AnswerRpc>>,
    Extension(caller): Extension<Caller>,
    Extension(token): Extension<TokenKey>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = match read_whole(body).await {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    if !is_json(&parts.headers) {
        return refuse(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ErrorCode::BadInput,
            "NOT_JSON",
            "the body is not declared as JSON",
            "send the header `Content-Type: application/json`",
        );
    }
    let answer = protocol.answer_rpc(&caller, Some(&token.0), &body).await;
    if let Some(line) = parts.extensions.get::<RequestLog>() {
        line.set_rpc(answer.outcome);
    }
    match answer.json {
        Some(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
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
