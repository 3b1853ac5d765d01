//! The body of a request, read as a whole within its limits of size and time.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use rmcp::ErrorData;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::answer::refuse;
use super::limits::{
    BODY_BYTES_MAX, BODY_TIME, DISCARDED_BYTES_MAX, UPLOAD_RATE_MIN, UPLOAD_RATE_TIME,
};
use crate::log::RequestLog;
use crate::methods::RequestMethod;
use dibber_skill::contract::ErrorCode;

/// The headers of MCP whose values `rmcp` repeats in its answers.
const HEADERS: [&str; 3] = ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"];
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Why a body was not read.
#[derive(Clone, Copy, Debug)]
pub(super) enum BodyError {
    /// It is larger than this.
    TooLarge(usize),
    /// It ended early, or its framing is invalid.
    Broken,
    /// It is larger than a message may be that is no call of `create_blob`.
    NotABlob,
    /// It did not arrive within this time.
    TooSlow(Duration),
    /// Nothing of it arrived within this time.
    Stalled(Duration),
    /// It arrived with fewer bytes in a second than [`UPLOAD_RATE_MIN`].
    BelowRate,
}

/// What was read of a body.
pub(super) enum Start {
    /// All of it.
    Whole(Bytes),
    /// More than [`BODY_BYTES_MAX`], and not all of it.
    Larger(Bytes),
}

/// Reads the body of a request to MCP before the request goes on.
pub(super) async fn limit(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let bytes = match read_whole(body).await {
        Ok(bytes) => bytes,
        Err(refusal) => return refusal,
    };
    if let Some(method) = RequestMethod::parse(&bytes) {
        if let Some(line) = parts.extensions.get::<RequestLog>() {
            line.set_method(method);
        }
        parts.extensions.insert(method);
    }
    let (method, is_json) = (parts.method.clone(), is_json(&parts.headers));
    let request = Request::from_parts(parts, Body::from(bytes.clone()));
    let response = next.run(request).await;
    // `rmcp` answers this to a message that it cannot parse, too.
    if is_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        return parse_error(&bytes);
    }
    let response = json_error(&method, response);
    if response.status() == StatusCode::BAD_REQUEST {
        without_values(response).await
    } else {
        response
    }
}

/// Reads a body within its limits; an error is the answer.
pub(super) async fn read_whole(mut body: Body) -> Result<Bytes, Response> {
    let read = async {
        match read_start(&mut body).await? {
            Start::Whole(bytes) => Ok(bytes),
            Start::Larger(start) => {
                let length = start.len();
                drop(start);
                discard(&mut body, length).await?;
                Err(BodyError::TooLarge(BODY_BYTES_MAX))
            }
        }
    };
    let read = timeout(BODY_TIME, read).await.unwrap_or(Err(BodyError::TooSlow(BODY_TIME)));
    read.map_err(refusal)
}

/// Returns the answer to a body that was not read.
pub(super) fn refusal(error: BodyError) -> Response {
    const TOO_SLOW: &str = "BODY_TOO_SLOW";
    let timeout = StatusCode::REQUEST_TIMEOUT;
    let (status, reason, message, fix) = match error {
        BodyError::TooLarge(bytes_max) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "BODY_TOO_LARGE",
            format!("the request is larger than {bytes_max} bytes"),
            "send a smaller request",
        ),
        BodyError::NotABlob => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "BODY_TOO_LARGE",
            format!("the request is larger than {BODY_BYTES_MAX} bytes"),
            "send a smaller request; only a single call of `create_blob` may be larger",
        ),
        BodyError::Broken => (
            StatusCode::BAD_REQUEST,
            "BODY_BROKEN",
            "the body of the request is incomplete".to_owned(),
            "send it again",
        ),
        BodyError::TooSlow(time) => (
            timeout,
            TOO_SLOW,
            format!("the body of the request took longer than {} seconds", time.as_secs()),
            "send it again",
        ),
        BodyError::Stalled(time) => (
            timeout,
            TOO_SLOW,
            format!("nothing of the body arrived for {} seconds", time.as_secs()),
            "send it again",
        ),
        BodyError::BelowRate => (
            timeout,
            TOO_SLOW,
            format!(
                "the body arrived more slowly than {UPLOAD_RATE_MIN} bytes per second, averaged over \
                 {} seconds",
                UPLOAD_RATE_TIME.as_secs()
            ),
            "send it again over a faster connection, or a smaller content",
        ),
    };
    refuse(status, ErrorCode::BadInput, reason, &message, fix)
}

/// Returns `true` if the headers of a request declare its body as JSON.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let named = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = named.and_then(|named| named.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// Returns the error that JSON-RPC has for a message that cannot be parsed.
fn parse_error(body: &[u8]) -> Response {
    let error = match serde_json::from_slice::<Value>(body) {
        Ok(Value::Array(_)) => ErrorData::invalid_request(
            "batches are not supported; send each message in a request of its own",
            None,
        ),
        Ok(_) => ErrorData::invalid_request("the body is not a JSON-RPC 2.0 message", None),
        Err(_) => ErrorData::parse_error("the body is not JSON in UTF-8", None),
    };
    (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, JSON)], rpc_error(&error)).into_response()
}

/// Returns an answer of `rmcp` to a request that is no message as an error of JSON-RPC: its own is
/// plain text, which a client that reads JSON cannot show. The status and the headers stay.
fn json_error(method: &Method, response: Response) -> Response {
    let message = match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => {
            format!("the method {method} is not allowed here; send each message with POST")
        }
        StatusCode::NOT_ACCEPTABLE => {
            "the header `Accept` must list `application/json` and `text/event-stream`".to_owned()
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            "the header `Content-Type` must be `application/json`".to_owned()
        }
        _ => return response,
    };
    let (mut parts, _) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, JSON);
    let answer = rpc_error(&ErrorData::invalid_request(message, None));
    Response::from_parts(parts, answer.into())
}

/// Returns an answer of `rmcp` to a request with invalid headers, without their values: any of them
/// may contain a child's name.
async fn without_values(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, BODY_BYTES_MAX).await.unwrap_or_default();
    let mut answer = serde_json::from_slice::<Value>(&bytes).unwrap_or_else(|_| {
        let message = String::from_utf8_lossy(&bytes).into_owned();
        json!({"jsonrpc": "2.0", "id": null, "error": ErrorData::invalid_request(message, None)})
    });
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    let named = HEADERS.into_iter().filter_map(|name| Some((message.find(name)?, name))).min();
    let Some((_, header)) = named else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    answer["error"]["message"] = format!(
        "the header `{header}` is missing, has an unsupported value, or differs from the message"
    )
    .into();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, JSON);
    Response::from_parts(parts, answer.to_string().into())
}

/// Returns the answer to a message whose id cannot be read.
fn rpc_error(error: &ErrorData) -> String {
    json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string()
}

/// Reads a body until its end, or until it is larger than [`BODY_BYTES_MAX`].
pub(super) async fn read_start(body: &mut Body) -> Result<Start, BodyError> {
    let mut bytes = Vec::new();
    while let Some(part) = next_part(body).await? {
        bytes.extend_from_slice(&part);
        if bytes.len() > BODY_BYTES_MAX {
            return Ok(Start::Larger(bytes.into()));
        }
    }
    Ok(Start::Whole(bytes.into()))
}

/// Reads the rest of a body that is too large, so that its sender gets to read the answer.
pub(super) async fn discard(body: &mut Body, mut length: usize) -> Result<(), BodyError> {
    while length <= DISCARDED_BYTES_MAX
        && let Some(part) = next_part(body).await?
    {
        length += part.len();
    }
    Ok(())
}

/// Returns the next bytes of a body; none at its end.
pub(super) async fn next_part(body: &mut Body) -> Result<Option<Bytes>, BodyError> {
    while let Some(frame) = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await {
        if let Ok(data) = frame.map_err(|_| BodyError::Broken)?.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}
