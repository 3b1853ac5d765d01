//! Revoking tokens (RFC 7009).

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use dibber_authorization::{Parameters, RevocationRequest};
use http::StatusCode;
use serde_json::json;

use super::answer;
use crate::http::body::read_whole;
use crate::http::pages::site::Site;

/// Revokes a token. The answer to an unknown one is the same (RFC 7009, section 2.2).
pub(super) async fn revoke(State(site): State<Site>, body: Body) -> Response {
    let body = match read_whole(body).await {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let request = match RevocationRequest::parse(&Parameters::parse(&body)) {
        Ok(request) => request,
        Err(error) => return answer::refused(&error),
    };
    match site.server.revoke(request).await {
        Ok(()) => answer::json(StatusCode::OK, &json!({})),
        Err(failure) => answer::server_failed(failure),
    }
}
