//! One connection: the only file here that knows `rmcp`'s service.

use std::future::Future;
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

use super::failure::{self, Failure};
use super::{Address, ClientError, Endpoint, Key, Token, http};
use crate::contract::{ERROR, IDEMPOTENCY_META, ToolError, wire_name};

/// The most pages of a list of tools that are asked for.
const TOOL_PAGES_MAX: usize = 100;
/// The longest that a server may think about the first question of the newest revision. One that
/// does not know it may stay silent.
const DISCOVER_TIMEOUT: Duration = Duration::from_secs(5);
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
}

pub(super) struct Connection {
    service: RunningService<RoleClient, Handler>,
    tools: Vec<ToolInfo>,
    timeout: Duration,
}

/// What may be done with a call whose answer does not come.
#[derive(Clone, Copy)]
pub(super) enum Sending<'a> {
    /// It changes nothing, and can be sent again.
    Read,
    /// It can be sent again with its key.
    Keyed(&'a Key),
    /// What the server says of the tool holds.
    AsListed,
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
    pub(super) async fn open(endpoint: &Endpoint, timeout: Duration) -> Result<Self, Failure> {
        let service = match endpoint {
            Endpoint::Embedded(connect) => {
                let preferred_versions = vec![ProtocolVersion::LATEST];
                let lifecycle = ClientLifecycleMode::Discover { preferred_versions };
                let pipes = tokio::io::split(connect());
                within(timeout, Handler.serve_with_lifecycle(pipes, lifecycle)).await?
            }
            Endpoint::Http { url, token } => reach(url, token.as_ref(), timeout).await?,
        };
        let tools = all_tools(&service, timeout).await.map_err(Failure::of_a_read)?;
        Ok(Self { service, tools, timeout })
    }

    /// Tells whether it can still be used, as far as is known.
    pub(super) fn stands(&self) -> bool {
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

    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        sending: Sending<'_>,
    ) -> Result<Value, Failure> {
        let listed = ToolInfo::named(&self.tools, tool)
            .ok_or_else(|| Failure::final_(ClientError::NoTool(tool.to_owned())))?;
        let mut parameters = CallToolRequestParams::new(listed.name.clone());
        parameters.arguments = Some(arguments);
        let mut options = PeerRequestOptions::no_options();
        if let Sending::Keyed(key) = sending {
            let mut meta = RequestMetaObject::new();
            meta.0.insert(IDEMPOTENCY_META.to_owned(), key.as_str().into());
            options = options.with_meta(meta);
        }
        let answer = self.ask(CallToolRequest::new(parameters), options).await;
        answer.and_then(opened).map_err(|failure| match sending {
            Sending::Keyed(_) => failure,
            Sending::AsListed if !listed.is_read_only => failure.of_an_only_attempt(),
            Sending::Read | Sending::AsListed => failure.of_a_read(),
        })
    }

    async fn ask(
        &self,
        request: CallToolRequest,
        options: PeerRequestOptions,
    ) -> Result<CallToolResult, Failure> {
        let request = ClientRequest::CallToolRequest(request);
        let answer = within(self.timeout, async {
            let sent = self.service.send_request_with_option(request, options).await?;
            sent.await_response().await
        });
        match answer.await? {
            ServerResult::CallToolResult(result) => Ok(result),
            _ => Err(Failure::not_understood("the answer is not that of a tool")),
        }
    }

    pub(super) async fn resource(&self, uri: &str) -> Result<String, Failure> {
        let read = self.service.read_resource(ReadResourceRequestParams::new(uri));
        let read = within(self.timeout, read).await.map_err(Failure::of_a_read)?;
        let texts = read.contents.into_iter().filter_map(|contents| match contents {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        });
        Ok(texts.collect())
    }
}

/// Begins to speak with a server over HTTP: in the newest revision, or, if the server does not
/// know its first question, in one with a handshake.
///
/// `rmcp` has a way to try both, but it takes every answer to the first question for one of the
/// newest revision, and waits longer for it than a request may take.
async fn reach(
    url: &Address,
    token: Option<&Token>,
    timeout: Duration,
) -> Result<RunningService<RoleClient, Handler>, Failure> {
    let transport = || http::transport(url, token, timeout).map_err(Failure::final_);
    let discover =
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] };
    let discover = Handler.serve_with_lifecycle(transport()?, discover);
    match tokio::time::timeout(timeout.min(DISCOVER_TIMEOUT), discover).await {
        Ok(Ok(service)) => return Ok(service),
        Ok(Err(error)) if !failure::is_of_older_server(&error) => return Err(error.into()),
        Ok(Err(_)) | Err(_) => {}
    }
    let initialize = ClientLifecycleMode::Initialize;
    within(timeout, Handler.serve_with_lifecycle(transport()?, initialize)).await
}

/// Waits for an answer, but not for ever.
async fn within<T, E>(
    timeout: Duration,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, Failure>
where
    Failure: From<E>,
{
    match tokio::time::timeout(timeout, work).await {
        Ok(done) => Ok(done?),
        Err(_) => {
            Err(Failure::broken(format!("no answer within {} seconds", timeout.as_secs_f32())))
        }
    }
}

/// Every page of the list of tools.
async fn all_tools(
    service: &RunningService<RoleClient, Handler>,
    timeout: Duration,
) -> Result<Vec<ToolInfo>, Failure> {
    let mut tools = Vec::new();
    let mut cursor = None;
    for _ in 0..TOOL_PAGES_MAX {
        let from = PaginatedRequestParams::default().with_cursor(cursor);
        let page = within(timeout, service.list_tools(Some(from))).await?;
        tools.extend(page.tools.into_iter().map(ToolInfo::from));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(tools);
        }
    }
    Err(Failure::not_understood(format!("it lists more than {TOOL_PAGES_MAX} pages of tools")))
}

/// The object that a tool answered, or its error.
fn opened(result: CallToolResult) -> Result<Value, Failure> {
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
    Err(serde_json::from_value::<ToolError>(error).map_or_else(
        |_| {
            let words = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            Failure::final_(ClientError::Failed(words))
        },
        Failure::refused,
    ))
}

impl ToolInfo {
    /// The tool that is meant by a name, in either spelling.
    pub fn named<'a>(tools: &'a [Self], name: &str) -> Option<&'a Self> {
        let exact = tools.iter().find(|tool| tool.name == name);
        let wanted = wire_name(name);
        exact.or_else(|| tools.iter().find(|tool| wire_name(&tool.name) == wanted))
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
            output_schema: tool.output_schema.map(|schema| schema.as_ref().clone()),
            is_destructive: annotations.destructive_hint.unwrap_or_default(),
            is_read_only: annotations.read_only_hint.unwrap_or_default(),
            is_idempotent: annotations.idempotent_hint.unwrap_or_default(),
        }
    }
}
