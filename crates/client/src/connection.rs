//! One connection: what the server is, what it lists, and requests with their results.

use std::ops::ControlFlow;
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, GetPromptRequest,
    GetPromptRequestParams, GetSkillRequest, GetSkillRequestParams, ListPromptsRequest,
    ListResourceTemplatesRequest, ListResourcesRequest, ListSkillsRequest, ListToolsRequest,
    PaginatedRequestParams, ReadResourceDirectoryRequest, ReadResourceDirectoryRequestParams,
    ReadResourceRequest, ReadResourceRequestParams, RequestMetaObject,
};
use rmcp::service::PeerRequestOptions;
use serde_json::{Map, Value};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::cancellation::Cancellation;
use super::connect::{self, Service};
use super::deadline::Deadline;
use super::endpoint::Endpoint;
use super::error::ClientError;
use super::exchange::exchange;
use super::failure::Failure;
use super::handler::Handler;
use super::http::SentOnce;
use super::input_rounds::{Inputs, Round};
use super::key::IdempotencyKey;
use super::process::Process;
use super::retry_safety::{DeclaredKeys, RetrySafety};
use super::secrets::Secrets;
use super::tool_info::ToolInfo;
use super::tool_result::ToolResult;
use dibber_skill::contract::{IDEMPOTENCY_META, PublicTool, wire_name};

/// The most pages of one list that are requested.
const PAGES_MAX: usize = 100;
/// The tool that a server of the contract lists for every token.
const WHOAMI: &str = "mcp_whoami";
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
    /// What it declares about idempotency keys.
    pub keys: DeclaredKeys,
}

impl ServerInfo {
    /// Returns its name and version, if it has a name.
    pub fn program(&self) -> Option<String> {
        let name = self.name.as_ref()?;
        let version = self.version.as_ref();
        Some(version.map_or_else(|| name.clone(), |version| format!("{name} {version}")))
    }
}

/// A list of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List<'a> {
    Tools,
    Resources,
    ResourceTemplates,
    Prompts,
    Skills,
    /// What is in the directory with this URI.
    Directory(&'a str),
}

/// The result of a request, without the secrets that are sent to the server.
struct Answered {
    value: Value,
    /// Whether it contained one.
    is_masked: bool,
}

pub(super) struct Connection {
    service: Service,
    process: Option<Process>,
    tools: OnceCell<Vec<ToolInfo>>,
    cancellation: Cancellation,
    timeout: Duration,
}

impl Connection {
    /// Connects. The caller bounds the time with the same deadline.
    pub(super) async fn open(
        endpoint: &Endpoint,
        handler: impl Fn() -> Handler,
        cancellation: &Cancellation,
        deadline: Deadline,
    ) -> Result<Self, Failure> {
        let (service, process) = connect::connect(endpoint, handler, deadline).await?;
        let (tools, cancellation) = (OnceCell::new(), cancellation.clone());
        Ok(Self { service, process, tools, cancellation, timeout: deadline.timeout() })
    }

    /// Returns `true` if the transport is not known to be closed.
    pub(super) fn is_open(&self) -> bool {
        !self.service.is_transport_closed()
    }

    pub(super) async fn close(self) {
        // The server forgets a session by itself, too.
        let _ = tokio::time::timeout(self.timeout.min(CLOSE_TIMEOUT), self.service.cancel()).await;
        if let Some(process) = self.process {
            process.end().await;
        }
    }

    pub(super) fn server(&self) -> ServerInfo {
        let info = self.service.peer_info();
        let program = info.as_ref().and_then(|info| info.server_info.clone());
        let capabilities = info.as_ref().map(|info| &info.capabilities);
        let declared = capabilities.map(DeclaredKeys::parse);
        let masked = |text: String| self.secrets().mask_part(text);
        ServerInfo {
            keys: declared.unwrap_or(DeclaredKeys::Unknown),
            name: program.as_ref().map(|program| masked(program.name.clone())),
            version: program.map(|program| masked(program.version)),
            protocol_version: info
                .as_ref()
                .map(|info| masked(info.protocol_version.to_string()))
                .unwrap_or_default(),
            instructions: info.and_then(|info| info.instructions.clone()).map(masked),
        }
    }

    /// Returns the tools, which are listed once. A server without tools need not know the request.
    pub(super) async fn tools(&self, deadline: Deadline) -> Result<&[ToolInfo], Failure> {
        let list = async {
            let server = self.service.peer_info();
            let capabilities = server.map(|server| server.capabilities.clone()).unwrap_or_default();
            let listed = match self.list(List::Tools, deadline).await {
                Err(Failure {
                    error: ClientError::Rejected(_) | ClientError::UnknownMethod(_),
                    ..
                }) if capabilities.tools.is_none() => Vec::new(),
                listed => listed?,
            };
            let keys = self.server().keys;
            let tools = listed.iter().filter_map(|tool| ToolInfo::parse(tool, &keys));
            Ok::<Vec<ToolInfo>, Failure>(tools.collect())
        };
        Ok(self.tools.get_or_try_init(|| list).await?)
    }

    fn secrets(&self) -> &Secrets {
        self.service.service().secrets()
    }

    /// Returns `true` if the server declares that its skills are resources.
    pub(super) fn offers_skills(&self) -> bool {
        self.service.peer_info().is_some_and(|info| info.capabilities.supports_skills())
    }

    /// Returns the items of every page of a list.
    pub(super) async fn list(
        &self,
        list: List<'_>,
        deadline: Deadline,
    ) -> Result<Vec<Value>, Failure> {
        let mut items = Vec::new();
        let mut cursor = None::<String>;
        for _ in 0..PAGES_MAX {
            let from = PaginatedRequestParams::default().with_cursor(cursor.clone());
            let request = list.request(from);
            let page = self.send(request, PeerRequestOptions::no_options(), deadline).await;
            let mut page = page.map_err(Failure::without_side_effects)?;
            let Some(Value::Array(listed)) = page.get_mut(list.key()).map(Value::take) else {
                let cause = format!("its answer has no `{}`", list.key());
                return Err(Failure::protocol_error(cause).without_side_effects());
            };
            items.extend(listed.into_iter().map(|mut item| {
                self.secrets().mask_result(&mut item);
                item
            }));
            let next = page.get("nextCursor").and_then(Value::as_str);
            // Many servers end a list with an empty cursor.
            let next = next.filter(|cursor| !cursor.is_empty()).map(str::to_owned);
            if next.is_none() {
                return Ok(items);
            }
            if next == cursor {
                let cause = format!("its list of `{}` repeats a page", list.key());
                return Err(Failure::protocol_error(cause).without_side_effects());
            }
            cursor = next;
        }
        let cause = format!("its list of `{}` has more than {PAGES_MAX} pages", list.key());
        Err(Failure::protocol_error(cause).without_side_effects())
    }

    /// Calls a tool. Without a `safety`, it is that of the tool as the server lists it. A tool that may
    /// be hidden from this token is called all the same: the answer says which scope is missing.
    pub(super) async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        safety: Option<RetrySafety<'_>>,
        deadline: Deadline,
    ) -> Result<ToolResult, Failure> {
        let tools = self.tools(deadline).await.map_err(Failure::not_sent)?;
        let listed = ToolInfo::find(tools, tool);
        let name = match listed {
            Some(listed) => listed.name.clone(),
            None if may_be_hidden(tool, tools) => wire_name(tool),
            None => return Err(no_tool(tool)),
        };
        let safety = safety.or(listed.map(|tool| tool.retry_safety(None)));
        let safety = safety.unwrap_or(RetrySafety::Once);
        let key = match safety {
            RetrySafety::Keyed(key) => Some(key),
            _ => None,
        };
        let request = |inputs: Inputs| {
            let mut parameters = CallToolRequestParams::new(name.clone());
            parameters.arguments = Some(arguments.clone());
            parameters.input_responses = inputs.responses;
            parameters.request_state = inputs.state;
            let mut request = CallToolRequest::new(parameters);
            if safety == RetrySafety::Once {
                request.extensions.insert(SentOnce);
            }
            ClientRequest::CallToolRequest(request)
        };
        let answered = self.send_rounds(request, key, deadline).await;
        let result = answered.and_then(|answer| ToolResult::parse(answer.value, answer.is_masked));
        result.map_err(|failure| match failure.error {
            // A tool that the token may not use is not listed, and only its call says so.
            ClientError::Rejected(_)
            | ClientError::UnknownMethod(_)
            | ClientError::Failed { .. }
                if listed.is_none() =>
            {
                no_tool(tool)
            }
            _ => failure.with_retry_safety(safety),
        })
    }

    /// Reads a resource.
    pub(super) async fn read_resource(
        &self,
        uri: &str,
        deadline: Deadline,
    ) -> Result<Value, Failure> {
        let request = |inputs: Inputs| {
            let mut parameters = ReadResourceRequestParams::new(uri);
            parameters.input_responses = inputs.responses;
            parameters.request_state = inputs.state;
            ClientRequest::ReadResourceRequest(ReadResourceRequest::new(parameters))
        };
        let read = self.send_rounds(request, None, deadline).await;
        read.map(|read| read.value).map_err(Failure::without_side_effects)
    }

    /// Gets a skill by the URI of its `SKILL.md`.
    pub(super) async fn skill(&self, uri: &str, deadline: Deadline) -> Result<Value, Failure> {
        let request = |_: Inputs| {
            let parameters = GetSkillRequestParams::new(uri);
            ClientRequest::GetSkillRequest(GetSkillRequest::new(parameters))
        };
        let got = self.send_rounds(request, None, deadline).await;
        got.map(|got| got.value).map_err(Failure::without_side_effects)
    }

    /// Gets a prompt, filled in with arguments.
    pub(super) async fn prompt(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        deadline: Deadline,
    ) -> Result<Value, Failure> {
        let request = |inputs: Inputs| {
            let mut parameters = GetPromptRequestParams::new(name);
            parameters.arguments = Some(arguments.clone()).filter(|given| !given.is_empty());
            parameters.input_responses = inputs.responses;
            parameters.request_state = inputs.state;
            ClientRequest::GetPromptRequest(GetPromptRequest::new(parameters))
        };
        let prompt = self.send_rounds(request, None, deadline).await;
        prompt.map(|prompt| prompt.value).map_err(Failure::without_side_effects)
    }

    /// Sends a request as often as the server asks for input before it answers. All rounds share the
    /// deadline; the time that the user takes for the input does not count.
    async fn send_rounds(
        &self,
        request: impl Fn(Inputs) -> ClientRequest,
        key: Option<&IdempotencyKey>,
        mut deadline: Deadline,
    ) -> Result<Answered, Failure> {
        let mut round = Round::first();
        loop {
            let mut options = PeerRequestOptions::no_options();
            if let Some(key) = key {
                let mut meta = RequestMetaObject::new();
                meta.0.insert(IDEMPOTENCY_META.to_owned(), round.key(key).into());
                options = options.with_meta(meta);
            }
            let result = self.send(request(round.take_inputs()), options, deadline).await?;
            let answered = Instant::now();
            match round.next(result, self.service.service()).await? {
                ControlFlow::Break(mut value) => {
                    let is_masked = self.secrets().mask_result(&mut value);
                    return Ok(Answered { value, is_masked });
                }
                ControlFlow::Continue(next) => round = next,
            }
            deadline = deadline.postponed(answered.elapsed());
        }
    }

    async fn send(
        &self,
        request: ClientRequest,
        options: PeerRequestOptions,
        deadline: Deadline,
    ) -> Result<Value, Failure> {
        // The future is large, and would make that of every call large.
        let sent =
            Box::pin(exchange(&self.service, request, options, deadline, &self.cancellation));
        match (sent.await, &self.process) {
            (Err(failure), Some(process)) if !self.is_open() => Err(process.explain(failure).await),
            (result, _) => result,
        }
    }
}

/// Returns `true` if a tool may be missing from the list because the token may not use it: it is one
/// of the contract, and so is the server, which lists the tool that needs no scope.
fn may_be_hidden(tool: &str, listed: &[ToolInfo]) -> bool {
    PublicTool::named(tool).is_some() && ToolInfo::find(listed, WHOAMI).is_some()
}

fn no_tool(tool: &str) -> Failure {
    Failure::permanent(ClientError::NoTool(tool.to_owned()))
}

impl List<'_> {
    /// Returns the name of the items in a page.
    const fn key(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources | Self::Directory(_) => "resources",
            Self::ResourceTemplates => "resourceTemplates",
            Self::Prompts => "prompts",
            Self::Skills => "skills",
        }
    }

    fn request(self, from: PaginatedRequestParams) -> ClientRequest {
        match self {
            Self::Tools => ClientRequest::ListToolsRequest(ListToolsRequest::with_param(from)),
            Self::Resources => {
                ClientRequest::ListResourcesRequest(ListResourcesRequest::with_param(from))
            }
            Self::ResourceTemplates => ClientRequest::ListResourceTemplatesRequest(
                ListResourceTemplatesRequest::with_param(from),
            ),
            Self::Prompts => {
                ClientRequest::ListPromptsRequest(ListPromptsRequest::with_param(from))
            }
            Self::Skills => ClientRequest::ListSkillsRequest(ListSkillsRequest::with_param(from)),
            Self::Directory(uri) => {
                let mut parameters = ReadResourceDirectoryRequestParams::new(uri);
                parameters.cursor = from.cursor;
                let request = ReadResourceDirectoryRequest::new(parameters);
                ClientRequest::ReadResourceDirectoryRequest(request)
            }
        }
    }
}
