//! Answers that stay open, in the revisions of MCP in which a client subscribes to resources.
//!
//! A client of these revisions opens a stream with GET, with the id of the session that `initialize` has
//! returned, and expects the news there. For a client without such a stream, the answer to
//! `resources/subscribe` itself becomes a stream of events. The first one is the answer; then comes each
//! change.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::poll_fn;
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use rmcp::model::{ConstString, ResourceUpdatedNotificationMethod};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use super::answer::{busy, refuse};
use super::limits::BODY_BYTES_MAX;
use super::token::{TokenKey, bearer_token};
use crate::caller::Caller;
use crate::lifetime::Lifetime;
use crate::methods::RequestMethod;
use crate::open_answer::{OpenAnswer, Subscription};
use crate::resources::Watch;
use crate::server::Server;
use crate::sessions::{ClientKey, SessionStream, Sessions};
use dibber_skill::contract::ErrorCode;

/// The media type of a stream of events.
const EVENT_STREAM: &str = "text/event-stream";

/// The header with the id of a session.
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// The most bytes of an id of a session; those that the server gives are shorter.
const SESSION_BYTES_MAX: usize = 64;

/// How often an event without content is sent, so that a client that is gone is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How long a session is kept after its stream was interrupted.
const SESSION_KEPT: Duration = Duration::from_mins(1);

/// Whether the server stops.
#[derive(Clone)]
pub(super) struct IsStopping(pub(super) watch::Receiver<bool>);

/// The answers of a server that stay open.
#[derive(Clone)]
pub(super) struct Streams {
    server: Server,
    sessions: Arc<Sessions>,
}

impl Streams {
    pub(super) fn new(server: Server) -> Self {
        Self { server, sessions: Arc::default() }
    }

    fn answer_to(&self, request: &Request) -> Option<OpenAnswer> {
        let TokenKey(token) = *request.extensions().get::<TokenKey>()?;
        let session = request.headers().get(SESSION).and_then(|id| id.to_str().ok());
        let session = session.map(str::to_owned);
        let IsStopping(is_stopping) = request.extensions().get::<IsStopping>()?.clone();
        let lifetime = Lifetime {
            server: self.server.clone(),
            token: bearer_token(request.headers())?.to_owned(),
            is_stopping,
        };
        Some(OpenAnswer::new(Arc::clone(&self.sessions), ClientKey { token, session }, lifetime))
    }

    /// Opens the stream of a session.
    async fn open(&self, caller: Caller, answer: OpenAnswer) -> Response {
        if !self.sessions.knows(answer.client()) {
            return no_such_session();
        }
        let Ok(watch) = self.server.watch(caller).await else { return busy() };
        let Some(stream) = self.sessions.open_stream(answer.client(), watch) else {
            return no_such_session();
        };
        let (sender, events) = mpsc::channel(1);
        tokio::spawn(send_to_session(stream, answer, sender));
        respond(events)
    }

    /// Returns `true` if a request in a session cannot be answered: its client has ended the session, or
    /// subscribes in one that is not known, with its earlier subscriptions.
    fn is_gone(&self, client: &ClientKey, method: Option<RequestMethod>) -> bool {
        let subscribes = method.is_some_and(RequestMethod::is_subscribe);
        self.sessions.is_deleted(client) || subscribes && !self.sessions.knows(client)
    }

    /// Ends a session, as its client asks.
    fn end(&self, client: &ClientKey) -> Response {
        if self.sessions.end(client) {
            StatusCode::NO_CONTENT.into_response()
        } else {
            no_such_session()
        }
    }

    /// Begins a session with the answer to `initialize`, unless that is an error. Without room for one, the
    /// client gets none: nothing but a stream of its own needs it.
    async fn begin(&self, client: &ClientKey, response: Response) -> Response {
        let (mut parts, body) = response.into_parts();
        let Ok(answer) = to_bytes(body, BODY_BYTES_MAX).await else { return busy() };
        if has_result(&answer) {
            let id = self.sessions.begin(client.token);
            let id = id.and_then(|id| HeaderValue::try_from(id).ok());
            parts.headers.extend(id.map(|id| (SESSION, id)));
        }
        Response::from_parts(parts, Body::from(answer))
    }
}

/// Returns `true` if an answer is a stream of events.
pub(super) fn is_stream(response: &Response) -> bool {
    response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|media_type| media_type == EVENT_STREAM)
}

/// Answers a request about a session itself. Lets the answer to another one stay open, if its handler
/// asks for that.
pub(super) async fn serve(
    State(streams): State<Streams>,
    mut request: Request,
    next: Next,
) -> Response {
    if request.headers().get(SESSION).is_some_and(|id| !may_be_issued(id)) {
        return no_such_session();
    }
    let Some(answer) = streams.answer_to(&request) else { return next.run(request).await };
    let caller = request.extensions().get::<Caller>().cloned();
    match (request.method(), caller) {
        (&Method::GET, Some(caller)) if asks_for_stream(&request) => {
            return streams.open(caller, answer).await;
        }
        (&Method::DELETE, _) if request.headers().contains_key(SESSION) => {
            return streams.end(answer.client());
        }
        _ => {}
    }
    let method = request.extensions().get::<RequestMethod>().copied();
    if request.headers().contains_key(SESSION) && streams.is_gone(answer.client(), method) {
        return no_such_session();
    }
    request.extensions_mut().insert(answer.clone());
    let response = next.run(request).await;
    if method.is_some_and(RequestMethod::is_initialize) && response.status().is_success() {
        return streams.begin(answer.client(), response).await;
    }
    let Some(subscription) = answer.take().filter(|_| response.status().is_success()) else {
        return response;
    };
    let Ok(first) = to_bytes(response.into_body(), BODY_BYTES_MAX).await else { return busy() };
    let (sender, events) = mpsc::channel(1);
    tokio::spawn(send_as_answer(first, subscription, answer, sender));
    respond(events)
}

/// Returns `true` if a server may have given an id to a session.
fn may_be_issued(id: &HeaderValue) -> bool {
    id.len() <= SESSION_BYTES_MAX && id.to_str().is_ok()
}

/// Returns `true` if an answer is not an error.
fn has_result(answer: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Answer {
        #[serde(rename = "result")]
        _result: IgnoredAny,
    }
    serde_json::from_slice::<Answer>(answer).is_ok()
}

/// Returns `true` if a request asks for the stream of a session.
fn asks_for_stream(request: &Request) -> bool {
    let accepted =
        request.headers().get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    let accepts = accepted.is_some_and(|accepted| accepted.contains(EVENT_STREAM));
    accepts && request.headers().contains_key(SESSION)
}

fn no_such_session() -> Response {
    refuse(
        StatusCode::NOT_FOUND,
        ErrorCode::DomainNotFound,
        "NO_SUCH_SESSION",
        "session not found: it has ended, or another server has begun it",
        "begin a new one with `initialize`, and subscribe again",
    )
}

/// Returns a stream of the events of a channel.
fn respond(mut events: mpsc::Receiver<Event>) -> Response {
    let events = poll_fn(move |context| {
        events.poll_recv(context).map(|event| event.map(Ok::<_, Infallible>))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

/// Sends the changes of what the client of a session watches. When its stream is interrupted, the session
/// goes on for a while: the client may open another one.
async fn send_to_session(stream: SessionStream, answer: OpenAnswer, sender: mpsc::Sender<Event>) {
    let SessionStream { watch, replaced, opened } = stream;
    let (sessions, client) = (answer.sessions(), answer.client());
    let interrupted = async {
        send_changes(Event::default().comment(""), &watch, &sender).await;
        sessions.interrupt(client, opened);
        sleep(SESSION_KEPT).await;
    };
    tokio::select! {
        () = interrupted => {}
        () = answer.lifetime().wait_until_ended() => {}
        _ = replaced => {}
    }
    if !sessions.end_stream(client, opened) {
        // Another stream goes on, and what was sent last may not have arrived.
        watch.report_all();
    }
}

/// Sends the answer and then each change, until the subscription ends.
async fn send_as_answer(
    first: Bytes,
    subscription: Subscription,
    answer: OpenAnswer,
    sender: mpsc::Sender<Event>,
) {
    let Subscription { watch, ended } = subscription;
    let first = Event::default().data(String::from_utf8_lossy(&first));
    tokio::select! {
        () = send_changes(first, &watch, &sender) => {}
        () = answer.lifetime().wait_until_ended() => {}
        _ = ended => {}
    }
}

/// Sends an event and then each change, one at a time, until the client is gone: while it does not read,
/// further changes of a resource are one. A client that reads nothing for too long is disconnected.
async fn send_changes(first: Event, watch: &Watch, sender: &mpsc::Sender<Event>) {
    let mut next = first;
    while sender.send(next).await.is_ok() {
        next = tokio::select! {
            uri = watch.next() => updated(&uri),
            () = sender.closed() => return,
        };
    }
}

/// Returns the event that says that a resource has changed.
fn updated(uri: &str) -> Event {
    let method = ResourceUpdatedNotificationMethod::VALUE;
    let message = json!({"jsonrpc": "2.0", "method": method, "params": {"uri": uri}});
    Event::default().data(message.to_string())
}
