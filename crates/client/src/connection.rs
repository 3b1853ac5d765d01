//! One connection: `rmcp`'s service of a client, the tools that it lists, and their results.

use std::time::Duration;

use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientCapabilities, ClientConfig, ClientRequest,
    Implementation, ListToolsRequest, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, RequestMetaObject, ResourceContents, ServerResult,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, PeerRequestOptions, RoleClient, RunningService,
};
use serde_json::{Map, Value};

use super::address::Address;
use super::deadline::Deadline;
use super::endpoint::Endpoint;
use super::error::ClientError;
use super::failure::{self, Failure};
use super::http;
use super::retry_safety::{self, KeySupport, RetrySafety};
use super::token::Token;
use super::tool_info::ToolInfo;
use super::tool_result::ToolResult;
use dibber_skill::contract::IDEMPOTENCY_META;

/// The most pages of a list of tools that are asked for.
const TOOL_PAGES_MAX: usize = 100;
/// The longest wait for an answer to the first request of the newest revision. A server that does
/// not know it may not answer.
const DISCOVER_TIMEOUT_MAX: Duration = Duration::from_secs(5);
/// The longest time that closing may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The description that a server gives of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerInfo {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its version, if it has one.
    pub version: Option<String>,
    /// The revision of the protocol that the connection uses.
    pub protocol_version: String,
    /// Its instructions for the model of a client.
    pub instructions: Option<String>,
}

pub(super) struct Connection {
    service: RunningService<RoleClient, Handler>,
    tools: Vec<ToolInfo>,
    timeout: Duration,
}

/// Identifies this program to a server.
struct Handler;

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let program = Implementation::new("dibber", env!("CARGO_PKG_VERSION"));
        // What a handshake asks for: the newest revision has none.
        ClientConfig::new(ClientCapabilities::default(), program)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }
}

impl Connection {
    /// Connects and lists the tools. The caller bounds the time with the same deadline.
    pub(super) async fn open(endpoint: &Endpoint, deadline: Deadline) -> Result<Self, Failure> {
        let service = match endpoint {
            Endpoint::Embedded(connect) => {
                let preferred_versions = vec![ProtocolVersion::LATEST];
                let lifecycle = ClientLifecycleMode::Discover { preferred_versions };
                let pipes = tokio::io::split(connect());
                Handler.serve_with_lifecycle(pipes, lifecycle).await?
            }
            Endpoint::Http { url, token } => connect_http(url, token.as_ref(), deadline).await?,
        };
        let tools = all_tools(&service).await?;
        Ok(Self { service, tools, timeout: deadline.timeout() })
    }

    /// Returns `true` if the transport is not known to be closed.
    pub(super) fn is_open(&self) -> bool {
        !self.service.is_transport_closed()
    }

    pub(super) async fn close(self) {
        // The server forgets a session by itself, too.
        let _ = tokio::time::timeout(self.timeout.min(CLOSE_TIMEOUT), self.service.cancel()).await;
    }

    pub(super) fn server(&self) -> ServerInfo {
        let info = self.service.peer_info();
        let program = info.as_ref().and_then(|info| info.server_info.clone());
        ServerInfo {
            name: program.as_ref().map(|program| program.name.clone()),
            version: program.map(|program| program.version),
            protocol_version: info
                .as_ref()
                .map(|info| info.protocol_version.to_string())
                .unwrap_or_default(),
            instructions: info.and_then(|info| info.instructions.clone()),
        }
    }

    pub(super) fn tools(&self) -> &[ToolInfo] {
        &self.tools
    }

    /// Calls a tool. Without a `safety`, it is that of the tool as the server lists it.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        safety: Option<RetrySafety<'_>>,
        deadline: Deadline,
    ) -> Result<ToolResult, Failure> {
        let listed = ToolInfo::find(&self.tools, tool)
            .ok_or_else(|| Failure::permanent(ClientError::NoTool(tool.to_owned())))?;
        let safety = safety.unwrap_or_else(|| listed.retry_safety(None));
        let mut parameters = CallToolRequestParams::new(listed.name.clone());
        parameters.arguments = Some(arguments);
        let mut options = PeerRequestOptions::no_options();
        if let RetrySafety::Keyed(key) = safety {
            let mut meta = RequestMetaObject::new();
            meta.0.insert(IDEMPOTENCY_META.to_owned(), key.as_str().into());
            options = options.with_meta(meta);
        }
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(parameters));
        let result = self.send(request, options, deadline).await.and_then(ToolResult::parse);
        result.map_err(|failure| failure.with_retry_safety(safety))
    }

    /// Sends a request, and returns its result as the server sent it.
    async fn send(
        &self,
        request: ClientRequest,
        options: PeerRequestOptions,
        deadline: Deadline,
    ) -> Result<Value, Failure> {
        let answer = deadline.with_timeout(async {
            let sent = self.service.send_request_with_option(request, options).await?;
            sent.await_response().await
        });
        Ok(to_value(&answer.await?))
    }

    pub(super) async fn resource(&self, uri: &str, deadline: Deadline) -> Result<String, Failure> {
        let read = self.service.read_resource(ReadResourceRequestParams::new(uri));
        let read = deadline.with_timeout(read).await.map_err(Failure::without_side_effects)?;
        let parts = read.contents.into_iter().filter_map(|contents| match contents {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        });
        Ok(parts.collect())
    }
}

/// Connects to a server over HTTP: in the newest revision, or, if the server does not know its
/// first request, in one with a handshake. The caller bounds the time with the same deadline.
///
/// `rmcp` can try both by itself, but it takes every answer to the first request for one of the
/// newest revision, and waits longer for it than the timeout of a request.
async fn connect_http(
    url: &Address,
    token: Option<&Token>,
    deadline: Deadline,
) -> Result<RunningService<RoleClient, Handler>, Failure> {
    let transport = || http::transport(url, token, deadline.timeout()).map_err(Failure::permanent);
    let discover =
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] };
    let discover = Handler.serve_with_lifecycle(transport()?, discover);
    // An older server may not answer, and the handshake after that takes time, too.
    let discover_timeout = DISCOVER_TIMEOUT_MAX.min(deadline.remaining() / 2);
    match tokio::time::timeout(discover_timeout, discover).await {
        Ok(Ok(service)) => return Ok(service),
        Ok(Err(error)) if !failure::is_of_older_server(&error) => return Err(error.into()),
        Ok(Err(_)) | Err(_) => {}
    }
    let initialize = ClientLifecycleMode::Initialize;
    Ok(Handler.serve_with_lifecycle(transport()?, initialize).await?)
}

/// Returns every page of the list of tools.
async fn all_tools(
    service: &RunningService<RoleClient, Handler>,
) -> Result<Vec<ToolInfo>, Failure> {
    let server = service.peer_info();
    let declared = server.map_or(KeySupport::Unknown, |server| {
        retry_safety::declared_key_support(&server.capabilities)
    });
    let mut tools = Vec::new();
    let mut cursor = None;
    for _ in 0..TOOL_PAGES_MAX {
        let from = PaginatedRequestParams::default().with_cursor(cursor);
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(from));
        let page = to_value(&service.send_request(request).await?);
        let Some(listed) = page.get("tools").and_then(Value::as_array) else {
            return Err(Failure::protocol_error("its list of tools is not one"));
        };
        tools.extend(listed.iter().filter_map(|tool| ToolInfo::parse(tool, declared)));
        cursor = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
        if cursor.is_none() {
            return Ok(tools);
        }
    }
    Err(Failure::protocol_error(format!("it lists more than {TOOL_PAGES_MAX} pages of tools")))
}

/// Returns a result as JSON. `rmcp` parses it as the first of its types that fits, which is not
/// always that of the request; what fits none remains as it is.
fn to_value(result: &ServerResult) -> Value {
    serde_json::to_value(result).unwrap_or_default()
}
