//! To which servers a token is sent.

use std::path::Path;
use std::sync::Arc;

use super::super::address::Address;
use super::super::credential::TokenSource;
use super::config_file;
use super::error::{ConfigProblem, ConfigProblemKind, SelectionError};
use super::server_name;
use dibber_skill::config::Config;
use dibber_text::Span;

/// Parses the server that a configuration names; none is the embedded one.
pub(super) fn server_in(
    config: &Config,
    (server, span): &(String, Span),
) -> Result<Option<Address>, SelectionError> {
    server_name::parse_url(server).map_err(|error| {
        let (file, kind) = (Arc::clone(&config.source), ConfigProblemKind::Server(error));
        ConfigProblem { file, span: *span, kind }.into()
    })
}

/// Returns an error if a token would be sent to a server that only a project names: the author of
/// the project's files would choose who gets it. On this computer, too: any of its users may listen
/// on a port.
pub(super) fn check_trusted(
    url: &Address,
    token: &TokenSource,
    project: &Config,
    span: Span,
    (user_config, current_dir): (Option<&Path>, &Path),
) -> Result<(), SelectionError> {
    if is_trusted(url, user_config, current_dir)? {
        return Ok(());
    }
    let kind = ConfigProblemKind::Untrusted { token: token.clone(), url: url.clone() };
    Err(ConfigProblem { file: Arc::clone(&project.source), span, kind }.into())
}

/// Returns `true` if the user's own configuration names a server of the same origin.
fn is_trusted(
    url: &Address,
    user_config: Option<&Path>,
    current_dir: &Path,
) -> Result<bool, SelectionError> {
    let Some((config, _)) = config_file::user(user_config, current_dir)? else { return Ok(false) };
    for named in config.server.url.iter().chain(&config.server.trusted) {
        if server_in(&config, named)?.is_some_and(|known| known.origin() == url.origin()) {
            return Ok(true);
        }
    }
    Ok(false)
}
