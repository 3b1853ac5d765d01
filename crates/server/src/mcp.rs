//! The server as MCP sees it. The only file here that knows `rmcp`'s handler.

use http::request::Parts;
use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, ConstString, CustomRequest, CustomResult, ErrorCode,
    GetPromptRequestMethod, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams,
    GetSkillResult, Implementation, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
    ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter,
    Tool as ListedTool, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt, SubscriptionContext};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use super::caller::Caller;
use super::failure::Failure;
use super::guides::{GUIDE_MIME_TYPE, INSTRUCTIONS, guides};
use super::listed_resources::resource_error;
use super::listed_tools::{LIST_TTL_MILLISECONDS, listed_tool};
use super::log::CallOutcome;
use super::methods::{has_initialize, is_answered, known_method};
use super::missing_scope::MissingScope;
use super::open_answer::OpenAnswer;
use super::protocol::{mcp_tool, mcp_tools, tool_error};
use super::resources::{RefusedResource, STATE_MIME_TYPE, WATCHED_MAX, may_watch};
use super::roster::mask_names;
use super::server::Server;
use super::skills_extension::{list_templates, may_read_skills, with_skills};
use super::subscriptions::{Subscriptions, listen, subscribe, watch};
use super::tool::Run;
use super::tools::{TOOLS, find_tool};
use dibber_skill::contract::skills_protocol::ProtocolMethod;
use dibber_skill::contract::{
    ERROR, ErrorCode as ToolErrorCode, IDEMPOTENCY_CAPABILITY, IDEMPOTENCY_HEADER,
    IDEMPOTENCY_META, IDEMPOTENCY_TOOLS, REPLAYED, ToolError, WireEnum,
};
use dibber_skill::names::Roster;
use dibber_text::{Shown, closest_match};

/// One connection to the server: a pair of pipes, or a request over HTTP.
#[derive(Clone)]
pub(super) struct Connection {
    server: Server,
    caller: Caller,
    /// The digest of the caller's token, if it has one.
    token: Option<[u8; 32]>,
    subscriptions: Subscriptions,
}

impl Connection {
    /// Returns a connection of a caller to a server.
    pub(super) fn new(server: Server, caller: Caller, token: Option<[u8; 32]>) -> Self {
        Self { server, caller, token, subscriptions: Subscriptions::default() }
    }
}

impl Server {
    /// Serves a caller over a pair of pipes until they close. Each line is a message.
    pub async fn serve<R, W>(&self, caller: Caller, input: R, output: W) -> std::io::Result<()>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let connection = Connection::new(self.clone(), caller, None);
        let running = connection.serve((input, output)).await;
        let running = running.map_err(std::io::Error::other)?;
        running.waiting().await.map(drop).map_err(std::io::Error::other)
    }
}

impl Connection {
    /// Calls a method of the Skills Protocol, if that is what a tool is. The run of a client that has
    /// gone ends.
    async fn call_skill_tool(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Option<CallToolResult> {
        if !self.server.has_skill_tools {
            return None;
        }
        let protocol = self.server.skills_protocol.as_ref()?;
        let method = ProtocolMethod::from_name(&request.name)?;
        let began = self.server.now();
        let parameters = request.arguments.clone().unwrap_or_default();
        let call = protocol.call_method(&self.caller, self.token.as_ref(), method, parameters);
        let result = tokio::select! {
            result = call => result.map_err(tool_error),
            () = context.ct.cancelled() => Err(cancelled()),
        };
        let code = result.as_ref().map_or_else(|error| error.code.name(), |_| "OK");
        let outcome = CallOutcome { tool: method.name(), code };
        self.server.log_call(context, &self.caller.user_id, outcome, began);
        Some(answer(result))
    }

    /// Returns the error of a request for a resource, if it is about one.
    async fn resource_error(&self, failure: Failure, uri: Option<&str>) -> ErrorData {
        let roster = self.server.roster(self.caller.family.clone()).await.ok();
        let data = uri.map(|uri| json!({"uri": mask_names(uri, roster.as_ref())}));
        resource_error(failure.into_tool_error(), data)
    }
}

/// Returns the idempotency keys of a request, from its metadata and from a header.
fn idempotency_keys(context: &RequestContext<RoleServer>) -> Vec<String> {
    let in_meta = context.meta.0.get(IDEMPOTENCY_META);
    // A key that is not a string is one that is refused.
    let in_meta = in_meta.map(|value| value.as_str().unwrap_or("\u{FFFD}"));
    let parts = context.extensions.get::<Parts>();
    let in_header = parts.and_then(|parts| parts.headers.get(IDEMPOTENCY_HEADER));
    // A header that is not a string is a key that is refused.
    let in_header = in_header.map(|value| value.to_str().unwrap_or("\u{FFFD}"));
    in_meta.into_iter().chain(in_header).map(str::to_owned).collect()
}

impl ServerHandler for Connection {
    fn get_info(&self) -> ServerConfig {
        // The tools of the Skills Protocol ignore keys.
        let tools = TOOLS.iter().filter(|tool| tool.has_side_effects());
        let tools: Vec<_> = tools.map(|tool| Value::from(tool.name)).collect();
        let tools = Map::from_iter([(IDEMPOTENCY_TOOLS.to_owned(), tools.into())]);
        let honours_keys = [(IDEMPOTENCY_CAPABILITY.to_owned(), tools)];
        let capabilities = ServerCapabilities::builder()
            .enable_experimental_with(honours_keys.into())
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
        let capabilities =
            if may_read_skills(&self.caller) { with_skills(capabilities) } else { capabilities };
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("dibber", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|page| page.cursor);
        self.server.list_resources(&self.caller, cursor.as_deref()).await
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if let Some(file) = self.server.read_skill_file(&self.caller, &request.uri).await {
            return file.map(Into::into);
        }
        if let Some(guide) = guides().iter().find(|guide| guide.uri == request.uri) {
            let text = ResourceContents::text(guide.text(), guide.uri);
            let text = text.with_mime_type(GUIDE_MIME_TYPE);
            return Ok(ReadResourceResult::new(vec![text]).into());
        }
        match self.server.read_resource(self.caller.clone(), request.uri.clone()).await {
            Ok(state) => {
                let text = ResourceContents::text(state, request.uri);
                Ok(ReadResourceResult::new(vec![text.with_mime_type(STATE_MIME_TYPE)]).into())
            }
            Err(failure) => Err(self.resource_error(failure, Some(&request.uri)).await),
        }
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let (caller, uri) = (self.caller.clone(), request.uri);
        let subscribed = match OpenAnswer::find(&context) {
            None => {
                let (server, peer) = (&self.server, context.peer.clone());
                self.subscriptions.add(server, caller, uri.clone(), peer).await
            }
            Some(answer) => subscribe(&self.server, answer, caller, uri.clone()).await,
        };
        match subscribed {
            Ok(()) => Ok(()),
            Err(failure) => Err(self.resource_error(failure, Some(&uri)).await),
        }
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        match OpenAnswer::find(&context) {
            None => self.subscriptions.remove(&request.uri).await,
            Some(answer) => answer.sessions().unsubscribe(answer.client(), &request.uri),
        }
        Ok(())
    }

    /// Accepts what the caller may watch. Whether it exists is known only when it is watched.
    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let uris = requested.resource_subscriptions.iter().flatten();
        let permitted = uris.filter(|uri| may_watch(&self.caller, uri)).take(WATCHED_MAX);
        Some(SubscriptionFilter::builder().resource_subscriptions(permitted).build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        match watch(&self.server, self.caller.clone(), uris.clone()).await {
            Ok(watch) => {
                // The client may have read them after the acknowledgment, and before this.
                watch.report_all();
                let answer = OpenAnswer::find(context.request_context());
                listen(&watch, &context, answer.map(OpenAnswer::lifetime)).await;
                Ok(())
            }
            Err(RefusedResource { index, failure }) => {
                let uri = index.and_then(|index| uris.get(index)).map(String::as_str);
                Err(self.resource_error(failure, uri).await)
            }
        }
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(list_templates(&self.caller))
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let cursor = request.and_then(|page| page.cursor);
        self.server.list_skills(&self.caller, cursor.as_deref()).await
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.server.get_skill(&self.caller, &request.uri).await
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceDirectoryResult, ErrorData> {
        let cursor = request.cursor.as_deref();
        self.server.read_skill_directory(&self.caller, &request.uri, cursor).await
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(method_not_found(CompleteRequestMethod::VALUE))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(method_not_found(ListPromptsRequestMethod::VALUE))
    }

    async fn get_prompt(
        &self,
        _request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Err(method_not_found(GetPromptRequestMethod::VALUE))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let permitted = TOOLS.iter().filter(|tool| self.caller.may_call(tool.scope));
        let listed = permitted.filter_map(|tool| listed_tool(tool));
        let of_skills = self.server.has_skill_tools.then(|| mcp_tools(&self.caller));
        let listed = listed.cloned().chain(of_skills.into_iter().flatten());
        Ok(ListToolsResult::with_all_items(listed.collect())
            .with_ttl_ms(LIST_TTL_MILLISECONDS)
            // What is listed depends on what the token permits.
            .with_cache_scope(CacheScope::Private))
    }

    /// Answers a request that is not one of MCP, or has parameters of another form.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if is_answered(&request.method, has_initialize(&context)) {
            let message = format!("invalid parameters of `{}`", request.method);
            return Err(ErrorData::invalid_params(message, None));
        }
        Err(method_not_found(&request.method))
    }

    fn get_tool(&self, name: &str) -> Option<ListedTool> {
        let Some(tool) = find_tool(name) else {
            let method = ProtocolMethod::from_name(name).filter(|_| self.server.has_skill_tools);
            return method.and_then(mcp_tool);
        };
        listed_tool(tool).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let began = self.server.now();
        let Some(tool) = find_tool(&request.name) else {
            if let Some(result) = self.call_skill_tool(&request, &context).await {
                return Ok(result.into());
            }
            let roster = self.server.roster(self.caller.family.clone()).await;
            return Err(unknown_tool(&request.name, roster.ok().as_ref()));
        };
        MissingScope::record(&context, &self.caller, tool.scope);
        let keys = idempotency_keys(&context);
        let arguments = request.arguments.unwrap_or_default();
        let call = self.server.call(tool, self.caller.clone(), arguments, keys);
        let result = match tool.run {
            Run::Wait => match OpenAnswer::find(&context) {
                Some(answer) => answer.lifetime().limit(call).await,
                None => call.await,
            },
            _ => call.await,
        };
        let result = result.map_err(Failure::into_tool_error);
        let code = result.as_ref().map_or_else(|error| error.code.name(), |_| "OK");
        self.server.log_call(
            &context,
            &self.caller.user_id,
            CallOutcome { tool: tool.name, code },
            began,
        );
        Ok(answer(result).into())
    }
}

/// Returns the error for a method that the server does not have. Any but those of MCP may contain a child's
/// name.
fn method_not_found(method: &str) -> ErrorData {
    let message = match known_method(method) {
        Some(method) => format!("method not found: {method}"),
        None => "method not found".to_owned(),
    };
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

/// Returns the error of a call whose client does not want its result any more.
fn cancelled() -> ToolError {
    let (message, fix) = ("the call was cancelled", "call the tool again");
    ToolError::new(ToolErrorCode::InternalError, message, fix)
}

/// Returns the error for a tool that does not exist, with the one that was probably meant.
fn unknown_tool(name: &str, roster: Option<&Roster>) -> ErrorData {
    let masked = mask_names(name, roster);
    let shown = Shown::to_be_masked(&masked);
    let message = match closest_match(name, TOOLS.iter().map(|tool| tool.name)) {
        Some(meant) => format!("unknown tool `{shown}`; did you mean `{meant}`?"),
        None => format!("unknown tool `{shown}`; tools/list has every tool"),
    };
    ErrorData::invalid_params(message, None)
}

/// Returns the envelope of an answer.
fn answer(result: Result<Value, ToolError>) -> CallToolResult {
    match result {
        Ok(value) => CallToolResult::structured(value),
        Err(error) if error.replayed => {
            CallToolResult::structured_error(json!({ERROR: error, REPLAYED: true}))
        }
        Err(error) => CallToolResult::structured_error(json!({ERROR: error})),
    }
}
