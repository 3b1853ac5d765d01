//! The client: a connection to a server, and calls of its tools.
//!
//! A [`Client`] knows where the server is and connects when it is first needed. Whoever calls
//! says which calls are writes by giving them an idempotency [`Key`]; without one, a call that
//! changes something is sent once and never again.

mod connection;
mod error;
mod key;
mod token;
mod typed;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use tokio::io::DuplexStream;
use tokio::sync::Mutex;

pub use connection::{ServerInfo, ToolInfo};
pub use error::ClientError;
pub use key::Key;
pub use token::Token;
pub use typed::{Commit, DryRun};

use connection::Connection;

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
        url: String,
        /// What it asks for, if it asks.
        token: Option<Token>,
    },
}

/// How calls are made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How long one request may take.
    pub timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { timeout: TIMEOUT_DEFAULT }
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
        Ok(self.connection().await?.server())
    }

    /// The tools of the server, as it lists them.
    pub async fn tools(&self) -> Result<Vec<ToolInfo>, ClientError> {
        Ok(self.connection().await?.tools().to_vec())
    }

    /// Calls a tool, under whichever spelling of its name the server lists. Gives the object
    /// that it answers.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        key: Option<&Key>,
    ) -> Result<Value, ClientError> {
        self.connection().await?.call(tool, arguments, key).await
    }

    /// Reads a resource that is a text.
    pub async fn resource(&self, uri: &str) -> Result<String, ClientError> {
        self.connection().await?.resource(uri).await
    }

    async fn connection(&self) -> Result<Arc<Connection>, ClientError> {
        let mut connection = self.connection.lock().await;
        if let Some(connection) = connection.as_ref() {
            return Ok(Arc::clone(connection));
        }
        let new = Arc::new(Connection::open(&self.endpoint, self.options).await?);
        *connection = Some(Arc::clone(&new));
        Ok(new)
    }
}
