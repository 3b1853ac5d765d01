//! A server with the tools, resources and prompts that the conformance suite asks for by name, and
//! which only the suite needs. It shows that the protocol library, as this package builds it,
//! conforms; the suite runs against `dibber serve`, too.
//!
//! It prints the URL at which it listens, and runs until it is killed.

use std::sync::Arc;

use axum::Router;
use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A picture of one pixel.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A sound of no length.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

#[derive(Clone)]
struct Fixtures;

type Answer<T> = Result<T, ErrorData>;

/// A result, with the fields that the newest revision requires in each.
fn read<T: DeserializeOwned>(mut value: Value) -> T {
    value["resultType"] = "complete".into();
    value["ttlMs"] = 0.into();
    value["cacheScope"] = "private".into();
    serde_json::from_value(value).expect("a result of the protocol")
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image() -> Value {
    json!({"type": "image", "data": PNG, "mimeType": "image/png"})
}

fn embedded(uri: &str, kind: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}})
}

fn schema(name: &str) -> Value {
    if name != "json_schema_2020_12_tool" {
        return json!({"type": "object"});
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {
            "street": {"type": "string"}, "city": {"type": "string"}}}},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    })
}

const TOOLS: [&str; 9] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_error_handling",
    "test_tool_with_progress",
    "test_logging_tool",
    "json_schema_2020_12_tool",
];

async fn report(context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else { return };
    for progress in [0.0, 50.0, 100.0] {
        let step = ProgressNotificationParam::new(token.clone(), progress).with_total(100.0);
        // The client may be gone.
        let _ = context.peer.notify_progress(step).await;
    }
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Answer<ListToolsResult> {
        let tools = TOOLS.map(|name| {
            let tool = json!({"name": name, "description": name, "inputSchema": schema(name)});
            serde_json::from_value::<Tool>(tool).expect("a tool")
        });
        Ok(ListToolsResult::with_all_items(tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Answer<CallToolResponse> {
        let blocks = match request.name.as_ref() {
            "test_simple_text" => json!([text("This is a simple text response for testing.")]),
            "test_image_content" => json!([image()]),
            "test_audio_content" => {
                json!([{"type": "audio", "data": WAV, "mimeType": "audio/wav"}])
            }
            "test_embedded_resource" => {
                let words = "This is an embedded resource content.";
                json!([embedded("test://embedded-resource", "text/plain", words)])
            }
            "test_multiple_content_types" => json!([
                text("Multiple content types test:"),
                image(),
                embedded(
                    "test://mixed-content-resource",
                    "application/json",
                    "{\"test\":\"data\"}"
                )
            ]),
            "test_error_handling" => {
                json!([text("This tool intentionally returns an error for testing")])
            }
            "test_tool_with_progress" => {
                report(&context).await;
                json!([text("done")])
            }
            "test_logging_tool" | "json_schema_2020_12_tool" => json!([text("done")]),
            other => return Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        };
        let is_error = request.name == "test_error_handling";
        Ok(read::<CallToolResult>(json!({"content": blocks, "isError": is_error})).into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Answer<ListResourcesResult> {
        Ok(read(json!({"resources": [
            {"uri": "test://static-text", "name": "text", "mimeType": "text/plain"},
            {"uri": "test://static-binary", "name": "binary", "mimeType": "image/png"}]})))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Answer<ListResourceTemplatesResult> {
        Ok(read(json!({"resourceTemplates": [
            {"uriTemplate": "test://template/{id}/data", "name": "template"}]})))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Answer<ReadResourceResponse> {
        let uri = request.uri.as_str();
        let template = uri.strip_prefix("test://template/");
        let content = match (uri, template.and_then(|rest| rest.strip_suffix("/data"))) {
            ("test://static-text", _) => json!({"uri": uri, "mimeType": "text/plain",
                "text": "This is the content of the static text resource."}),
            ("test://static-binary", _) => {
                json!({"uri": uri, "mimeType": "image/png", "blob": PNG})
            }
            (_, Some(id)) => {
                let data =
                    json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
                json!({"uri": uri, "mimeType": "application/json", "text": data.to_string()})
            }
            _ => {
                return Err(ErrorData::resource_not_found(
                    "no such resource",
                    Some(json!({"uri": uri})),
                ));
            }
        };
        Ok(read::<ReadResourceResult>(json!({"contents": [content]})).into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Answer<ListPromptsResult> {
        let argument = |name: &str| json!({"name": name, "description": name, "required": true});
        Ok(read(json!({"prompts": [
            {"name": "test_simple_prompt", "description": "a text"},
            {"name": "test_prompt_with_arguments", "description": "a text of two arguments",
             "arguments": [argument("arg1"), argument("arg2")]},
            {"name": "test_prompt_with_embedded_resource", "description": "a resource",
             "arguments": [argument("resourceUri")]},
            {"name": "test_prompt_with_image", "description": "a picture"}]})))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Answer<GetPromptResponse> {
        let given = json!(request.arguments);
        let argument = |name: &str| given[name].as_str().unwrap_or_default().to_owned();
        let contents = match request.name.as_str() {
            "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
            "test_prompt_with_arguments" => {
                let (first, second) = (argument("arg1"), argument("arg2"));
                vec![text(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))]
            }
            "test_prompt_with_embedded_resource" => vec![
                embedded(
                    &argument("resourceUri"),
                    "text/plain",
                    "Embedded resource content for testing.",
                ),
                text("Please process the embedded resource above."),
            ],
            "test_prompt_with_image" => {
                vec![image(), text("Please analyze the image above.")]
            }
            other => return Err(ErrorData::invalid_params(format!("no prompt {other}"), None)),
        };
        let messages: Vec<_> =
            contents.iter().map(|content| json!({"role": "user", "content": content})).collect();
        Ok(read::<GetPromptResult>(json!({"messages": messages})).into())
    }
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the script that starts it reads the address")]
async fn main() -> std::io::Result<()> {
    let config = StreamableHttpServerConfig::default().with_allowed_origins([
        "http://localhost:*",
        "http://127.0.0.1:*",
        "http://[::1]:*",
    ]);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(|| Ok(Fixtures), sessions, config);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, Router::new().nest_service("/mcp", service)).await
}
