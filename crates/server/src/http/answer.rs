//! What is answered to a request that never comes to MCP, and a line in the log for each.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use serde_json::json;

use super::{GUIDES_PATH, MCP_PATH};
use crate::Server;
use crate::log::Line;
use dibber_skill::contract::{ERROR, ErrorCode, ToolError};

/// A refusal in the envelope of the tools, so that a client needs to know only one.
pub(super) fn refuse(
    status: StatusCode,
    code: ErrorCode,
    reason: &str,
    message: &str,
    fix: &str,
) -> Response {
    envelope(status, &ToolError::new(code, message, fix).reason(reason))
}

/// An error in the envelope of the tools.
pub(super) fn envelope(status: StatusCode, error: &ToolError) -> Response {
    let json = json!({ERROR: error}).to_string();
    (status, [(header::CONTENT_TYPE, "application/json")], json).into_response()
}

/// Writes a line for a request, once it is answered.
pub(super) async fn log(
    State(server): State<Server>,
    mut request: Request,
    next: Next,
) -> Response {
    let began = server.now();
    let line = Line::default();
    request.extensions_mut().insert(line.clone());
    let path = path_of(&request);
    let response = next.run(request).await;
    line.write(path, response.status().as_u16(), server.milliseconds_since(began));
    response
}

/// The path, if it is one of ours: others can hold anything.
fn path_of(request: &Request) -> &'static str {
    match request.uri().path() {
        MCP_PATH => MCP_PATH,
        path if path.starts_with(GUIDES_PATH) => GUIDES_PATH,
        _ => "other",
    }
}
