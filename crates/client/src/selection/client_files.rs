//! Servers in the files of other MCP clients: Claude Code, Claude Desktop, Cursor and VS Code.
//!
//! The file of a project comes from elsewhere. It may name a program, which runs only if the user
//! selects it by name; but a variable of the user's environment is never sent to a server of its
//! choice.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::super::address::Address;
use super::super::command_line::ServerCommand;
use super::super::header::Header;
use super::jsonc;
use dibber_text::file;

/// The most bytes of such a file (32 MiB): that of Claude Code has its history, too.
const FILE_BYTES_MAX: u64 = 32 << 20;

/// A file of another client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientFile {
    /// Its path.
    pub path: PathBuf,
    /// Whose it is.
    pub owner: FileOwner,
}

/// Who decides what is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOwner {
    /// The user.
    User,
    /// The authors of the project.
    Project,
}

/// A server in such a file.
#[derive(Clone, Debug)]
pub(super) struct ClientServer {
    pub(super) name: String,
    pub(super) transport: Result<ClientTransport, ClientServerProblem>,
}

/// How such a server is reached.
#[derive(Clone, Debug)]
pub(super) enum ClientTransport {
    Program(ServerCommand),
    Url(Address, Vec<Header>),
}

/// Why a server in the file of another client cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientServerProblem {
    /// It has neither a URL nor a program that could be used.
    Invalid,
    /// It uses the HTTP+SSE transport of 2024.
    Sse,
    /// It has a placeholder of the other client that has no value here.
    Placeholder,
    /// A variable is not set.
    Variable,
    /// The file of a project would send a variable of the user to a server.
    ProjectVariable,
    /// The file of a project names a program, which runs only if it is selected with `--server`.
    ProjectProgram,
}

impl fmt::Display for ClientServerProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid => "it has neither a valid `url` nor a `command`",
            Self::Sse => "it uses the transport `sse` of 2024, which is not supported",
            Self::Placeholder => "it has a placeholder that only its own client fills in",
            Self::Variable => "an environment variable that it needs is not set",
            Self::ProjectVariable => {
                "a project's file cannot choose which environment variables are sent"
            }
            Self::ProjectProgram => {
                "a program that a project's file names runs only with `--server`"
            }
        })
    }
}

/// What placeholders are replaced by.
#[derive(Clone, Copy)]
pub(super) struct Replacements<'a> {
    pub(super) project: &'a Path,
    pub(super) variable: fn(&str) -> Option<String>,
}

/// Reads the servers of a file; none if it cannot be read, or is not of this form.
pub(super) fn read(file: &ClientFile, replacements: Replacements<'_>) -> Vec<ClientServer> {
    let Ok(bytes) = file::read_regular(&file.path, FILE_BYTES_MAX) else { return Vec::new() };
    let Ok(text) = String::from_utf8(bytes) else { return Vec::new() };
    let Ok(root) = serde_json::from_str::<Value>(&jsonc::without_comments(&text)) else {
        return Vec::new();
    };
    let own = root.get("projects").and_then(|projects| {
        projects.get(replacements.project.to_string_lossy().as_ref())?.get("mcpServers")
    });
    let tables = [own, root.get("mcpServers"), root.get("servers")];
    let servers = tables.into_iter().flatten().filter_map(Value::as_object).flatten();
    let parsed = servers.map(|(name, server)| ClientServer {
        name: name.clone(),
        transport: transport(server, file.owner, replacements),
    });
    parsed.collect()
}

fn transport(
    server: &Value,
    owner: FileOwner,
    replacements: Replacements<'_>,
) -> Result<ClientTransport, ClientServerProblem> {
    let text = |name: &str| server.get(name).and_then(Value::as_str);
    if let Some(program) = text("command") {
        let expand = |text: &str| expand(text, replacements);
        let arguments = server.get("args").and_then(Value::as_array).into_iter().flatten();
        let arguments = arguments.filter_map(Value::as_str).map(expand);
        let environment = strings(server.get("env"));
        let environment = environment.map(|(name, value)| Ok((name.to_owned(), expand(value)?)));
        return Ok(ClientTransport::Program(ServerCommand {
            program: expand(program)?,
            arguments: arguments.collect::<Result<_, _>>()?,
            environment: environment.collect::<Result<_, _>>()?,
        }));
    }
    if text("type") == Some("sse") {
        return Err(ClientServerProblem::Sse);
    }
    let expand = |text: &str| match owner {
        FileOwner::Project if text.contains("${") => Err(ClientServerProblem::ProjectVariable),
        _ => expand(text, replacements),
    };
    let url = text("url").or_else(|| text("httpUrl")).ok_or(ClientServerProblem::Invalid)?;
    let url = expand(url)?.parse().map_err(|_| ClientServerProblem::Invalid)?;
    let headers = strings(server.get("headers")).map(|(name, value)| {
        Header::new(name, &expand(value)?).map_err(|_| ClientServerProblem::Invalid)
    });
    Ok(ClientTransport::Url(url, headers.collect::<Result<_, _>>()?))
}

fn strings(table: Option<&Value>) -> impl Iterator<Item = (&str, &str)> {
    let entries = table.and_then(Value::as_object).into_iter().flat_map(Map::iter);
    entries.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)))
}

/// Replaces `${NAME}`, `${NAME:-default}`, `${env:NAME}` and `${workspaceFolder}`.
fn expand(text: &str, replacements: Replacements<'_>) -> Result<String, ClientServerProblem> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, after) = after.split_once('}').ok_or(ClientServerProblem::Invalid)?;
        expanded += before;
        expanded += &replacement(name, replacements)?;
        rest = after;
    }
    Ok(expanded + rest)
}

fn replacement(name: &str, values: Replacements<'_>) -> Result<String, ClientServerProblem> {
    if matches!(name, "workspaceFolder" | "CLAUDE_PROJECT_DIR") {
        return Ok(values.project.to_string_lossy().into_owned());
    }
    if name == "userHome" {
        return (values.variable)("HOME").ok_or(ClientServerProblem::Variable);
    }
    let (name, default) = match name.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (name.strip_prefix("env:").unwrap_or(name), None),
    };
    if name.contains(':') {
        return Err(ClientServerProblem::Placeholder);
    }
    let value = (values.variable)(name).or_else(|| default.map(str::to_owned));
    value.ok_or(ClientServerProblem::Variable)
}
