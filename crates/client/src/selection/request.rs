//! What selects a server, and in which order.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use super::super::credential::Credential;
use super::super::header::Header;
use super::client_files::{
    self, ClientFile, ClientServerProblem, ClientTransport, FileOwner, Replacements,
};
use super::config_file;
use super::error::{ConfigProblem, ConfigProblemKind, SelectionError};
use super::named_server;
use super::server::{ServerSelection, ServerSource, ServerTarget};
use super::server_name::{self, PROGRAM, ServerName};
use super::trust::{check_trusted, server_in};
use dibber_skill::config::Config;
use dibber_text::Span;

/// What the command line and the environment contain, and where files are.
///
/// The server is that of the command line; otherwise of the environment; otherwise of the nearest
/// `dibber.toml` from the current directory upward; otherwise of the user's own `dibber.toml`;
/// otherwise the embedded one.
#[derive(Clone, Copy, Debug)]
pub struct ServerRequest<'a> {
    /// The server of the command line.
    pub server_argument: Option<&'a str>,
    /// The value of the environment variable [`SERVER_VARIABLE`](crate::SERVER_VARIABLE).
    pub server_variable: Option<&'a str>,
    /// The token file of the command line.
    pub token_file: Option<&'a Path>,
    /// The value of the environment variable [`TOKEN_VARIABLE`](crate::TOKEN_VARIABLE).
    pub token_variable: Option<&'a OsStr>,
    /// The headers of the command line.
    pub headers: &'a [Header],
    /// The files of other clients; the first that has a name counts.
    pub client_files: &'a [ClientFile],
    /// Returns a variable of the environment, for the files of other clients.
    pub variable: fn(&str) -> Option<String>,
    /// The directory of the embedded server's database.
    pub data: &'a Path,
    /// The current directory, as an absolute path without symbolic links.
    pub current_dir: &'a Path,
    /// The path of the user's own `dibber.toml`, which need not exist.
    pub user_config: Option<&'a Path>,
}

impl ServerRequest<'_> {
    /// Selects the server, and reads its token.
    ///
    /// # Errors
    /// When a name or a configuration is invalid, when the token cannot be read, or when it would
    /// be sent to a server that is not trusted.
    pub fn select(&self) -> Result<ServerSelection, SelectionError> {
        if let Some(name) = self.server_argument {
            return self.select_named(name, ServerSource::Argument);
        }
        if let Some(name) = self.server_variable {
            return self.select_named(name, ServerSource::Environment);
        }
        match config_file::naming_server(self.user_config, self.current_dir)? {
            Some((config, source)) => self.select_configured(&config, source),
            None => Ok(self.local(ServerSource::Default)),
        }
    }

    fn local(&self, source: ServerSource) -> ServerSelection {
        ServerSelection { target: ServerTarget::Local { data: self.data.to_owned() }, source }
    }

    fn select_named(
        &self,
        name: &str,
        source: ServerSource,
    ) -> Result<ServerSelection, SelectionError> {
        let target = match server_name::parse(name) {
            Ok(ServerName::Local) => return Ok(self.local(source)),
            Ok(ServerName::Url(url)) => {
                let headers = self.headers.to_vec();
                ServerTarget::Url { url, credential: self.credential()?, headers, authority: None }
            }
            Ok(ServerName::Program(command)) => {
                let name = format!("{PROGRAM}{}", command.public_name());
                ServerTarget::Program { command, name, named_in: None }
            }
            Ok(ServerName::Configured(name)) => self.configured(&name, &source)?,
            Ok(ServerName::OfClient(name)) => self.of_client(&name, &source)?,
            Err(cause) => return Err(SelectionError::Server { source, cause }),
        };
        Ok(ServerSelection { target, source })
    }

    /// Returns the server of this name in the user's own configuration.
    fn configured(
        &self,
        name: &str,
        source: &ServerSource,
    ) -> Result<ServerTarget, SelectionError> {
        let user = config_file::user(self.user_config, self.current_dir)?;
        let servers = user.as_ref().map(|(config, _)| config.servers.as_slice());
        let servers = servers.unwrap_or_default();
        let server = servers.iter().find(|server| server.name.0 == name);
        let (Some(server), Some((config, path))) = (server, &user) else {
            let known = servers.iter().map(|server| server.name.0.as_str());
            let cause = server_name::unknown(name, known);
            return Err(SelectionError::Server { source: source.clone(), cause });
        };
        let target = named_server::target(server, config, path, self.credential()?)?;
        Ok(match target {
            ServerTarget::Url { url, credential, mut headers, authority } => {
                headers.extend(self.headers.iter().cloned());
                ServerTarget::Url { url, credential, headers, authority }
            }
            target => target,
        })
    }

    fn select_configured(
        &self,
        config: &Config,
        source: ServerSource,
    ) -> Result<ServerSelection, SelectionError> {
        let Some(named) = &config.server.url else { return Ok(self.local(source)) };
        let Some(url) = server_in(config, named)? else { return Ok(self.local(source)) };
        let credential = match self.credential()? {
            Some(credential) => Some(credential),
            None => configured_credential(config, &source)?,
        };
        if let (ServerSource::Project(_), Some(credential)) = (&source, &credential) {
            let files = (self.user_config, self.current_dir);
            check_trusted(&url, &credential.source, config, named.1, files)?;
        }
        let headers = self.headers.to_vec();
        let target = ServerTarget::Url { url, credential, headers, authority: None };
        Ok(ServerSelection { target, source })
    }

    /// Returns the server of this name in the files of other clients. No token is sent to it, unless
    /// the command line names its file.
    fn of_client(&self, name: &str, source: &ServerSource) -> Result<ServerTarget, SelectionError> {
        let files = self.client_files.iter();
        let servers = files.flat_map(|file| {
            client_files::read(file, self.replacements()).into_iter().map(move |one| (file, one))
        });
        let servers: Vec<_> = servers.collect();
        let Some((file, server)) = servers.iter().find(|(_, server)| server.name == name) else {
            let known: Vec<_> = servers.iter().map(|(_, one)| format!("@{}", one.name)).collect();
            let cause = server_name::unknown(&format!("@{name}"), known.iter().map(String::as_str));
            return Err(SelectionError::Server { source: source.clone(), cause });
        };
        let problem = |problem| {
            let cause = server_name::unusable(&format!("@{name}"), problem);
            SelectionError::Server { source: source.clone(), cause }
        };
        let is_projects = file.owner == FileOwner::Project;
        match server.transport.clone().map_err(problem)? {
            ClientTransport::Program(_) if is_projects && *source != ServerSource::Argument => {
                Err(problem(ClientServerProblem::ProjectProgram))
            }
            ClientTransport::Program(command) => {
                let named_in = is_projects.then(|| file.path.clone());
                Ok(ServerTarget::Program { command, name: format!("@{name}"), named_in })
            }
            ClientTransport::Url(url, mut headers) => {
                headers.extend(self.headers.iter().cloned());
                let credential = self.token_file.map(Credential::read).transpose()?;
                Ok(ServerTarget::Url { url, credential, headers, authority: None })
            }
        }
    }

    pub(super) fn replacements(&self) -> Replacements<'_> {
        Replacements { project: self.current_dir, variable: self.variable }
    }

    /// Reads the token of the command line or of the environment, if there is one.
    fn credential(&self) -> Result<Option<Credential>, SelectionError> {
        let credential = match (self.token_file, self.token_variable) {
            (Some(path), _) => Some(Credential::read(path)?),
            (None, Some(value)) => Some(Credential::from_variable(value)?),
            (None, None) => None,
        };
        Ok(credential)
    }
}

/// Reads the token file that a configuration names. That of a project can only name a file of the
/// project: it must not choose which secret of the user is sent.
fn configured_credential(
    config: &Config,
    source: &ServerSource,
) -> Result<Option<Credential>, SelectionError> {
    let Some((token_file, span)) = &config.server.token_file else { return Ok(None) };
    let (ServerSource::Project(path) | ServerSource::User(path)) = source else { return Ok(None) };
    let directory = path.parent().map_or_else(PathBuf::new, Path::to_owned);
    let token_file = directory.join(token_file);
    // A file that does not exist is reported when it is read.
    if matches!(source, ServerSource::Project(_))
        && !is_inside(&token_file, &directory).unwrap_or(true)
    {
        return Err(token_file_outside(config, *span));
    }
    Ok(Some(Credential::read(&token_file)?))
}

fn token_file_outside(config: &Config, span: Span) -> SelectionError {
    let (file, kind) = (Arc::clone(&config.source), ConfigProblemKind::TokenFileOutside);
    ConfigProblem { file, span, kind }.into()
}

/// Returns `true` if the real path of a file is below that of a directory.
fn is_inside(file: &Path, directory: &Path) -> io::Result<bool> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    Ok(fs::canonicalize(file)?.starts_with(fs::canonicalize(directory)?))
}
