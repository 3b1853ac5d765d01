//! Answers that stay open, in the revisions of MCP in which a client subscribes to resources.
//!
//! A client of these revisions opens a stream with GET, if it was given an id of a session, and expects
//! the news there. The id is only a name: nothing is stored for it but the stream, while that is open.
//! For a client without such a stream, the answer to `resources/subscribe` itself becomes a stream of
//! events. The first one is the answer; then comes each change.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, Method, header};
use hyper::body::Frame;
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;
use uuid::Uuid;

use super::answer::busy;
use super::limits::BODY_BYTES_MAX;
use super::token::{TokenKey, bearer_token};
use crate::caller::Caller;
use crate::log::RequestLog;
use crate::open_answer::{OpenAnswer, OpenAnswers, Sender};
use crate::resources::Watch;
use crate::server::Server;

/// The media type of a stream of events.
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");

/// The header with the id of a session.
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// The most bytes of an id of a session; those that the server gives are shorter.
const SESSION_BYTES_MAX: usize = 64;

/// How often an event without content is sent, so that a client that is gone is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Whether the server stops.
#[derive(Clone)]
pub(super) struct IsStopping(pub(super) watch::Receiver<bool>);

/// The open answers of a server.
#[derive(Clone)]
pub(super) struct Streams {
    server: Server,
    answers: Arc<OpenAnswers>,
}

impl Streams {
    pub(super) fn new(server: Server) -> Self {
        let answers = Arc::new(OpenAnswers::new(server.clone()));
        Self { server, answers }
    }

    fn answer_to(&self, request: &Request) -> Option<OpenAnswer> {
        let token = bearer_token(request.headers())?.to_owned();
        let TokenKey(digest) = *request.extensions().get::<TokenKey>()?;
        let IsStopping(is_stopping) = request.extensions().get::<IsStopping>()?.clone();
        let session = request.headers().get(SESSION).and_then(|id| id.to_str().ok());
        let session = session.filter(|id| id.len() <= SESSION_BYTES_MAX).map(str::to_owned);
        let sender = Sender { token, digest, session };
        Some(OpenAnswer::new(Arc::clone(&self.answers), sender, is_stopping))
    }

    /// Opens the stream of a session.
    async fn open(&self, caller: Caller, answer: OpenAnswer) -> Response {
        let Ok(watch) = self.server.watch(caller).await else { return busy() };
        let watch = Arc::new(watch);
        answer.open_stream(&watch);
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(async move {
            tokio::select! {
                () = tell(Bytes::from_static(KEPT_ALIVE), &watch, &sender) => {}
                () = sender.closed() => {}
                () = answer.ended() => {}
            }
        });
        stream(receiver)
    }
}

/// Returns `true` if an answer is a stream of events.
pub(super) fn is_stream(response: &Response) -> bool {
    response.headers().get(header::CONTENT_TYPE) == Some(&EVENT_STREAM)
}

/// Lets the answer to a request stay open, if it is one for a stream or its handler asks for that.
pub(super) async fn serve(
    State(streams): State<Streams>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(answer) = streams.answer_to(&request) else { return next.run(request).await };
    let asks_for_stream = request.method() == Method::GET
        && request.headers().contains_key(SESSION)
        && request.headers().get(header::ACCEPT).is_some_and(|accepted| {
            accepted.as_bytes().windows(17).any(|bytes| bytes == EVENT_STREAM.as_bytes())
        });
    let caller = request.extensions().get::<Caller>().cloned();
    if let Some(caller) = caller.filter(|_| asks_for_stream) {
        return streams.open(caller, answer).await;
    }
    let log = request.extensions().get::<RequestLog>().cloned();
    request.extensions_mut().insert(answer.clone());
    let mut response = next.run(request).await;
    if log.is_some_and(|log| log.is_initialize()) && response.status().is_success() {
        let id = HeaderValue::from_str(&Uuid::new_v4().to_string());
        response.headers_mut().extend(id.ok().map(|id| (SESSION, id)));
    }
    let Some(watch) = answer.take().filter(|_| response.status().is_success()) else {
        return response;
    };
    let Ok(first) = to_bytes(response.into_body(), BODY_BYTES_MAX).await else { return busy() };
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(send(first, watch, answer, sender));
    stream(receiver)
}

/// Returns a stream of the events of a channel.
fn stream(events: mpsc::Receiver<Bytes>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, EVENT_STREAM),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, Body::new(Events(events))).into_response()
}

/// An event without content.
const KEPT_ALIVE: &[u8] = b":\n\n";

/// Sends the answer and then each change, until the subscription ends.
async fn send(first: Bytes, watch: Watch, answer: OpenAnswer, sender: mpsc::Sender<Bytes>) {
    let uri = watch.uris().into_iter().next().unwrap_or_default();
    tokio::select! {
        () = tell(event(&String::from_utf8_lossy(&first)), &watch, &sender) => {}
        () = sender.closed() => {}
        () = answer.ended() => {}
        () = answer.unsubscribed(&uri) => {}
    }
}

/// Sends an event and then each change, one at a time: while the client does not read, further changes
/// of a resource are one. A client that reads nothing for too long is disconnected.
async fn tell(first: Bytes, watch: &Watch, sender: &mpsc::Sender<Bytes>) {
    let mut next = first;
    while sender.send(next).await.is_ok() {
        next = tokio::select! {
            uri = watch.next() => event(&updated(&uri)),
            () = sleep(KEEP_ALIVE) => Bytes::from_static(KEPT_ALIVE),
        };
    }
}

fn event(json: &str) -> Bytes {
    Bytes::from(format!("data: {json}\n\n"))
}

fn updated(uri: &str) -> String {
    let method = "notifications/resources/updated";
    json!({"jsonrpc": "2.0", "method": method, "params": {"uri": uri}}).to_string()
}

/// The events of a stream.
struct Events(mpsc::Receiver<Bytes>);

impl HttpBody for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(event))))
    }
}
