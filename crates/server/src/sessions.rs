//! The sessions of clients, in the revisions of MCP that begin with `initialize`.
//!
//! Every request is independent of its session, so that several servers may have one address. A session
//! is what a client watches on its stream, and which of its answers stay open. A server knows the sessions
//! that it has issued, until the client was away for too long, or others needed the room: a client that
//! opens the stream of a session that is not known learns that its subscriptions are gone, and begins a
//! new session.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;
use uuid::Uuid;

use super::mutex::lock;
use super::resources::Watch;

/// The most sessions of a server. Those whose stream is not open make room for new ones.
const SESSIONS_MAX: usize = 4096;

/// The most sessions of the clients with one token, so that they leave the others theirs.
const SESSIONS_OF_TOKEN_MAX: usize = 256;

/// The most sessions that are remembered after their clients have ended them.
const DELETED_MAX: usize = 1024;

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
    /// The answers that stay open, also of clients without a session that is known.
    answers: Vec<OpenSubscription>,
    /// The sessions that were ended by their clients, the last one first.
    deleted: VecDeque<ClientKey>,
}

struct Session {
    /// The tick at which it began, or its stream was opened.
    last_used: u64,
    /// What its client watches, if it has opened a stream.
    watch: Option<Arc<Watch>>,
    /// The newest stream, if its client has opened one.
    stream: Option<NewestStream>,
}

struct NewestStream {
    /// Ends the stream when it is dropped.
    _end: oneshot::Sender<()>,
    /// Whether the client has left it.
    is_interrupted: bool,
}

/// A subscription whose news comes in the answer to it.
struct OpenSubscription {
    client: ClientKey,
    uri: String,
    /// Ends the answer when it is dropped.
    end: oneshot::Sender<()>,
}

/// The stream of a session.
pub(super) struct SessionStream {
    /// What its client watches.
    pub(super) watch: Arc<Watch>,
    /// Is ready when the session has ended, or has another stream.
    pub(super) replaced: oneshot::Receiver<()>,
    /// The tick at which it was opened, which no other stream has.
    pub(super) opened: u64,
}

impl Sessions {
    /// Begins a session of a client with a token; returns its id, or none if there is no room.
    pub(super) fn begin(&self, token: TokenDigest) -> Option<String> {
        let id = Uuid::new_v4().to_string();
        let client = ClientKey { token, session: Some(id.clone()) };
        lock(&self.registry).begin(client).then_some(id)
    }

    /// Returns `true` if the session of a client is known.
    pub(super) fn knows(&self, client: &ClientKey) -> bool {
        lock(&self.registry).sessions.contains_key(client)
    }

    /// Opens the stream of a session, which replaces an earlier one; returns none if the session is not
    /// known. The client goes on with what it watched on the earlier stream, or else gets `watch`.
    pub(super) fn open_stream(&self, client: &ClientKey, watch: Watch) -> Option<SessionStream> {
        let mut registry = lock(&self.registry);
        let opened = registry.tick();
        let session = registry.sessions.get_mut(client)?;
        let watch = Arc::clone(session.watch.get_or_insert_with(|| Arc::new(watch)));
        let (end, replaced) = oneshot::channel();
        session.stream = Some(NewestStream { _end: end, is_interrupted: false });
        session.last_used = opened;
        drop(registry);
        self.opened.notify_waiters();
        Some(SessionStream { watch, replaced, opened })
    }

    /// Returns what the client of a session watches, if it has opened a stream.
    pub(super) fn find_watch(&self, client: &ClientKey) -> Option<Arc<Watch>> {
        lock(&self.registry).sessions.get(client)?.watch.clone()
    }

    /// Does the same as [`find_watch`](Self::find_watch), and waits a moment for the stream of a session
    /// that is known: a client may open it at the same time as it subscribes.
    pub(super) async fn wait_for_watch(&self, client: &ClientKey) -> Option<Arc<Watch>> {
        if !self.knows(client) {
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

    /// Records that the client has left a stream.
    pub(super) fn interrupt(&self, client: &ClientKey, opened: u64) {
        lock(&self.registry).interrupt(client, opened);
    }

    /// Ends a session with its stream; returns `false` if it has another stream, or has ended already.
    pub(super) fn end_stream(&self, client: &ClientKey, opened: u64) -> bool {
        lock(&self.registry).end_stream(client, opened)
    }

    /// Ends a session, and the answers of its client that stay open; returns `false` if it is not known.
    pub(super) fn end(&self, client: &ClientKey) -> bool {
        let mut registry = lock(&self.registry);
        registry.answers.retain(|answer| answer.client != *client);
        let is_known = registry.sessions.remove(client).is_some();
        if is_known {
            registry.deleted.truncate(DELETED_MAX - 1);
            registry.deleted.push_front(client.clone());
        }
        is_known
    }

    /// Returns `true` if the client has ended its session here, not long ago.
    pub(super) fn is_deleted(&self, client: &ClientKey) -> bool {
        lock(&self.registry).deleted.contains(client)
    }

    /// Records an answer of a client that stays open for news of a resource; returns what is ready when
    /// the subscription ends.
    pub(super) fn open_answer(&self, client: ClientKey, uri: String) -> oneshot::Receiver<()> {
        let (end, ended) = oneshot::channel();
        let answers = &mut lock(&self.registry).answers;
        answers.retain(|answer| !answer.end.is_closed());
        answers.push(OpenSubscription { client, uri, end });
        ended
    }

    /// Ends the subscriptions of a client to a resource, wherever their news comes. If it sends no
    /// session, those are meant that any client with its token has made without one: nothing else says
    /// which one is meant.
    pub(super) fn unsubscribe(&self, client: &ClientKey, uri: &str) {
        let mut registry = lock(&self.registry);
        registry.answers.retain(|answer| answer.client != *client || answer.uri != uri);
        let session = registry.sessions.get(client);
        if let Some(watch) = session.and_then(|session| session.watch.as_ref()) {
            watch.remove(uri);
        }
    }
}

impl Registry {
    fn tick(&mut self) -> u64 {
        self.ticks += 1;
        self.ticks
    }

    /// Begins a session of a client; returns `false` if there is no room.
    fn begin(&mut self, client: ClientKey) -> bool {
        let is_own = |other: &ClientKey| other.token == client.token;
        let own = self.sessions.keys().filter(|other| is_own(other)).count();
        let has_room = if own >= SESSIONS_OF_TOKEN_MAX {
            self.end_one(is_own)
        } else {
            self.sessions.len() < SESSIONS_MAX || self.end_one(|_| true)
        };
        if has_room {
            let session = Session { last_used: self.tick(), watch: None, stream: None };
            self.sessions.insert(client, session);
        }
        has_room
    }

    /// Ends the least important session: of those that never had a stream, or else of those whose stream
    /// is interrupted, the one that was used the longest time ago. Returns `false` if there is none.
    fn end_one(&mut self, is_candidate: impl Fn(&ClientKey) -> bool) -> bool {
        let candidates = self.sessions.iter().filter(|(client, session)| {
            let stream = session.stream.as_ref();
            is_candidate(client) && stream.is_none_or(|stream| stream.is_interrupted)
        });
        let least =
            candidates.min_by_key(|(_, session)| (session.stream.is_some(), session.last_used));
        let least = least.map(|(client, _)| client.clone());
        least.is_some_and(|client| self.sessions.remove(&client).is_some())
    }

    fn interrupt(&mut self, client: &ClientKey, opened: u64) {
        let session = self.sessions.get_mut(client).filter(|session| session.last_used == opened);
        if let Some(stream) = session.and_then(|session| session.stream.as_mut()) {
            stream.is_interrupted = true;
        }
    }

    fn end_stream(&mut self, client: &ClientKey, opened: u64) -> bool {
        let is_newest =
            self.sessions.get(client).is_some_and(|session| session.last_used == opened);
        is_newest && self.sessions.remove(client).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: usize) -> ClientKey {
        ClientKey { token: [0; 32], session: Some(number.to_string()) }
    }

    /// Opens the stream of a session; returns which one it is.
    fn open(registry: &mut Registry, client: &ClientKey) -> u64 {
        let opened = registry.tick();
        let session = registry.sessions.get_mut(client).expect("a session");
        let (end, _) = oneshot::channel();
        session.stream = Some(NewestStream { _end: end, is_interrupted: false });
        session.last_used = opened;
        opened
    }

    /// Returns a registry with as many sessions of a token as there may be, all with an open stream.
    fn full_registry() -> (Registry, Vec<u64>) {
        let mut registry = Registry::default();
        let opened = (0..SESSIONS_OF_TOKEN_MAX).map(|number| {
            assert!(registry.begin(client(number)));
            open(&mut registry, &client(number))
        });
        let opened = opened.collect();
        (registry, opened)
    }

    #[test]
    fn a_stream_that_is_open_makes_no_room() {
        let (mut registry, _) = full_registry();
        assert!(!registry.begin(client(1_000)));
        assert_eq!(registry.sessions.len(), SESSIONS_OF_TOKEN_MAX);
        // Other tokens are not concerned.
        assert!(registry.begin(ClientKey { token: [1; 32], session: None }));
    }

    #[test]
    fn sessions_without_an_open_stream_make_room_in_order() {
        let (mut registry, opened) = full_registry();
        for number in [7, 3] {
            registry.interrupt(&client(number), opened[number]);
        }
        assert!(registry.begin(client(1_000)));
        assert!(!registry.sessions.contains_key(&client(3)), "it was opened first");
        assert!(registry.begin(client(1_001)));
        assert!(!registry.sessions.contains_key(&client(1_000)), "it had no stream");
        assert!(registry.sessions.contains_key(&client(7)));
        open(&mut registry, &client(1_001));
        assert!(registry.begin(client(1_002)));
        assert!(!registry.sessions.contains_key(&client(7)), "it is interrupted");
    }

    #[test]
    fn a_stream_that_was_replaced_does_not_end_its_session() {
        let (mut registry, opened) = full_registry();
        let newer = open(&mut registry, &client(0));
        registry.interrupt(&client(0), opened[0]);
        assert!(!registry.end_stream(&client(0), opened[0]));
        assert!(!registry.begin(client(1_000)));
        assert!(registry.end_stream(&client(0), newer));
        assert!(registry.begin(client(1_000)));
    }
}
