//! What the server says of itself (RFC 8414, RFC 9728).

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use dibber_authorization::{AuthorizationServerMetadata, ProtectedResourceMetadata};
use http::{StatusCode, header};
use serde::Serialize;

use crate::http::answer::internal_error;
use crate::http::pages::site::Site;
use crate::http::paths::{MCP_PATH, RPC_PATH};

/// How long a client may keep the metadata, which change when the server is started with another
/// public URL.
const CACHE_CONTROL: &str = "max-age=300";

/// Answers with the metadata of the authorization server.
pub(super) async fn server(State(site): State<Site>) -> Response {
    document(&AuthorizationServerMetadata::new(&site.issuer))
}

/// Answers with the metadata of a protected resource: MCP, or the Skills Protocol.
pub(super) async fn resource(State(site): State<Site>, request: Request) -> Response {
    let path = request.uri().path();
    let resource = path.strip_prefix(ProtectedResourceMetadata::PATH).unwrap_or_default();
    let resource = resource.strip_prefix(site.issuer.path()).unwrap_or(resource);
    match resource {
        // A client that looks at the root wants MCP.
        "" | "/" => document(&ProtectedResourceMetadata::new(&site.issuer, MCP_PATH)),
        MCP_PATH | RPC_PATH => document(&ProtectedResourceMetadata::new(&site.issuer, resource)),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn document(metadata: &impl Serialize) -> Response {
    let Ok(body) = serde_json::to_string(metadata) else { return internal_error() };
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, CACHE_CONTROL)];
    (headers, body).into_response()
}
