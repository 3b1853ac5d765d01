//! The bytes of answers that wait to be read by their clients, which are limited for all of them
//! together: a client that asks and does not read would otherwise fill the memory. The clients with
//! one token have a share, so that they do not keep the others from large answers.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderValue, header};
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::answer::{answer_dropped, rpc_answer_dropped};
use super::limits::{ANSWERS_BYTES_MAX, ANSWERS_OF_TOKEN_BYTES_MAX, SMALL_ANSWER_BYTES_MAX};
use super::paths::RPC_PATH;
use super::streams::is_stream;
use super::token::TokenKey;

/// The bytes of one permit.
const PERMIT_BYTES: usize = 1 << 10;

/// The bytes that are given to the connection at once. It asks for more when they are sent.
const PIECE_BYTES: usize = 64 << 10;

/// The room for large answers.
#[derive(Clone, Debug)]
pub(super) struct AnswersInFlight {
    room: Arc<Semaphore>,
    /// What is left of the share of each token with an answer in flight.
    shares: Arc<Mutex<HashMap<TokenKey, Weak<Semaphore>>>>,
}

/// The room of one answer, which is free again when this is dropped.
#[derive(Debug)]
struct Reserved {
    _share: OwnedSemaphorePermit,
    _room: OwnedSemaphorePermit,
}

impl AnswersInFlight {
    pub(super) fn new() -> Self {
        let room = Arc::new(Semaphore::new(ANSWERS_BYTES_MAX / PERMIT_BYTES));
        Self { room, shares: Arc::default() }
    }

    /// Reserves the room for an answer to a client with a token, if there is enough.
    fn reserve(&self, token: TokenKey, bytes: usize) -> Option<Reserved> {
        let permits = u32::try_from(bytes.div_ceil(PERMIT_BYTES)).ok()?;
        let share = self.share(token).try_acquire_many_owned(permits).ok()?;
        let room = Arc::clone(&self.room).try_acquire_many_owned(permits).ok()?;
        Some(Reserved { _share: share, _room: room })
    }

    fn share(&self, token: TokenKey) -> Arc<Semaphore> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get(&token).and_then(Weak::upgrade) {
            return share;
        }
        shares.retain(|_, share| share.strong_count() > 0);
        let share = Arc::new(Semaphore::new(ANSWERS_OF_TOKEN_BYTES_MAX / PERMIT_BYTES));
        shares.insert(token, Arc::downgrade(&share));
        share
    }
}

/// Sends a large answer only if there is room for it.
pub(super) async fn limit(
    State(room): State<AnswersInFlight>,
    request: Request,
    next: Next,
) -> Response {
    let token = request.extensions().get::<TokenKey>().copied();
    let is_rpc = request.uri().path() == RPC_PATH;
    let dropped = || if is_rpc { rpc_answer_dropped() } else { answer_dropped() };
    let response = next.run(request).await;
    // Of a stream, no more waits than one event.
    if is_stream(&response) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let is_small =
        |hint: SizeHint| hint.upper().is_some_and(|upper| upper <= SMALL_ANSWER_BYTES_MAX);
    if is_small(body.size_hint()) {
        return Response::from_parts(parts, body);
    }
    let Ok(bytes) = axum::body::to_bytes(body, ANSWERS_BYTES_MAX).await else { return dropped() };
    // Without a token, there is no large answer.
    let reserved = token.and_then(|token| room.reserve(token, bytes.len()));
    let Some(reserved) = reserved else { return dropped() };
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    Response::from_parts(parts, Body::new(InPieces { bytes, _reserved: reserved }))
}

/// An answer that is sent piece by piece, and keeps its room until the last one.
struct InPieces {
    bytes: Bytes,
    _reserved: Reserved,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_token_leaves_room_for_the_others() {
        const ANSWER_BYTES: usize = 3_800_000;
        let (ours, others) = (TokenKey::of("ours"), TokenKey::of("others"));
        let room = AnswersInFlight::new();
        let mut held = Vec::new();
        while let Some(reserved) = room.reserve(ours, ANSWER_BYTES) {
            held.push(reserved);
        }
        let count = ANSWERS_OF_TOKEN_BYTES_MAX / ANSWER_BYTES;
        assert_eq!(held.len(), count);
        let other = room.reserve(others, ANSWER_BYTES);
        assert!(other.is_some());
        // What was read makes room again, and a share that is not used is forgotten.
        held.clear();
        assert!(room.reserve(ours, ANSWER_BYTES).is_some());
        drop(other);
        let third = room.reserve(TokenKey::of("third"), ANSWER_BYTES);
        assert_eq!(room.shares.lock().expect("no panic").len(), 1);
        drop(third);
    }
}
