//! Issuing tokens (RFC 6749, section 3.2).

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use dibber_authorization::{Parameters, TokenRequest};
use http::StatusCode;

use super::answer::{failed, json, refused};
use crate::http::body::read_whole;
use crate::http::pages::site::Site;

/// Issues tokens.
pub(super) async fn issue(State(site): State<Site>, body: Body) -> Response {
    let body = match read_whole(body).await {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    let request = match TokenRequest::parse(&Parameters::parse(&body), &site.issuer) {
        Ok(request) => request,
        Err(error) => return refused(&error),
    };
    match site.server.issue_tokens(request, &site.issuer).await {
        Ok(tokens) => json(StatusCode::OK, &tokens),
        Err(error) => failed(error),
    }
}
