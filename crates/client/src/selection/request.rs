//! What selects a server, and in which order.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use super::super::credential::Credential;
use super::config_file;
use super::error::{ConfigProblem, ConfigProblemKind, SelectionError};
use super::server::{ServerSelection, ServerSource, ServerTarget};
use super::server_name;
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
        match server_name::parse(name) {
            Ok(None) => Ok(self.local(source)),
            Ok(Some(url)) => {
                let target = ServerTarget::Url { url, credential: self.credential()? };
                Ok(ServerSelection { target, source })
            }
            Err(cause) => Err(SelectionError::Server { source, cause }),
        }
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
        Ok(ServerSelection { target: ServerTarget::Url { url, credential }, source })
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
