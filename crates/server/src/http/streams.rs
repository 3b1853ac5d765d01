//! Answers that stay open: the one to `resources/subscribe`, in the revisions of MCP that have it,
//! becomes a stream of events. The first one is the answer; then comes each change.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use hyper::body::Frame;
use serde_json::json;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::sleep;

use super::answer::busy;
use super::limits::BODY_BYTES_MAX;
use super::token::{TokenKey, bearer_token};
use crate::open_answer::{OpenAnswer, Unsubscribed};
use crate::resources::Watch;
use crate::server::Server;

/// The media type of a stream of events.
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");

/// How often an event without content is sent, so that a client that is gone is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The most subscriptions that are ended and not noticed yet.
const UNSUBSCRIBED_MAX: usize = 256;

/// Whether the server stops.
#[derive(Clone)]
pub(super) struct IsStopping(pub(super) watch::Receiver<bool>);

/// The open answers of a server.
#[derive(Clone)]
pub(super) struct Streams {
    server: Server,
    unsubscribed: Unsubscribed,
}

impl Streams {
    pub(super) fn new(server: Server) -> Self {
        Self { server, unsubscribed: broadcast::channel(UNSUBSCRIBED_MAX).0 }
    }

    fn answer_to(&self, request: &Request) -> Option<OpenAnswer> {
        let token = bearer_token(request.headers())?.to_owned();
        let TokenKey(digest) = *request.extensions().get::<TokenKey>()?;
        let IsStopping(is_stopping) = request.extensions().get::<IsStopping>()?.clone();
        let (server, unsubscribed) = (self.server.clone(), self.unsubscribed.clone());
        Some(OpenAnswer::new(server, (token, digest), is_stopping, unsubscribed))
    }
}

/// Returns `true` if an answer is a stream of events.
pub(super) fn is_stream(response: &Response) -> bool {
    response.headers().get(header::CONTENT_TYPE) == Some(&EVENT_STREAM)
}

/// Lets the answer to a request stay open, if its handler asks for that.
pub(super) async fn serve(
    State(streams): State<Streams>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(answer) = streams.answer_to(&request) else { return next.run(request).await };
    request.extensions_mut().insert(answer.clone());
    let response = next.run(request).await;
    let Some(watch) = answer.take().filter(|_| response.status().is_success()) else {
        return response;
    };
    let Ok(first) = to_bytes(response.into_body(), BODY_BYTES_MAX).await else { return busy() };
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(send(first, watch, answer, sender));
    let headers = [
        (header::CONTENT_TYPE, EVENT_STREAM),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, Body::new(Events(receiver))).into_response()
}

/// Sends the answer and then each change, one at a time: while the client does not read, further
/// changes of a resource are one. A client that reads nothing for too long is disconnected.
async fn send(first: Bytes, watch: Watch, answer: OpenAnswer, sender: mpsc::Sender<Bytes>) {
    let uri = watch.uris().into_iter().next().unwrap_or_default();
    let tell = async {
        let mut next = event(&String::from_utf8_lossy(&first));
        while sender.send(next).await.is_ok() {
            next = tokio::select! {
                uri = watch.next() => event(&updated(&uri)),
                () = sleep(KEEP_ALIVE) => Bytes::from_static(b":\n\n"),
            };
        }
    };
    tokio::select! {
        () = tell => {}
        () = sender.closed() => {}
        () = answer.ended() => {}
        () = answer.unsubscribed(&uri) => {}
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
