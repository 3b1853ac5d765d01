//! The answers of the endpoints: JSON that is not cached.

use axum::response::{IntoResponse, Response};
use dibber_authorization::{
    Challenge, Issuer, OAuthError, OAuthErrorCode, ProtectedResourceMetadata,
};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::authorization::error::AuthorizationError;
use crate::failure::Failure;
use crate::http::answer::internal_error;

/// Returns an answer that no cache may keep (RFC 6749, section 5.1).
pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let Ok(body) = serde_json::to_string(body) else { return internal_error() };
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::PRAGMA, "no-cache"),
    ];
    (status, headers, body).into_response()
}

/// Returns the answer to a request that is refused.
pub(super) fn refused(error: &OAuthError) -> Response {
    let status = match error.code {
        OAuthErrorCode::InvalidClient => StatusCode::UNAUTHORIZED,
        OAuthErrorCode::TemporarilyUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        OAuthErrorCode::ServerError => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_REQUEST,
    };
    json(status, error)
}

/// Returns the answer to a request that failed.
pub(super) fn failed(error: AuthorizationError) -> Response {
    match error {
        AuthorizationError::Refused(error) => refused(&error),
        AuthorizationError::Failed(failure) => server_failed(failure),
    }
}

/// Returns the answer to a request that the server could not answer. The log has the cause.
pub(super) fn server_failed(failure: Failure) -> Response {
    drop(failure.into_tool_error());
    let description = "the server failed; try again in a moment";
    refused(&OAuthError::new(OAuthErrorCode::ServerError, description))
}

/// Returns the header `WWW-Authenticate` of a refused request for a path of the server.
pub(in crate::http) fn challenge_header(
    challenge: &Challenge,
    issuer: &Issuer,
    path: &str,
) -> Option<HeaderValue> {
    let metadata = ProtectedResourceMetadata::address(issuer, path);
    HeaderValue::try_from(challenge.header(&metadata).to_string()).ok()
}
