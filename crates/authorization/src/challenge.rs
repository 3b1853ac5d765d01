//! What a refused request is answered with in the header `WWW-Authenticate` (RFC 6750, section 3).

use std::fmt;

use dibber_skill::contract::Scope;

use super::scopes::scope_text;

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Challenge {
    /// It has no token.
    TokenMissing,
    /// Its token is unknown, revoked, expired, or for another server.
    InvalidToken,
    /// Its token lacks scopes. These are the ones to ask for: what is missing, and what the token has, so
    /// that nothing is lost by asking.
    InsufficientScope(Vec<Scope>),
}

impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer realm=\"dibber\"")?;
        match self {
            Self::TokenMissing => Ok(()),
            Self::InvalidToken => f.write_str(", error=\"invalid_token\""),
            Self::InsufficientScope(scopes) => {
                write!(f, ", error=\"insufficient_scope\", scope=\"{}\"", scope_text(scopes))
            }
        }
    }
}

impl Challenge {
    /// Returns the value of the header with the address of the metadata of the resource. `metadata` is the address of what the server says of itself as a
    /// protected resource (RFC 9728, section 5.1).
    pub fn header<'a>(&'a self, metadata: &'a str) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| write!(f, "{self}, resource_metadata=\"{metadata}\""))
    }
}
