//! One connection: the only file here that knows `rmcp`'s service.

use std::time::Duration;

use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig,
    ClientRequest, Implementation, ProtocolVersion, ReadResourceRequestParams, RequestMetaObject,
    ResourceContents, ServerResult,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, PeerRequestOptions, RoleClient, RunningService,
    ServiceError,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Map, Value};

use super::{ClientError, Endpoint, Key, Options};
use crate::contract::{ERROR, IDEMPOTENCY_META, ToolError, wire_name};

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
    /// Whether it says that it changes nothing.
    pub is_read_only: bool,
    /// Whether it says that the same call again changes nothing more.
    pub is_idempotent: bool,
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
        ClientConfig::new(ClientCapabilities::default(), program)
    }
}

impl Connection {
    pub(super) async fn open(endpoint: &Endpoint, options: Options) -> Result<Self, ClientError> {
        let service = match endpoint {
            Endpoint::Embedded(connect) => {
                let lifecycle = ClientLifecycleMode::Discover {
                    preferred_versions: vec![ProtocolVersion::LATEST],
                };
                Handler.serve_with_lifecycle(tokio::io::split(connect()), lifecycle).await
            }
            Endpoint::Http { url, token } => {
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                if let Some(token) = token {
                    config = config.auth_header(token.reveal());
                }
                let client = reqwest::Client::builder().build();
                let client = client.map_err(|error| ClientError::Unreachable(error.to_string()))?;
                let transport = StreamableHttpClientTransport::with_client(client, config);
                let lifecycle = ClientLifecycleMode::Auto {
                    preferred_versions: vec![ProtocolVersion::LATEST],
                    legacy_version: None,
                };
                Handler.serve_with_lifecycle(transport, lifecycle).await
            }
        };
        let service = service.map_err(|error| ClientError::Unreachable(error.to_string()))?;
        let tools = service.list_all_tools().await;
        let tools = tools.map_err(|error| ClientError::Unreachable(error.to_string()))?;
        let tools = tools.into_iter().map(ToolInfo::from).collect();
        Ok(Self { service, tools, timeout: options.timeout })
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

    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        key: Option<&Key>,
    ) -> Result<Value, ClientError> {
        let wanted = wire_name(tool);
        let listed = self.tools.iter().find(|listed| listed.name == tool);
        let listed =
            listed.or_else(|| self.tools.iter().find(|listed| wire_name(&listed.name) == wanted));
        let listed = listed.ok_or_else(|| ClientError::NoTool(tool.to_owned()))?;
        let mut parameters = CallToolRequestParams::new(listed.name.clone());
        parameters.arguments = Some(arguments);
        let mut options = PeerRequestOptions::with_timeout(self.timeout);
        if let Some(key) = key {
            let mut meta = RequestMetaObject::new();
            meta.0.insert(IDEMPOTENCY_META.to_owned(), key.as_str().into());
            options = options.with_meta(meta);
        }
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(parameters));
        let sent = self.service.send_request_with_option(request, options).await;
        let answer = match sent {
            Ok(handle) => handle.await_response().await,
            Err(error) => Err(error),
        };
        match answer {
            Ok(ServerResult::CallToolResult(result)) => opened(result),
            Ok(_) => Err(ClientError::Protocol("the answer is not that of a tool".to_owned())),
            Err(error) => Err(failed(&error, key.is_some())),
        }
    }

    pub(super) async fn resource(&self, uri: &str) -> Result<String, ClientError> {
        let read = self.service.read_resource(ReadResourceRequestParams::new(uri)).await;
        let read = read.map_err(|error| failed(&error, false))?;
        let texts = read.contents.into_iter().filter_map(|contents| match contents {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        });
        Ok(texts.collect())
    }
}

fn failed(error: &ServiceError, is_write: bool) -> ClientError {
    match error {
        ServiceError::McpError(error) => ClientError::Protocol(error.to_string()),
        other if is_write => ClientError::OutcomeUnknown(other.to_string()),
        other => ClientError::Unreachable(other.to_string()),
    }
}

/// The object that a tool answered, or its error.
fn opened(result: CallToolResult) -> Result<Value, ClientError> {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    let text: String = texts.map(|text| text.text.as_str()).collect();
    let value = match result.structured_content {
        Some(value) => value,
        None => serde_json::from_str(&text).unwrap_or(Value::String(text)),
    };
    if !result.is_error.unwrap_or_default() {
        return Ok(value);
    }
    let error = value.get(ERROR).cloned().unwrap_or(value);
    match serde_json::from_value::<ToolError>(error.clone()) {
        Ok(error) => Err(ClientError::Refused(Box::new(error))),
        Err(_) => Err(ClientError::Protocol(format!("the tool failed: {error}"))),
    }
}

impl From<rmcp::model::Tool> for ToolInfo {
    fn from(tool: rmcp::model::Tool) -> Self {
        let annotations = tool.annotations.unwrap_or_default();
        Self {
            name: tool.name.into_owned(),
            title: tool.title,
            description: tool.description.map(std::borrow::Cow::into_owned),
            input_schema: tool.input_schema.as_ref().clone(),
            is_read_only: annotations.read_only_hint.unwrap_or_default(),
            is_idempotent: annotations.idempotent_hint.unwrap_or_default(),
        }
    }
}
