//! The errors of OAuth by their codes.

use std::fmt;

use serde::{Serialize, Serializer};

/// A code of OAuth for an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OAuthErrorCode {
    /// The person refused, or the code was revoked (RFC 6749, section 4.1.2.1).
    AccessDenied,
    /// The person has not answered yet (RFC 8628, section 3.5).
    AuthorizationPending,
    /// The code of the device is too old (RFC 8628, section 3.5).
    ExpiredToken,
    /// The client is not known (RFC 6749, section 5.2).
    InvalidClient,
    /// What a client says of itself is not usable (RFC 7591, section 3.2.2).
    InvalidClientMetadata,
    /// The code or the refresh token is wrong, used, too old, or of another client (RFC 6749, section
    /// 5.2).
    InvalidGrant,
    /// An address of the client is not one that browsers may be sent to (RFC 7591, section 3.2.2).
    InvalidRedirectUri,
    /// A parameter is missing, wrong, or there twice (RFC 6749, section 4.1.2.1).
    InvalidRequest,
    /// A scope is not known, or more than was granted (RFC 6749, section 4.1.2.1).
    InvalidScope,
    /// The token is to be for another server (RFC 8707, section 2).
    InvalidTarget,
    /// The server failed (RFC 6749, section 4.1.2.1).
    ServerError,
    /// The client asks too often (RFC 8628, section 3.5).
    SlowDown,
    /// The server has too much to do (RFC 6749, section 4.1.2.1).
    TemporarilyUnavailable,
    /// The client may not ask in this way (RFC 6749, section 4.1.2.1).
    UnauthorizedClient,
    /// The grant is of a kind that the server does not know (RFC 6749, section 5.2).
    UnsupportedGrantType,
    /// The answer is to be of a kind that the server does not know (RFC 6749, section 4.1.2.1).
    UnsupportedResponseType,
}

impl OAuthErrorCode {
    /// Returns the code as it is sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AccessDenied => "access_denied",
            Self::AuthorizationPending => "authorization_pending",
            Self::ExpiredToken => "expired_token",
            Self::InvalidClient => "invalid_client",
            Self::InvalidClientMetadata => "invalid_client_metadata",
            Self::InvalidGrant => "invalid_grant",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
            Self::InvalidRequest => "invalid_request",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::ServerError => "server_error",
            Self::SlowDown => "slow_down",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
        }
    }
}

impl Serialize for OAuthErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// An error of OAuth, as the body of an answer has it (RFC 6749, section 5.2).
///
/// The description is written by this program and quotes nothing of the request, so that it can be shown
/// and be a part of a URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OAuthError {
    /// The code.
    #[serde(rename = "error")]
    pub code: OAuthErrorCode,
    /// What is wrong, for a developer.
    #[serde(rename = "error_description")]
    pub description: String,
}

impl OAuthError {
    /// Returns an error with a description, which is ASCII (RFC 6749, section 5.2).
    pub fn new(code: OAuthErrorCode, description: impl Into<String>) -> Self {
        Self { code, description: description.into() }
    }
}

impl fmt::Display for OAuthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.description, self.code.name())
    }
}

impl std::error::Error for OAuthError {}
