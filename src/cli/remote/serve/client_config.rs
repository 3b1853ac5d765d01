//! `dibber serve --print-config`: what to paste into the configuration of an MCP client.
//!
//! A token is never printed. Each client has a way to take it from the environment or to ask for
//! it, and the snippet uses that.

use std::env;

use clap::ValueEnum;
use serde_json::{Value, json};

use crate::cli::error::CommandError;
use dibber_client::TOKEN_VARIABLE;

/// The name of the server in the configuration of a client.
const NAME: &str = "dibber";

/// An MCP client whose configuration can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum McpClient {
    ClaudeCode,
    ClaudeDesktop,
    Vscode,
    Cursor,
    Codex,
    Gemini,
}

/// How the client reaches the server.
pub(super) enum Transport {
    /// It starts `dibber serve` with these arguments.
    Stdio(Vec<String>),
    /// It connects to this URL.
    Http(String),
}

/// A part of a client's configuration, and the file that it belongs to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Snippet {
    pub(super) text: String,
    pub(super) file: &'static str,
    /// Whether the client reads the token from [`TOKEN_VARIABLE`].
    pub(super) needs_token_variable: bool,
}

impl McpClient {
    /// Returns the file that the client reads; one of the project where there is one.
    const fn file(self) -> &'static str {
        match self {
            Self::ClaudeCode => ".mcp.json of the project",
            Self::ClaudeDesktop => {
                "claude_desktop_config.json (Settings > Developer > Edit Config)"
            }
            Self::Vscode => ".vscode/mcp.json of the project",
            Self::Cursor => ".cursor/mcp.json of the project, or ~/.cursor/mcp.json",
            Self::Codex => "~/.codex/config.toml",
            Self::Gemini => "~/.gemini/settings.json",
        }
    }

    /// Returns the program that the client starts. The file of a project is shared, so it has the
    /// name alone; a desktop program does not search the directories of a shell.
    fn program(self) -> String {
        let path = env::current_exe().ok().filter(|_| self == Self::ClaudeDesktop);
        path.map_or_else(|| NAME.to_owned(), |path| path.to_string_lossy().into_owned())
    }
}

/// Returns the snippet for a client.
pub(super) fn snippet(client: McpClient, transport: &Transport) -> Result<Snippet, CommandError> {
    let is_http = matches!(transport, Transport::Http(_));
    let text = match (client, transport) {
        (McpClient::Codex, transport) => codex(client, transport),
        (McpClient::ClaudeDesktop, Transport::Http(_)) => {
            return Err(CommandError::new(
                "Claude Desktop cannot be configured with the URL of a server",
            )
            .help("add `--stdio`, so that it starts the server itself"));
        }
        (McpClient::Vscode, transport) => pretty(&vscode(client, transport)),
        (_, transport) => {
            let server = match transport {
                Transport::Stdio(arguments) => stdio(client, arguments),
                Transport::Http(url) => http(client, url),
            };
            pretty(&json!({"mcpServers": {NAME: server}}))
        }
    };
    let needs_token_variable = is_http && client != McpClient::Vscode;
    Ok(Snippet { text, file: client.file(), needs_token_variable })
}

fn stdio(client: McpClient, arguments: &[String]) -> Value {
    json!({"command": client.program(), "args": arguments})
}

/// Each client has its own name for the URL, and its own way to write a variable.
fn http(client: McpClient, url: &str) -> Value {
    let headers = |variable: String| json!({"Authorization": format!("Bearer {variable}")});
    match client {
        McpClient::Gemini => {
            json!({"httpUrl": url, "headers": headers(format!("${TOKEN_VARIABLE}"))})
        }
        McpClient::Cursor => {
            json!({"url": url, "headers": headers(format!("${{env:{TOKEN_VARIABLE}}}"))})
        }
        _ => json!({
            "type": "http", "url": url, "headers": headers(format!("${{{TOKEN_VARIABLE}}}")),
        }),
    }
}

/// VS Code asks for the token once, and keeps it.
fn vscode(client: McpClient, transport: &Transport) -> Value {
    match transport {
        Transport::Stdio(arguments) => {
            let mut server = stdio(client, arguments);
            server["type"] = json!("stdio");
            json!({"servers": {NAME: server}})
        }
        Transport::Http(url) => json!({
            "inputs": [{
                "id": "dibber-token",
                "type": "promptString",
                "description": "The token of dibber serve",
                "password": true,
            }],
            "servers": {NAME: {
                "type": "http",
                "url": url,
                "headers": {"Authorization": "Bearer ${input:dibber-token}"},
            }},
        }),
    }
}

/// Codex reads TOML. A string, or an array of strings, is the same in JSON.
fn codex(client: McpClient, transport: &Transport) -> String {
    let server = match transport {
        Transport::Stdio(arguments) => {
            format!("command = {}\nargs = {}", json!(client.program()), json!(arguments))
        }
        Transport::Http(url) => {
            format!("url = {}\nbearer_token_env_var = {}", json!(url), json!(TOKEN_VARIABLE))
        }
    };
    format!("[mcp_servers.{NAME}]\n{server}\n")
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("a value is JSON") + "\n"
}
