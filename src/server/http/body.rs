//! The body of a request, as a whole: within its size, and within its time.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::StatusCode;
use tokio::time::timeout;

use super::answer::refuse;
use super::{BODY_BYTES_MAX, BODY_TIME, DISCARDED_BYTES_MAX};
use crate::contract::ErrorCode;
use crate::server::log::Line;

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
            return next.run(Request::from_parts(parts, Body::from(bytes))).await;
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
