//! An answer over HTTP that may stay open, for news about what the client watches.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::request::Parts;
use rmcp::service::{RequestContext, RoleServer};
use tokio::sync::{broadcast, watch};
use tokio::time::sleep;

use super::mutex::lock;
use super::resources::Watch;
use super::server::Server;

/// How often it is checked whether the token of an open answer is still valid.
pub(super) const TOKEN_PAUSE: Duration = Duration::from_secs(15);

/// The subscriptions that are being ended: the digest of the token, and the URI.
pub(super) type Unsubscribed = broadcast::Sender<([u8; 32], String)>;

/// What the handler of a request knows of its answer.
#[derive(Clone)]
pub(super) struct OpenAnswer(Arc<Inner>);

struct Inner {
    server: Server,
    token: String,
    /// The digest of the token.
    digest: [u8; 32],
    is_stopping: watch::Receiver<bool>,
    unsubscribed: Unsubscribed,
    /// What the client watches from now on, if the answer is to stay open.
    watch: Mutex<Option<Watch>>,
}

impl OpenAnswer {
    pub(super) fn new(
        server: Server,
        (token, digest): (String, [u8; 32]),
        is_stopping: watch::Receiver<bool>,
        unsubscribed: Unsubscribed,
    ) -> Self {
        let watch = Mutex::default();
        Self(Arc::new(Inner { server, token, digest, is_stopping, unsubscribed, watch }))
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

    /// Ends the subscriptions to a resource that were made with the same token. Requests do not depend
    /// on one another, so that nothing else says which one is meant.
    pub(super) fn unsubscribe(&self, uri: String) {
        // Nobody may be subscribed.
        let _ = self.0.unsubscribed.send((self.0.digest, uri));
    }

    /// Waits until the subscription to a resource is ended.
    pub(super) async fn unsubscribed(&self, uri: &str) {
        let mut unsubscribed = self.0.unsubscribed.subscribe();
        loop {
            match unsubscribed.recv().await {
                Ok((digest, ended)) if digest == self.0.digest && ended == uri => return,
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
            // A database that cannot be read for a moment says nothing about the token.
            if let Ok(None) = self.0.server.authenticate(&self.0.token).await {
                return;
            }
        }
    }
}
