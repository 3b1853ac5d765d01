//! The string by which a server is named: `local`, or a URL.

use std::fmt;

use super::super::address::{Address, AddressError};
use dibber_text::{closest_match, ellipsize};

/// The name of the embedded server.
pub(super) const LOCAL: &str = "local";
/// What is shown in place of a string that may contain a password.
const MASKED: &str = "****";

/// Why a string does not name a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerNameError {
    /// The string, cut if it is long, and masked if it may contain a password.
    pub shown: String,
    /// Whether the string may contain a password.
    pub may_contain_password: bool,
    /// Why it is not a URL of an endpoint.
    pub cause: AddressError,
    /// What may have been meant.
    pub suggestion: Option<ServerSuggestion>,
}

/// A server that may have been meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerSuggestion {
    /// The embedded server.
    Local,
    /// This URL.
    Url(String),
}

impl fmt::Display for ServerSuggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => f.write_str(LOCAL),
            Self::Url(url) => f.write_str(url),
        }
    }
}

impl fmt::Display for ServerNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid server `{}`: {}", self.shown, self.cause)
    }
}

impl std::error::Error for ServerNameError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

/// Parses the name of a server; none is the embedded one.
pub(super) fn parse(name: &str) -> Result<Option<Address>, ServerNameError> {
    if name == LOCAL {
        return Ok(None);
    }
    name.parse().map(Some).map_err(|cause| {
        let may_contain_password = name.contains('@');
        let shown = ellipsize(if may_contain_password { MASKED } else { name }).to_string();
        let suggestion = suggestion(name, &shown);
        ServerNameError { shown, may_contain_password, cause, suggestion }
    })
}

fn suggestion(name: &str, shown: &str) -> Option<ServerSuggestion> {
    if closest_match(name, [LOCAL]).is_some() {
        return Some(ServerSuggestion::Local);
    }
    let host = name.split('/').next().unwrap_or_default();
    if name.contains("://") || !(host.contains('.') || host.contains("localhost")) {
        return None;
    }
    let scheme = if host.starts_with("localhost") { "http" } else { "https" };
    Some(ServerSuggestion::Url(format!("{scheme}://{shown}")))
}
