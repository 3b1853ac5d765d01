//! The bytes of answers that wait to be read by their clients, which are limited for all of them
//! together: a client that asks and does not read would otherwise fill the memory.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderValue, header};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer::busy;
use super::limits::{ANSWERS_BYTES_MAX, SMALL_ANSWER_BYTES_MAX};

/// The bytes of one permit.
const PERMIT_BYTES: usize = 1 << 10;

/// The bytes that are given to the connection at once. It asks for more when they are sent.
const PIECE_BYTES: usize = 64 << 10;

/// The room for large answers.
#[derive(Clone, Debug)]
pub(super) struct AnswersInFlight(Arc<Semaphore>);

impl AnswersInFlight {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(ANSWERS_BYTES_MAX / PERMIT_BYTES)))
    }
}

/// Sends a large answer only if there is room for it.
pub(super) async fn limit(
    State(room): State<AnswersInFlight>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = next.run(request).await.into_parts();
    let is_small =
        |hint: SizeHint| hint.upper().is_some_and(|upper| upper <= SMALL_ANSWER_BYTES_MAX);
    if is_small(body.size_hint()) {
        return Response::from_parts(parts, body);
    }
    let Ok(bytes) = axum::body::to_bytes(body, ANSWERS_BYTES_MAX).await else { return busy() };
    let permits = u32::try_from(bytes.len().div_ceil(PERMIT_BYTES)).unwrap_or(u32::MAX);
    let Ok(permit) = room.0.try_acquire_many_owned(permits) else { return busy() };
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    Response::from_parts(parts, Body::new(InPieces { bytes, _permit: permit }))
}

/// An answer that is sent piece by piece, and keeps its room until the last one.
struct InPieces {
    bytes: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl HttpBody for InPieces {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.bytes.is_empty() {
            return Poll::Ready(None);
        }
        let length = self.bytes.len().min(PIECE_BYTES);
        Poll::Ready(Some(Ok(Frame::data(self.bytes.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.len() as u64)
    }
}
