//! The sessions of clients, in the revisions of MCP that begin with `initialize`.
//!
//! Every request is independent of its session, so that several servers may have one address. A session
//! is only what a client watches on its stream. A server knows the sessions that it has issued, until
//! the client was away for too long: a client that opens the stream of a session that is not known
//! learns that its subscriptions are gone, and begins a new session.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use super::mutex::lock;
use super::resources::Watch;

/// The most sessions of a server. Those that have no stream make room for new ones first.
const SESSIONS_MAX: usize = 4096;

/// The most sessions of the clients with one token, so that they leave the others theirs.
const SESSIONS_OF_TOKEN_MAX: usize = 256;

/// How long a subscription waits for the stream that its client opens at the beginning.
const STREAM_PAUSE: Duration = Duration::from_secs(1);

/// The digest of a token.
pub(super) type TokenDigest = [u8; 32];

/// What says which requests are those of one client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ClientKey {
    /// The token that it sends.
    pub(super) token: TokenDigest,
    /// The id of the session that it sends, if it sends one.
    pub(super) session: Option<String>,
}

/// The sessions of a server.
#[derive(Default)]
pub(super) struct Sessions {
    registry: Mutex<Registry>,
    /// Notified when a stream was opened.
    opened: Notify,
}

#[derive(Default)]
struct Registry {
    /// Counts the uses of sessions.
    ticks: u64,
    sessions: HashMap<ClientKey, Session>,
}

struct Session {
    /// The tick at which it began, or its stream was opened.
    last_used: u64,
    /// What its client watches, if it has opened a stream.
    watch: Option<Arc<Watch>>,
    /// Ends the stream when it is dropped.
    stream: Option<oneshot::Sender<()>>,
}

/// The stream of a session.
pub(super) struct SessionStream {
    /// What its client watches.
    pub(super) watch: Arc<Watch>,
    /// Is ready when the session has ended, or has another stream. The session counts as one with a
    /// stream until this is dropped.
    pub(super) replaced: oneshot::Receiver<()>,
}

impl Sessions {
    /// Begins a session of a client with a token; returns its id.
    pub(super) fn begin(&self, token: TokenDigest) -> String {
        let id = Uuid::new_v4().to_string();
        let mut registry = lock(&self.registry);
        registry.make_room(token);
        let session = Session { last_used: registry.tick(), watch: None, stream: None };
        registry.sessions.insert(ClientKey { token, session: Some(id.clone()) }, session);
        id
    }

    /// Opens the stream of a session, which replaces an earlier one; returns none if the session is not
    /// known. The client goes on with what it watched on the earlier stream, or else gets `watch`.
    pub(super) fn open_stream(&self, client: &ClientKey, watch: Watch) -> Option<SessionStream> {
        let mut registry = lock(&self.registry);
        let now = registry.tick();
        let session = registry.sessions.get_mut(client)?;
        let watch = Arc::clone(session.watch.get_or_insert_with(|| Arc::new(watch)));
        let (stream, replaced) = oneshot::channel();
        session.stream = Some(stream);
        session.last_used = now;
        drop(registry);
        self.opened.notify_waiters();
        Some(SessionStream { watch, replaced })
    }

    /// Returns what the client of a session watches, if it has opened a stream.
    pub(super) fn find_watch(&self, client: &ClientKey) -> Option<Arc<Watch>> {
        lock(&self.registry).sessions.get(client)?.watch.clone()
    }

    /// Does the same as [`find_watch`](Self::find_watch), and waits a moment for the stream of a session
    /// that is known: a client may open it at the same time as it subscribes.
    pub(super) async fn wait_for_watch(&self, client: &ClientKey) -> Option<Arc<Watch>> {
        if !lock(&self.registry).sessions.contains_key(client) {
            return None;
        }
        let opened = async {
            loop {
                let opened = self.opened.notified();
                if let Some(watch) = self.find_watch(client) {
                    return watch;
                }
                opened.await;
            }
        };
        timeout(STREAM_PAUSE, opened).await.ok()
    }

    /// Ends a session; returns `false` if it is not known.
    pub(super) fn end(&self, client: &ClientKey) -> bool {
        lock(&self.registry).sessions.remove(client).is_some()
    }

    /// Ends a session whose stream has ended, unless it has another one.
    pub(super) fn end_without_stream(&self, client: &ClientKey) {
        let mut registry = lock(&self.registry);
        if registry.sessions.get(client).is_some_and(|session| !session.has_stream()) {
            registry.sessions.remove(client);
        }
    }
}

impl Session {
    fn has_stream(&self) -> bool {
        self.stream.as_ref().is_some_and(|stream| !stream.is_closed())
    }
}

impl Registry {
    fn tick(&mut self) -> u64 {
        self.ticks += 1;
        self.ticks
    }

    /// Ends sessions until there is room for one of a token.
    fn make_room(&mut self, token: TokenDigest) {
        let is_own = |client: &ClientKey| client.token == token;
        let own = self.sessions.keys().filter(|client| is_own(client)).count();
        if own >= SESSIONS_OF_TOKEN_MAX {
            self.end_least_used(is_own);
        } else if self.sessions.len() >= SESSIONS_MAX {
            self.end_least_used(|_| true);
        }
    }

    fn end_least_used(&mut self, is_candidate: impl Fn(&ClientKey) -> bool) {
        let candidates = self.sessions.iter().filter(|(client, _)| is_candidate(client));
        let least = candidates.min_by_key(|(_, session)| (session.has_stream(), session.last_used));
        if let Some(client) = least.map(|(client, _)| client.clone()) {
            self.sessions.remove(&client);
        }
    }
}
