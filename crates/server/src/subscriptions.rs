//! Telling a client over its connection which of the resources that it watches have changed.
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
use super::open_answer::OpenAnswer;
use super::resources::Watch;
use super::server::Server;

/// The subscriptions of a connection.
#[derive(Clone, Default)]
pub(super) struct Subscriptions(Arc<Mutex<Option<Telling>>>);

/// A task that tells the client of changes, until this is dropped with the connection.
struct Telling {
    watch: Arc<Watch>,
    task: JoinHandle<()>,
}

impl Drop for Telling {
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
        let mut present = self.0.lock().await;
        if let Some(telling) = &*present {
            return telling.watch.add(vec![uri]).await;
        }
        let watch = Arc::new(server.watch(caller).await?);
        watch.add(vec![uri]).await?;
        let task = tokio::spawn(tell(Arc::clone(&watch), peer));
        *present = Some(Telling { watch, task });
        Ok(())
    }

    /// Ends a subscription.
    pub(super) async fn remove(&self, uri: &str) {
        if let Some(telling) = &*self.0.lock().await {
            telling.watch.remove(uri);
        }
    }
}

/// Tells a client of changes, one at a time: while it does not read, further changes of a resource are
/// one.
async fn tell(watch: Arc<Watch>, peer: Peer<RoleServer>) {
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
) -> Result<Watch, Failure> {
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
    if let Some(stream) = answer.stream().await {
        return stream.add(vec![uri]).await;
    }
    answer.open(watch(server, caller, vec![uri]).await?);
    Ok(())
}

/// Ends a subscription over HTTP.
pub(super) async fn unsubscribe(answer: &OpenAnswer, uri: String) {
    match answer.stream().await {
        Some(stream) => drop(stream.remove(&uri)),
        None => answer.unsubscribe(uri),
    }
}

/// Tells a client that listens of changes, until it hangs up, or `answer` has to end.
pub(super) async fn listen(
    watch: &Watch,
    context: &SubscriptionContext,
    answer: Option<&OpenAnswer>,
) {
    let ended = async {
        match answer {
            Some(answer) => answer.ended().await,
            None => std::future::pending().await,
        }
    };
    let tell = async {
        loop {
            if context.sink().notify_resource_updated(watch.next().await).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = context.cancelled() => {}
        () = ended => {}
        () = tell => {}
    }
}
