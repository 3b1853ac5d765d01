//! The client: a connection to a server, and calls of its tools.
//!
//! A [`Client`] knows where the server is and connects when it is first needed. Whoever calls
//! says which calls are writes by giving them an idempotency [`Key`]; without one, a call that
//! changes something is sent once and never again.

mod address;
mod connection;
mod error;
mod failure;
mod http;
mod journal;
mod key;
mod retry;
mod token;
mod typed;

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value};
use tokio::io::DuplexStream;
use tokio::sync::Mutex;

pub use address::{Address, NoAddress};
pub use connection::{ServerInfo, ToolInfo};
pub use error::{ClientError, JournalError};
pub use journal::{Intent, Journal, Operation, Repeat, Unfinished};
pub use key::Key;
pub use retry::Retry;
pub use token::Token;
pub use typed::{Commit, DryRun, SPEC_HASH, commit_arguments};

use connection::{Connection, Sending};
use failure::Failure;

/// How long one request may take when nothing else is said.
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
    /// How long one request may take.
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
    connection: Mutex<Option<Arc<Connection>>>,
}

impl Client {
    /// A client that is not connected yet.
    pub fn new(endpoint: Endpoint, options: Options) -> Self {
        Self { endpoint, options, connection: Mutex::default() }
    }

    /// What the server says of itself.
    pub async fn server(&self) -> Result<ServerInfo, ClientError> {
        let connect = || async { Ok(self.connection().await?.server()) };
        self.options.retry.until_done(self.options.clock, connect).await
    }

    /// The tools of the server, as it lists them.
    pub async fn tools(&self) -> Result<Vec<ToolInfo>, ClientError> {
        let connect = || async { Ok(self.connection().await?.tools().to_vec()) };
        self.options.retry.until_done(self.options.clock, connect).await
    }

    /// Calls a tool, under whichever spelling of its name the server lists. Gives the object
    /// that it answers. With a key it is tried again when its answer does not come; without one,
    /// only if the server says that the tool changes nothing, or if nothing was sent.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        key: Option<&Key>,
    ) -> Result<Value, ClientError> {
        self.send(tool, &arguments, key.map_or(Sending::AsListed, Sending::Keyed)).await
    }

    /// Reads a resource that is a text.
    pub async fn resource(&self, uri: &str) -> Result<String, ClientError> {
        let read = || async {
            let connection = self.connection().await?;
            let read = connection.resource(uri).await;
            self.kept(&connection, read).await
        };
        self.options.retry.until_done(self.options.clock, read).await
    }

    /// Says goodbye to the server, if it was spoken with.
    pub async fn close(&self) {
        let connection = self.connection.lock().await.take();
        if let Some(connection) = connection.and_then(Arc::into_inner) {
            connection.close().await;
        }
    }

    async fn send(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        sending: Sending<'_>,
    ) -> Result<Value, ClientError> {
        let send = || async {
            let connection = self.connection().await?;
            let answer = connection.call(tool, arguments.clone(), sending).await;
            self.kept(&connection, answer).await
        };
        self.options.retry.until_done(self.options.clock, send).await
    }

    async fn connection(&self) -> Result<Arc<Connection>, Failure> {
        let mut kept = self.connection.lock().await;
        if let Some(connection) = kept.as_ref().filter(|connection| connection.stands()) {
            return Ok(Arc::clone(connection));
        }
        *kept = None;
        let new = Arc::new(Connection::open(&self.endpoint, self.options.timeout).await?);
        *kept = Some(Arc::clone(&new));
        Ok(new)
    }

    /// Lets go of a connection on which something failed that may go wrong again.
    async fn kept<T>(
        &self,
        connection: &Arc<Connection>,
        result: Result<T, Failure>,
    ) -> Result<T, Failure> {
        if result.as_ref().is_err_and(|failure| !failure.connection_stands) {
            let mut kept = self.connection.lock().await;
            if kept.as_ref().is_some_and(|kept| Arc::ptr_eq(kept, connection)) {
                *kept = None;
            }
        }
        result
    }
}
