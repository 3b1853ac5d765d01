//! An answer over HTTP that may stay open, for news about what the client watches.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use http::request::Parts;
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::{Notify, broadcast, watch};
use tokio::time::{sleep, timeout};

use super::failure::Failure;
use super::mutex::lock;
use super::resources::Watch;
use super::server::Server;
use dibber_skill::contract::{ErrorCode, ToolError};

/// How often it is checked whether the token of an open answer is still valid.
const TOKEN_PAUSE: Duration = Duration::from_secs(15);

/// How long a subscription waits for the stream that its client opens at the beginning.
const STREAM_PAUSE: Duration = Duration::from_secs(1);

/// The most subscriptions that are ended and not noticed yet.
const UNSUBSCRIBED_MAX: usize = 256;

/// The open answers of a server, of all its clients.
pub(super) struct OpenAnswers {
    server: Server,
    /// What the client of each open stream watches.
    streams: Mutex<HashMap<SessionKey, Weak<Watch>>>,
    /// Notified when a stream was opened.
    opened: Notify,
    /// The subscriptions that are being ended: the digest of the token, and the URI.
    unsubscribed: broadcast::Sender<([u8; 32], String)>,
}

/// What says which requests are those of one client: the digest of its token, and the id that it sends
/// with each of them.
type SessionKey = ([u8; 32], String);

impl OpenAnswers {
    pub(super) fn new(server: Server) -> Self {
        let unsubscribed = broadcast::channel(UNSUBSCRIBED_MAX).0;
        Self { server, streams: Mutex::default(), opened: Notify::new(), unsubscribed }
    }
}

/// The credentials of a request.
pub(super) struct Sender {
    /// The token.
    pub(super) token: String,
    /// Its digest.
    pub(super) digest: [u8; 32],
    /// The id of the session, if the client sends one.
    pub(super) session: Option<String>,
}

/// What the handler of a request knows of its answer.
#[derive(Clone)]
pub(super) struct OpenAnswer(Arc<Inner>);

struct Inner {
    answers: Arc<OpenAnswers>,
    sender: Sender,
    is_stopping: watch::Receiver<bool>,
    /// What the client watches from now on, if the answer is to stay open.
    watch: Mutex<Option<Watch>>,
}

impl OpenAnswer {
    pub(super) fn new(
        answers: Arc<OpenAnswers>,
        sender: Sender,
        is_stopping: watch::Receiver<bool>,
    ) -> Self {
        Self(Arc::new(Inner { answers, sender, is_stopping, watch: Mutex::default() }))
    }

    /// Returns what is known of the answer to a request; none if it did not come over HTTP.
    pub(super) fn find(context: &RequestContext<RoleServer>) -> Option<&Self> {
        context.extensions.get::<Parts>()?.extensions.get()
    }

    /// Lets the answer stay open.
    pub(super) fn open(&self, watch: Watch) {
        *lock(&self.0.watch) = Some(watch);
    }

    /// Returns what the client watches, if the answer is to stay open.
    pub(super) fn take(&self) -> Option<Watch> {
        lock(&self.0.watch).take()
    }

    /// Registers what the stream of the client watches, and removes the streams that have ended.
    pub(super) fn open_stream(&self, watch: &Arc<Watch>) {
        let Some(key) = self.session() else { return };
        let mut streams = lock(&self.0.answers.streams);
        streams.retain(|_, watch| watch.strong_count() > 0);
        streams.insert(key, Arc::downgrade(watch));
        drop(streams);
        self.0.answers.opened.notify_waiters();
    }

    /// Returns what the client watches on the stream of its session, if it has opened one. It may do
    /// so at the same time as it subscribes.
    pub(super) async fn stream(&self) -> Option<Arc<Watch>> {
        let key = self.session()?;
        let find = || lock(&self.0.answers.streams).get(&key).and_then(Weak::upgrade);
        let opened = async {
            loop {
                let opened = self.0.answers.opened.notified();
                if let Some(watch) = find() {
                    return watch;
                }
                opened.await;
            }
        };
        timeout(STREAM_PAUSE, opened).await.ok()
    }

    fn session(&self) -> Option<SessionKey> {
        let Sender { digest, session, .. } = &self.0.sender;
        Some((*digest, session.clone()?))
    }

    /// Ends the subscriptions to a resource that keep an answer open, and that were made with the same
    /// token: nothing else says which one is meant.
    pub(super) fn unsubscribe(&self, uri: String) {
        // It fails if there is no subscription.
        let _ = self.0.answers.unsubscribed.send((self.0.sender.digest, uri));
    }

    /// Waits until the subscription to a resource is ended.
    pub(super) async fn unsubscribed(&self, uri: &str) {
        let mut unsubscribed = self.0.answers.unsubscribed.subscribe();
        loop {
            match unsubscribed.recv().await {
                Ok((digest, ended)) if digest == self.0.sender.digest && ended == uri => return,
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return,
            }
        }
    }

    /// Waits until the answer has to end: the server stops, or the token is not valid any more.
    pub(super) async fn ended(&self) {
        let mut is_stopping = self.0.is_stopping.clone();
        tokio::select! {
            _ = is_stopping.wait_for(|is_stopping| *is_stopping) => {}
            () = self.token_ended() => {}
        }
    }

    async fn token_ended(&self) {
        loop {
            sleep(TOKEN_PAUSE).await;
            if self.has_token_ended().await {
                return;
            }
        }
    }

    /// Returns `true` if the token is not valid any more. A database that cannot be read for a moment
    /// says nothing about it.
    async fn has_token_ended(&self) -> bool {
        matches!(self.0.answers.server.authenticate(&self.0.sender.token).await, Ok(None))
    }

    /// Returns the result of work that only waits and reads, unless the answer has to end before. It may
    /// have waited for so long that the token has ended meanwhile.
    pub(super) async fn unless_ended<T>(
        answer: Option<&Self>,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let Some(answer) = answer else { return work.await };
        let done = tokio::select! {
            done = work => Some(done),
            () = answer.ended() => None,
        };
        match done {
            Some(done) if !answer.has_token_ended().await => done,
            _ => {
                let fix = "try again in a moment";
                let message = "the server stops, or the token has ended";
                Err(ToolError::new(ErrorCode::InternalError, message, fix).into())
            }
        }
    }
}
