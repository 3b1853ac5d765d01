//! The body of a request, as a whole: within its size, and within its time.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use rmcp::ErrorData;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::answer::refuse;
use super::{BODY_BYTES_MAX, BODY_TIME, DISCARDED_BYTES_MAX};
use crate::log::Line;
use dibber_skill::contract::ErrorCode;

/// Why a body was not read.
enum Fault {
    TooLarge,
    /// It ended before its end, or is not framed as HTTP says.
    Broken,
}

/// Goes on with a request whose body is there.
pub(super) async fn limit(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let read = timeout(BODY_TIME, read(body)).await;
    let (status, reason, message, fix) = match read {
        Ok(Ok(bytes)) => {
            if let Some(line) = parts.extensions.get::<Line>() {
                line.message(&bytes);
            }
            let is_json = is_json(&parts.headers);
            let request = Request::from_parts(parts, Body::from(bytes.clone()));
            let response = next.run(request).await;
            // `rmcp` says this of a message that it cannot read, too.
            if is_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
                return unreadable(&bytes);
            }
            return response;
        }
        Ok(Err(Fault::TooLarge)) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "BODY_TOO_LARGE",
            format!("the request is larger than {BODY_BYTES_MAX} bytes"),
            "send less at once",
        ),
        Ok(Err(Fault::Broken)) => (
            StatusCode::BAD_REQUEST,
            "BODY_BROKEN",
            "the body of the request does not come to its end".to_owned(),
            "send it again",
        ),
        Err(_) => (
            StatusCode::REQUEST_TIMEOUT,
            "BODY_TOO_SLOW",
            format!("the body of the request took longer than {} seconds", BODY_TIME.as_secs()),
            "send it again",
        ),
    };
    refuse(status, ErrorCode::BadInput, reason, &message, fix)
}

fn is_json(headers: &HeaderMap) -> bool {
    let named = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = named.and_then(|named| named.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// What JSON-RPC has for a message that cannot be read.
fn unreadable(body: &[u8]) -> Response {
    let error = match serde_json::from_slice::<Value>(body) {
        Ok(_) => ErrorData::invalid_request("the body is not a JSON-RPC 2.0 message", None),
        Err(_) => ErrorData::parse_error("the body is not JSON in UTF-8", None),
    };
    let answer = json!({"jsonrpc": "2.0", "id": null, "error": error});
    let json = [(header::CONTENT_TYPE, "application/json")];
    (StatusCode::BAD_REQUEST, json, answer.to_string()).into_response()
}

async fn read(mut body: Body) -> Result<Bytes, Fault> {
    let mut kept = Vec::new();
    let mut length = 0;
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let Ok(data) = frame.map_err(|_| Fault::Broken)?.into_data() else { continue };
        length += data.len();
        if length <= BODY_BYTES_MAX {
            kept.extend_from_slice(&data);
        } else {
            kept = Vec::new();
            if length > DISCARDED_BYTES_MAX {
                break;
            }
        }
    }
    if length > BODY_BYTES_MAX { Err(Fault::TooLarge) } else { Ok(kept.into()) }
}
