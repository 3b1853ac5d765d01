//! Notifying a client over its connection of which of the resources that it watches have changed.
//!
//! How a client watches depends on the revision of MCP. In the first ones, it subscribes to a
//! resource and is notified until it unsubscribes: on a pair of pipes over the connection, as
//! [`Subscriptions`] keeps it, and over HTTP on the stream of its session, or in the answer itself,
//! which stays open. From 2026-07-28 on it listens: the request names all resources, and is
//! answered with a stream.

use std::sync::Arc;

use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionContext};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::caller::Caller;
use super::failure::Failure;
use super::lifetime::Lifetime;
use super::open_answer::OpenAnswer;
use super::resources::{RefusedResource, Watch};
use super::server::Server;

/// The subscriptions of a connection.
#[derive(Clone, Default)]
pub(super) struct Subscriptions(Arc<Mutex<Option<Notifier>>>);

/// A task that notifies the client of changes, until this is dropped with the connection.
struct Notifier {
    watch: Arc<Watch>,
    task: JoinHandle<()>,
}

impl Drop for Notifier {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Subscriptions {
    /// Subscribes to a resource.
    pub(super) async fn add(
        &self,
        server: &Server,
        caller: Caller,
        uri: String,
        peer: Peer<RoleServer>,
    ) -> Result<(), Failure> {
        let mut notifier = self.0.lock().await;
        if let Some(notifier) = &*notifier {
            return Ok(notifier.watch.add(vec![uri]).await?);
        }
        let watch = Arc::new(watch(server, caller, vec![uri]).await?);
        let task = tokio::spawn(send_changes(Arc::clone(&watch), peer));
        *notifier = Some(Notifier { watch, task });
        Ok(())
    }

    /// Ends a subscription.
    pub(super) async fn remove(&self, uri: &str) {
        if let Some(notifier) = &*self.0.lock().await {
            notifier.watch.remove(uri);
        }
    }
}

/// Sends changes to a client, one at a time: while it does not read, further changes of a resource are
/// one.
async fn send_changes(watch: Arc<Watch>, peer: Peer<RoleServer>) {
    loop {
        let changed = ResourceUpdatedNotificationParam::new(watch.next().await);
        if peer.notify_resource_updated(changed).await.is_err() {
            return;
        }
    }
}

/// Lets a caller watch resources.
pub(super) async fn watch(
    server: &Server,
    caller: Caller,
    uris: Vec<String>,
) -> Result<Watch, RefusedResource> {
    let watch = server.watch(caller).await?;
    watch.add(uris).await?;
    Ok(watch)
}

/// Subscribes over HTTP: the news comes on the stream of the session, or else in the answer.
pub(super) async fn subscribe(
    server: &Server,
    answer: &OpenAnswer,
    caller: Caller,
    uri: String,
) -> Result<(), Failure> {
    if let Some(on_stream) = answer.sessions().wait_for_watch(answer.client()).await {
        return Ok(on_stream.add(vec![uri]).await?);
    }
    answer.open(watch(server, caller, vec![uri.clone()]).await?, uri);
    Ok(())
}

/// Sends changes to a client that listens, until it hangs up, or the lifetime of its answer ends.
pub(super) async fn listen(
    watch: &Watch,
    context: &SubscriptionContext,
    lifetime: Option<&Lifetime>,
) {
    let ended = async {
        match lifetime {
            Some(lifetime) => lifetime.wait_until_ended().await,
            None => std::future::pending().await,
        }
    };
    let sent =
        async { while context.sink().notify_resource_updated(watch.next().await).await.is_ok() {} };
    tokio::select! {
        () = context.cancelled() => {}
        () = ended => {}
        () = sent => {}
    }
}
