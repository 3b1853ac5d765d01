//! A server of `[servers]` in the user's own configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::certificate_authority::CertificateAuthority;
use super::super::command_line::ServerCommand;
use super::super::credential::Credential;
use super::super::header::Header;
use super::error::{ConfigProblem, ConfigProblemKind, SelectionError};
use super::server::ServerTarget;
use super::trust::server_in;
use dibber_skill::config::{Config, NamedServer};
use dibber_text::Span;

/// Returns the target of a server. A token of the command line or of the environment comes before
/// that of its `token-file`.
pub(super) fn target(
    server: &NamedServer,
    config: &Config,
    path: &Path,
    credential: Option<Credential>,
) -> Result<ServerTarget, SelectionError> {
    let problem = |span: Span, kind| {
        SelectionError::from(ConfigProblem { file: Arc::clone(&config.source), span, kind })
    };
    if let Some((command, span)) = &server.command {
        let command = ServerCommand::parse(command)
            .map_err(|error| problem(*span, ConfigProblemKind::Command(error)))?;
        let environment = server.environment.iter();
        let environment = environment.map(|(name, (value, _))| (name.clone(), value.clone()));
        let command = ServerCommand { environment: environment.collect(), ..command };
        return Ok(ServerTarget::Program { command, name: server.name.0.clone(), named_in: None });
    }
    let Some(named) = &server.url else { unreachable!("the configuration was read without error") };
    let Some(url) = server_in(config, named)? else {
        return Err(problem(named.1, ConfigProblemKind::LocalAsNamed));
    };
    let credential = match (credential, &server.token_file) {
        (None, Some((file, _))) => {
            let directory = path.parent().map_or_else(PathBuf::new, Path::to_owned);
            Some(Credential::read(&directory.join(file))?)
        }
        (credential, _) => credential,
    };
    let header = |(name, (value, span)): &(String, (String, Span))| {
        Header::new(name, value).map_err(|error| problem(*span, ConfigProblemKind::Header(error)))
    };
    let headers = server.headers.iter().map(header).collect::<Result<_, _>>()?;
    let authority = server.ca_file.as_ref().map(|(file, span)| {
        let file = path.parent().map_or_else(PathBuf::new, Path::to_owned).join(file);
        CertificateAuthority::read(&file)
            .map_err(|error| problem(*span, ConfigProblemKind::Authority(error)))
    });
    let authority = authority.transpose()?;
    Ok(ServerTarget::Url { url, credential, headers, authority })
}
