//! A client of one server: it connects at its first call, and repeats calls that can be repeated.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use super::cancellation::Cancellation;
use super::connection::{Connection, ServerInfo};
use super::deadline::Deadline;
use super::endpoint::Endpoint;
use super::error::ClientError;
use super::failure::Failure;
use super::handler::Handler;
use super::host::Host;
use super::key::IdempotencyKey;
use super::options::Options;
use super::retry_safety::RetrySafety;
use super::secrets::Secrets;
use super::tool_info::ToolInfo;
use super::tool_result::ToolResult;

/// The name that a server of this program gives itself.
const OWN_SERVER_NAME: &str = "dibber";

/// A client of one server.
pub struct Client {
    endpoint: Endpoint,
    secrets: Secrets,
    options: Options,
    host: Option<Arc<dyn Host>>,
    cancellation: Cancellation,
    current: Mutex<Option<Arc<Connection>>>,
    /// The skills and lists that the server sent with a secret in them.
    masked: Mutex<BTreeSet<String>>,
    /// Locked by the one call that connects.
    connecting: tokio::sync::Mutex<()>,
}

impl Client {
    /// Creates a client, which connects at its first call.
    pub fn new(endpoint: Endpoint, options: Options) -> Self {
        let (current, connecting) = (Mutex::default(), tokio::sync::Mutex::default());
        let (cancellation, secrets) = (Cancellation::new(), Secrets::of(&endpoint));
        let (host, masked) = (None, Mutex::default());
        Self { endpoint, secrets, options, host, cancellation, current, masked, connecting }
    }

    /// Sets the program around the client, which shows progress and answers questions.
    #[must_use]
    pub fn with_host(self, host: Arc<dyn Host>) -> Self {
        Self { host: Some(host), ..self }
    }

    /// Returns what cancels the open requests when the program is interrupted.
    pub fn cancellation(&self) -> Cancellation {
        self.cancellation.clone()
    }

    /// Returns how it waits for answers.
    pub(super) const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the description that the server gives of itself.
    pub async fn server(&self) -> Result<ServerInfo, ClientError> {
        let connect = |deadline| async move { Ok(self.connection(deadline).await?.server()) };
        self.until_done(connect).await
    }

    /// Returns `true` if the server is one of this program: it computes hashes as this client does,
    /// and stores what it is sent.
    pub(crate) async fn is_server_of_dibber(&self) -> Result<bool, ClientError> {
        Ok(self.server().await?.name.as_deref() == Some(OWN_SERVER_NAME))
    }

    /// Returns the tools that the server lists.
    pub async fn tools(&self) -> Result<Vec<ToolInfo>, ClientError> {
        let list = |deadline| async move {
            let connection = self.connection(deadline).await?;
            let tools = connection.tools(deadline).await.map(<[ToolInfo]>::to_vec);
            self.drop_if_broken(&connection, tools.map_err(Failure::without_side_effects))
        };
        self.until_done(list).await
    }

    /// Calls a tool, in either spelling of its name, and returns its result. With a key, the
    /// caller asserts that the server honours it, and the call is repeated if its answer is lost;
    /// without one, only if the server lists the tool as read-only or idempotent, or if nothing
    /// was sent.
    pub async fn call_tool(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        key: Option<&IdempotencyKey>,
    ) -> Result<ToolResult, ClientError> {
        self.send(tool, &arguments, key.map(RetrySafety::Keyed)).await
    }

    /// Calls a tool of the contract, as [`call_tool`](Self::call_tool) does, and returns the value
    /// that it answers with.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Value, ClientError> {
        Ok(self.call_tool(tool, arguments, key).await?.into_value())
    }

    /// Closes the connection, if there is one.
    pub async fn close(&self) {
        let connection = self.current().take();
        if let Some(connection) = connection.and_then(Arc::into_inner) {
            connection.close().await;
        }
    }

    /// Calls a tool with this safety; without one, with that of the tool as the server lists it.
    pub(super) async fn send(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        safety: Option<RetrySafety<'_>>,
    ) -> Result<ToolResult, ClientError> {
        self.until_done(|deadline| self.call_once(tool, arguments, safety, deadline)).await
    }

    /// Makes one attempt at a call.
    pub(super) async fn call_once(
        &self,
        tool: &str,
        arguments: &Map<String, Value>,
        safety: Option<RetrySafety<'_>>,
        deadline: Deadline,
    ) -> Result<ToolResult, Failure> {
        let connection = self.connection(deadline).await?;
        let answer = connection.call(tool, arguments.clone(), safety, deadline).await;
        self.drop_if_broken(&connection, answer)
    }

    /// Repeats an attempt until it succeeds or fails for good; all attempts share one deadline.
    pub(super) async fn until_done<T, F>(
        &self,
        attempt: impl Fn(Deadline) -> F,
    ) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let Options { timeout, retry, clock } = self.options;
        let deadline = Deadline::after(timeout);
        let done = retry.until_done(deadline, clock, || attempt(deadline)).await;
        done.map_err(|error| self.without_secrets(error))
    }

    /// Returns an error of the server without the secrets that were sent to it.
    pub(super) fn without_secrets(&self, error: ClientError) -> ClientError {
        self.secrets.mask_error(error)
    }

    /// Remembers that the server sent a secret in a skill or in a list with this name.
    pub(super) fn note_masked(&self, name: &str) {
        self.masked.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
    }

    /// Returns `true` if the server sent a secret in a skill that was read, or in the list of a tool
    /// that was called: what is known of it is not what the server has.
    pub fn has_masked(&self, name: &str) -> bool {
        self.masked.lock().unwrap_or_else(PoisonError::into_inner).contains(name)
    }

    /// Returns the open connection, or connects. A call whose connection fails was not sent.
    pub(super) async fn connection(&self, deadline: Deadline) -> Result<Arc<Connection>, Failure> {
        let connect = async {
            // Only one of several calls connects; the others wait for it, each until its own
            // deadline.
            let _connecting = self.connecting.lock().await;
            let open = self.current().clone().filter(|connection| connection.is_open());
            if let Some(connection) = open {
                return Ok(connection);
            }
            let handler = || Handler::new(self.host.clone(), self.secrets.clone());
            let cancellation = &self.cancellation;
            let open = Connection::open(&self.endpoint, handler, cancellation, deadline);
            let new = Arc::new(Box::pin(open).await?);
            *self.current() = Some(Arc::clone(&new));
            Ok(new)
        };
        deadline.with_timeout::<_, Failure>(connect).await.map_err(Failure::not_connected)
    }

    /// Drops a connection that cannot be used for another attempt.
    pub(super) fn drop_if_broken<T>(
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
