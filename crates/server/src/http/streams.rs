//! Answers that stay open, in the revisions of MCP in which a client subscribes to resources.
//!
//! A client of these revisions opens a stream with GET, with the id of the session that `initialize` has
//! returned, and expects the news there. For a client without such a stream, the answer to
//! `resources/subscribe` itself becomes a stream of events. The first one is the answer; then comes each
//! change.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::poll_fn;
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use rmcp::model::{ConstString, ResourceUpdatedNotificationMethod};
use serde_json::json;
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use super::answer::{busy, refuse};
use super::limits::BODY_BYTES_MAX;
use super::token::{TokenKey, bearer_token};
use crate::caller::Caller;
use crate::lifetime::Lifetime;
use crate::log::RequestLog;
use crate::open_answer::{OpenAnswer, OpenAnswers};
use crate::resources::Watch;
use crate::server::Server;
use crate::sessions::{ClientKey, SessionStream};
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

/// The open answers of a server.
#[derive(Clone)]
pub(super) struct Streams {
    server: Server,
    answers: Arc<OpenAnswers>,
}

impl Streams {
    pub(super) fn new(server: Server) -> Self {
        Self { server, answers: Arc::new(OpenAnswers::new()) }
    }

    fn answer_to(&self, request: &Request) -> Option<OpenAnswer> {
        let TokenKey(token) = *request.extensions().get::<TokenKey>()?;
        let session = request.headers().get(SESSION).and_then(|id| id.to_str().ok());
        let session = session.filter(|id| id.len() <= SESSION_BYTES_MAX).map(str::to_owned);
        let IsStopping(is_stopping) = request.extensions().get::<IsStopping>()?.clone();
        let lifetime = Lifetime {
            server: self.server.clone(),
            token: bearer_token(request.headers())?.to_owned(),
            is_stopping,
        };
        Some(OpenAnswer::new(Arc::clone(&self.answers), ClientKey { token, session }, lifetime))
    }

    /// Opens the stream of a session.
    async fn open(&self, caller: Caller, answer: OpenAnswer) -> Response {
        let Ok(watch) = self.server.watch(caller).await else { return busy() };
        let Some(stream) = self.answers.sessions.open_stream(answer.client(), watch) else {
            return no_such_session();
        };
        let (sender, events) = mpsc::channel(1);
        tokio::spawn(send_to_session(stream, answer, sender));
        respond(events)
    }

    /// Ends a session, as its client asks.
    fn end(&self, client: &ClientKey) -> Response {
        if self.answers.sessions.end(client) {
            StatusCode::NO_CONTENT.into_response()
        } else {
            no_such_session()
        }
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
    let log = request.extensions().get::<RequestLog>().cloned();
    request.extensions_mut().insert(answer.clone());
    let mut response = next.run(request).await;
    if log.is_some_and(|log| log.is_initialize()) && response.status().is_success() {
        let id = HeaderValue::try_from(streams.answers.sessions.begin(answer.client().token));
        response.headers_mut().extend(id.ok().map(|id| (SESSION, id)));
    }
    let Some(watch) = answer.take().filter(|_| response.status().is_success()) else {
        return response;
    };
    let Ok(first) = to_bytes(response.into_body(), BODY_BYTES_MAX).await else { return busy() };
    let (sender, events) = mpsc::channel(1);
    tokio::spawn(send_as_answer(first, watch, answer, sender));
    respond(events)
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
    let SessionStream { watch, replaced } = stream;
    let interrupted = async {
        send_changes(Event::default().comment(""), &watch, &sender).await;
        sleep(SESSION_KEPT).await;
    };
    tokio::select! {
        () = interrupted => {}
        () = answer.lifetime().wait_until_ended() => {}
        _ = replaced => {
            // What was sent last may not have arrived.
            watch.report_all();
            return;
        }
    }
    answer.sessions().end_without_stream(answer.client());
}

/// Sends the answer and then each change, until the subscription ends.
async fn send_as_answer(
    first: Bytes,
    watch: Watch,
    answer: OpenAnswer,
    sender: mpsc::Sender<Event>,
) {
    let uri = watch.uris().into_iter().next().unwrap_or_default();
    let first = Event::default().data(String::from_utf8_lossy(&first));
    tokio::select! {
        () = send_changes(first, &watch, &sender) => {}
        () = answer.lifetime().wait_until_ended() => {}
        () = answer.wait_until_unsubscribed(&uri) => {}
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
