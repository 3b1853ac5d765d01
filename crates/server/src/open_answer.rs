//! An answer over HTTP that may stay open, for news about what the client watches.

use std::sync::{Arc, Mutex};

use http::request::Parts;
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::oneshot;

use super::lifetime::Lifetime;
use super::mutex::lock;
use super::resources::Watch;
use super::sessions::{ClientKey, Sessions};

/// What the handler of a request knows of its answer.
#[derive(Clone)]
pub(super) struct OpenAnswer(Arc<Inner>);

struct Inner {
    sessions: Arc<Sessions>,
    client: ClientKey,
    lifetime: Lifetime,
    /// The subscription, if the answer is to stay open.
    subscription: Mutex<Option<Subscription>>,
}

/// What an answer stays open for.
pub(super) struct Subscription {
    /// What the client watches.
    pub(super) watch: Watch,
    /// Is ready when the subscription has ended.
    pub(super) ended: oneshot::Receiver<()>,
}

impl OpenAnswer {
    pub(super) fn new(sessions: Arc<Sessions>, client: ClientKey, lifetime: Lifetime) -> Self {
        Self(Arc::new(Inner { sessions, client, lifetime, subscription: Mutex::default() }))
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
        &self.0.sessions
    }

    /// Lets the answer stay open for news of a resource.
    pub(super) fn open(&self, watch: Watch, uri: String) {
        let ended = self.0.sessions.open_answer(self.0.client.clone(), uri);
        *lock(&self.0.subscription) = Some(Subscription { watch, ended });
    }

    /// Returns the subscription, if the answer is to stay open.
    pub(super) fn take(&self) -> Option<Subscription> {
        lock(&self.0.subscription).take()
    }
}
