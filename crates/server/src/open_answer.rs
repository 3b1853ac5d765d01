//! An answer over HTTP that may stay open, for news about what the client watches.

use std::sync::{Arc, Mutex};

use http::request::Parts;
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::broadcast;

use super::lifetime::Lifetime;
use super::mutex::lock;
use super::resources::Watch;
use super::sessions::{ClientKey, Sessions};

/// The most subscriptions that are ended and not noticed yet.
const UNSUBSCRIBED_MAX: usize = 256;

/// What the answers of a server have in common.
pub(super) struct OpenAnswers {
    pub(super) sessions: Sessions,
    /// The subscriptions that are being ended: of which client, and to which URI.
    unsubscribed: broadcast::Sender<(ClientKey, String)>,
}

impl OpenAnswers {
    pub(super) fn new() -> Self {
        let unsubscribed = broadcast::channel(UNSUBSCRIBED_MAX).0;
        Self { sessions: Sessions::default(), unsubscribed }
    }
}

/// What the handler of a request knows of its answer.
#[derive(Clone)]
pub(super) struct OpenAnswer(Arc<Inner>);

struct Inner {
    answers: Arc<OpenAnswers>,
    client: ClientKey,
    lifetime: Lifetime,
    /// What the client watches from now on, if the answer is to stay open.
    watch: Mutex<Option<Watch>>,
}

impl OpenAnswer {
    pub(super) fn new(answers: Arc<OpenAnswers>, client: ClientKey, lifetime: Lifetime) -> Self {
        Self(Arc::new(Inner { answers, client, lifetime, watch: Mutex::default() }))
    }

    /// Returns what is known of the answer to a request; none if it did not come over HTTP.
    pub(super) fn find(context: &RequestContext<RoleServer>) -> Option<&Self> {
        context.extensions.get::<Parts>()?.extensions.get()
    }

    /// Returns the client.
    pub(super) fn client(&self) -> &ClientKey {
        &self.0.client
    }

    /// Returns how long it may stay open.
    pub(super) fn lifetime(&self) -> &Lifetime {
        &self.0.lifetime
    }

    /// Returns the sessions of the server.
    pub(super) fn sessions(&self) -> &Sessions {
        &self.0.answers.sessions
    }

    /// Lets the answer stay open.
    pub(super) fn open(&self, watch: Watch) {
        *lock(&self.0.watch) = Some(watch);
    }

    /// Returns what the client watches, if the answer is to stay open.
    pub(super) fn take(&self) -> Option<Watch> {
        lock(&self.0.watch).take()
    }

    /// Ends the answers to subscriptions of the same client to a resource. If it sends no session, they
    /// are those of every client with its token: nothing else says which one is meant.
    pub(super) fn unsubscribe(&self, uri: String) {
        // It fails if there is no subscription.
        let _ = self.0.answers.unsubscribed.send((self.0.client.clone(), uri));
    }

    /// Waits until the subscription to a resource is ended.
    pub(super) async fn wait_until_unsubscribed(&self, uri: &str) {
        let mut unsubscribed = self.0.answers.unsubscribed.subscribe();
        loop {
            match unsubscribed.recv().await {
                Ok((client, ended)) if client == self.0.client && ended == uri => return,
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return,
            }
        }
    }
}
