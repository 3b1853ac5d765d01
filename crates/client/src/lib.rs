//! The client: a connection to a server, and calls of its tools.
//!
//! A [`Client`] knows where the server is and connects when it is first needed. Whether a call is
//! sent again when its answer does not come is its [`RetrySafety`]: a call with side effects is
//! repeated only if the tool is idempotent or the server honours its idempotency [`Key`].

mod address;
mod concurrent;
mod connection;
mod deadline;
mod error;
mod failure;
mod http;
mod journal;
mod key;
mod listing;
pub mod publish;
mod retry;
mod retry_safety;
mod token;
mod typed;

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};
use tokio::io::DuplexStream;

pub use address::{Address, NoAddress};
pub use connection::{ServerInfo, ToolInfo};
pub use error::{ClientError, JournalError};
pub use journal::{Intent, Journal, Operation, Repeat, Unfinished};
pub use key::Key;
pub use retry::Retry;
pub use retry_safety::{KeySupport, RetrySafety};
pub use token::Token;
pub use typed::{Commit, DryRun, SPEC_HASH, commit_arguments};

use connection::Connection;
use deadline::Deadline;
use failure::Failure;

/// The default of [`Options::timeout`].
pub const TIMEOUT_DEFAULT: Duration = Duration::from_secs(30);

/// Where a server is.
#[derive(Clone)]
pub enum Endpoint {
    /// In this process: makes a pair of pipes, and gives the client's end.
    Embedded(Arc<dyn Fn() -> DuplexStream + Send + Sync>),
    /// An MCP endpoint over streamable HTTP.
    Http {
        /// The address, such as `http://127.0.0.1:7340/mcp`.
        url: Address,
        /// What it asks for, if it asks.
        token: Option<Token>,
    },
}

/// How calls are made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How long to wait for one answer: connecting, the call, its retries and the waits between
    /// them together.
    pub timeout: Duration,
    /// How a call is tried again.
    pub retry: Retry,
    /// Tells the time, for a server that names a date to wait for.
    pub clock: fn() -> Timestamp,
}

impl Options {
    /// The usual options.
    pub fn new(clock: fn() -> Timestamp) -> Self {
        Self { timeout: TIMEOUT_DEFAULT, retry: Retry::default(), clock }
    }
}

/// A client of one server.
pub struct Client {
    endpoint: Endpoint,
    options: Options,
    current: Mutex<Option<Arc<Connection>>>,
    /// Held by the one call that connects.
    connecting: tokio::sync::Mutex<()>,
}

impl Client {
    /// A client that is not connected yet.
    pub fn new(endpoint: Endpoint, options: Options) -> Self {
        let (current, connecting) = (Mutex::default(), tokio::sync::Mutex::default());
        Self { endpoint, options, current, connecting }
    }

    /// What the server says of itself.
    pub async fn server(&self) -> Result<ServerInfo, ClientError> {
        let connect = |deadline| async move { Ok(self.connection(deadline).await?.server()) };
        self.until_done(connect).await
    }

    /// The tools of the server, as it lists them.
    pub async fn tools(&self) -> Result<Vec<ToolInfo>, ClientError> {
        let connect =
            |deadline| async move { Ok(self.connection(deadline).await?.tools().to_vec()) };
        self.until_done(connect).await
    }

    /// Calls a tool, under whichever spelling of its name the server lists. Returns the object
    /// that it answers. With a key, the caller asserts that the server honours it, and the call is
    /// sent again when its answer does not come; without one, only if the server lists the tool as
    /// read-only or idempotent, or if nothing was sent.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        key: Option<&Key>,
    ) -> Result<Value, ClientError> {
        self.send(tool, &arguments, key.map(RetrySafety::Keyed)).await
    }

    /// Reads a resource that is text.
    pub async fn resource(&self, uri: &str) -> Result<String, ClientError> {
        let read = |deadline| async move {
            let connection = self.connection(deadline).await?;
            let read = connection.resource(uri, deadline).await;
            self.drop_if_broken(&connection, read)
        };
        self.until_done(read).await
    }

    /// Says goodbye to the server, if it was spoken with.
    pub async fn close(&self) {
        let connection = self.current().take();
        if let Some(connection) = connection.and_then(Arc::into_inner) {
            connection.close().await;
        }
    }

    async fn send(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        safety: Option<RetrySafety<'_>>,
    ) -> Result<Value, ClientError> {
        let send = |deadline| async move {
            let connection = self.connection(deadline).await?;
            let answer = connection.call(tool, arguments.clone(), safety, deadline).await;
            self.drop_if_broken(&connection, answer)
        };
        self.until_done(send).await
    }

    /// Makes attempts that share one deadline.
    async fn until_done<T, F>(&self, attempt: impl Fn(Deadline) -> F) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let Options { timeout, retry, clock } = self.options;
        let deadline = Deadline::after(timeout);
        retry.until_done(deadline, clock, || attempt(deadline)).await
    }

    /// Returns the connection, which is made if there is none. Until it is there, nothing of a
    /// call was sent.
    async fn connection(&self, deadline: Deadline) -> Result<Arc<Connection>, Failure> {
        let connect = async {
            // Only one of several calls connects; the others wait for it, each until its own
            // deadline.
            let _connecting = self.connecting.lock().await;
            let open = self.current().clone().filter(|connection| connection.is_open());
            if let Some(connection) = open {
                return Ok(connection);
            }
            let new = Arc::new(Connection::open(&self.endpoint, deadline).await?);
            *self.current() = Some(Arc::clone(&new));
            Ok(new)
        };
        deadline.bound::<_, Failure>(connect).await.map_err(Failure::not_sent)
    }

    /// Drops a connection that cannot be used for another attempt.
    fn drop_if_broken<T>(
        &self,
        connection: &Arc<Connection>,
        result: Result<T, Failure>,
    ) -> Result<T, Failure> {
        if result.as_ref().is_err_and(|failure| !failure.connection_usable) {
            let mut current = self.current();
            if current.as_ref().is_some_and(|current| Arc::ptr_eq(current, connection)) {
                *current = None;
            }
        }
        result
    }

    fn current(&self) -> MutexGuard<'_, Option<Arc<Connection>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
