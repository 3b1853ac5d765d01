//! Registering clients (RFC 7591).

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;

use super::answer::{failed, json};
use crate::http::body::read_whole;
use crate::http::pages::site::Site;

/// Registers a client.
pub(super) async fn register(State(site): State<Site>, body: Body) -> Response {
    let body = match read_whole(body).await {
        Ok(body) => body,
        Err(refusal) => return refusal,
    };
    match site.server.register_client(&body).await {
        Ok(answer) => json(StatusCode::CREATED, &answer),
        Err(error) => failed(error),
    }
}
