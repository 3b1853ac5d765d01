//! One connection: the only file here that knows `rmcp`'s service.

use std::time::Duration;

use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig,
    ClientRequest, Implementation, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, RequestMetaObject, ResourceContents, ServerResult,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, PeerRequestOptions, RoleClient, RunningService,
};
use serde_json::{Map, Value};

use super::deadline::Deadline;
use super::failure::{self, Failure};
use super::{Address, ClientError, Endpoint, KeySupport, RetrySafety, Token, http, retry_safety};
use dibber_skill::contract::{ERROR, IDEMPOTENCY_META, REPLAYED, ToolError, wire_name};

/// The most pages of a list of tools that are asked for.
const TOOL_PAGES_MAX: usize = 100;
/// The longest wait for an answer to the first request of the newest revision. A server that does
/// not know it may stay silent.
const DISCOVER_TIMEOUT_MAX: Duration = Duration::from_secs(5);
/// The longest that a goodbye may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// What a server says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerInfo {
    /// Its name; none if it does not say.
    pub name: Option<String>,
    /// Its version; none if it does not say.
    pub version: Option<String>,
    /// The revision of the protocol that both speak.
    pub protocol_version: String,
    /// What it asks every client to tell its model.
    pub instructions: Option<String>,
}

/// A tool, as a server lists it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolInfo {
    /// The name.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input_schema: Map<String, Value>,
    /// The JSON Schema of its answer.
    pub output_schema: Option<Map<String, Value>>,
    /// Whether it says that it changes nothing.
    pub is_read_only: bool,
    /// Whether it says that it may take something away.
    pub is_destructive: bool,
    /// Whether it says that the same call again changes nothing more.
    pub is_idempotent: bool,
    /// Whether the server is known to honour idempotency keys.
    pub key_support: KeySupport,
}

pub(super) struct Connection {
    service: RunningService<RoleClient, Handler>,
    tools: Vec<ToolInfo>,
    timeout: Duration,
}

/// Says who we are.
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

    /// Returns `true` if it can still be used, as far as is known.
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

    /// Calls a tool. Without a `safety` of the caller's it is what the server lists.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        safety: Option<RetrySafety<'_>>,
        deadline: Deadline,
    ) -> Result<Value, Failure> {
        let listed = ToolInfo::named(&self.tools, tool)
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
        let answer = deadline.bound(async {
            let sent = self.service.send_request_with_option(request, options).await?;
            sent.await_response().await
        });
        let result = match answer.await {
            Ok(ServerResult::CallToolResult(result)) => tool_result(result),
            Ok(_) => Err(Failure::not_understood("the answer is not that of a tool")),
            Err(failure) => Err(failure),
        };
        result.map_err(|failure| failure.of_call(safety))
    }

    pub(super) async fn resource(&self, uri: &str, deadline: Deadline) -> Result<String, Failure> {
        let read = self.service.read_resource(ReadResourceRequestParams::new(uri));
        let read = deadline.bound(read).await.map_err(Failure::without_side_effects)?;
        let texts = read.contents.into_iter().filter_map(|contents| match contents {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        });
        Ok(texts.collect())
    }
}

/// Connects to a server over HTTP: in the newest revision, or, if the server does not know its
/// first request, in one with a handshake. The caller bounds the time with the same deadline.
///
/// `rmcp` has a way to try both, but it takes every answer to the first request for one of the
/// newest revision, and waits longer for it than a request may take.
async fn connect_http(
    url: &Address,
    token: Option<&Token>,
    deadline: Deadline,
) -> Result<RunningService<RoleClient, Handler>, Failure> {
    let transport = || http::transport(url, token, deadline.timeout()).map_err(Failure::permanent);
    let discover =
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] };
    let discover = Handler.serve_with_lifecycle(transport()?, discover);
    // An older server may be silent, and needs time for the handshake after that.
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
        let page = service.list_tools(Some(from)).await?;
        tools.extend(page.tools.into_iter().map(|tool| ToolInfo::listed(tool, declared)));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(tools);
        }
    }
    Err(Failure::not_understood(format!("it lists more than {TOOL_PAGES_MAX} pages of tools")))
}

/// Returns the object that a tool answered, or its error.
fn tool_result(result: CallToolResult) -> Result<Value, Failure> {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    let text: String = texts.map(|text| text.text.as_str()).collect();
    let value = match result.structured_content {
        Some(value) => value,
        None => serde_json::from_str(&text).unwrap_or(Value::String(text)),
    };
    if !result.is_error.unwrap_or_default() {
        return Ok(value);
    }
    let error = value.get(ERROR).cloned().unwrap_or_else(|| value.clone());
    let replayed = value.get(REPLAYED) == Some(&Value::Bool(true));
    Err(serde_json::from_value::<ToolError>(error).map_or_else(
        |_| {
            let words = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            Failure::permanent(ClientError::Failed(words))
        },
        |error| Failure::refused(ToolError { replayed, ..error }),
    ))
}

impl ToolInfo {
    /// The tool that is meant by a name, in either spelling.
    pub fn named<'a>(tools: &'a [Self], name: &str) -> Option<&'a Self> {
        let exact = tools.iter().find(|tool| tool.name == name);
        let wanted = wire_name(name);
        exact.or_else(|| tools.iter().find(|tool| wire_name(&tool.name) == wanted))
    }

    /// Parses a tool of a list. `declared` is what the server declares of keys.
    fn listed(tool: rmcp::model::Tool, declared: KeySupport) -> Self {
        let annotations = tool.annotations.unwrap_or_default();
        let key_support = if retry_safety::is_contract_write(&tool.name, &tool.input_schema) {
            KeySupport::Honoured
        } else {
            declared
        };
        Self {
            name: tool.name.into_owned(),
            title: tool.title,
            description: tool.description.map(std::borrow::Cow::into_owned),
            input_schema: tool.input_schema.as_ref().clone(),
            output_schema: tool.output_schema.map(|schema| schema.as_ref().clone()),
            is_destructive: annotations.destructive_hint.unwrap_or_default(),
            is_read_only: annotations.read_only_hint.unwrap_or_default(),
            is_idempotent: annotations.idempotent_hint.unwrap_or_default(),
            key_support,
        }
    }
}
