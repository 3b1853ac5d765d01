//! The answers to requests that do not reach MCP, and the line in the log for each request.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde_json::json;

use super::pages::site::{AGENTS_PATH, DEVICE_PATH, SIGN_IN_PATH, SIGN_OUT_PATH};
use super::paths::{GUIDES_PATH, MCP_PATH, RPC_PATH, SKILLS_SITE_PATH};
use crate::log::RequestLog;
use crate::protocol::{UPLOADS_MAX, UPLOADS_OF_FAMILY_MAX, UPLOADS_OF_OWNER_MAX};
use crate::server::Server;
use dibber_skill::contract::{ERROR, ErrorCode, ToolError};

/// What the paths of the authorization server begin with.
const OAUTH_PATH: &str = "/oauth/";

/// When to try again if the server is busy, in seconds.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// Returns a refusal in the envelope of the tools, so that a client needs to know only one.
pub(super) fn refuse(
    status: StatusCode,
    code: ErrorCode,
    reason: &str,
    message: &str,
    fix: &str,
) -> Response {
    envelope(status, &ToolError::new(code, message, fix).reason(reason))
}

/// Returns an error in the envelope of the tools.
pub(super) fn envelope(status: StatusCode, error: &ToolError) -> Response {
    let json = json!({ERROR: error}).to_string();
    (status, [(header::CONTENT_TYPE, "application/json")], json).into_response()
}

/// Refuses a request because too much is under way. Nothing was done for it.
pub(super) fn busy() -> Response {
    unavailable("too many connections", "nothing was done; try again in a moment")
}

/// Replaces the answer to a message of MCP for which there is no room.
pub(super) fn answer_dropped() -> Response {
    let fix = "try again in a moment, with the same idempotency key";
    unavailable("too many unread answers", fix)
}

/// Replaces the answer to a message of the Skills Protocol for which there is no room.
pub(super) fn rpc_answer_dropped() -> Response {
    let fix = "read the answers to other requests first, and then repeat what only reads: what the \
               message ran or created is done";
    unavailable("too many unread answers", fix)
}

/// Refuses a large blob because others are arriving.
pub(super) fn too_many_uploads() -> Response {
    let message = format!(
        "too many large blobs are arriving already: at most {UPLOADS_OF_OWNER_MAX} of a token, \
         {UPLOADS_OF_FAMILY_MAX} of a family and {UPLOADS_MAX} of all"
    );
    unavailable(&message, "nothing was stored; try again in a moment")
}

/// Returns the answer to a request that the server failed to answer. The log has the cause.
pub(super) fn internal_error() -> Response {
    refuse(
        StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::InternalError,
        "INTERNAL",
        "internal server error",
        "try again in a moment; the log of the server has the cause",
    )
}

fn unavailable(message: &str, fix: &str) -> Response {
    let (status, code) = (StatusCode::SERVICE_UNAVAILABLE, ErrorCode::InternalError);
    let mut response = refuse(status, code, "SERVER_BUSY", message, fix);
    response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
    response
}

/// Logs a request once it is answered.
pub(super) async fn log(
    State(server): State<Server>,
    mut request: Request,
    next: Next,
) -> Response {
    let began = server.now();
    let line = RequestLog::default();
    request.extensions_mut().insert(line.clone());
    let path = known_path(&request);
    let response = next.run(request).await;
    line.write(path, response.status().as_u16(), server.milliseconds_since(began));
    response
}

/// Returns the path, if it is one of the server's: any other can contain anything.
fn known_path(request: &Request) -> &'static str {
    match request.uri().path() {
        MCP_PATH => MCP_PATH,
        RPC_PATH => RPC_PATH,
        path if path.starts_with(GUIDES_PATH) => GUIDES_PATH,
        path if path.starts_with(SKILLS_SITE_PATH) => SKILLS_SITE_PATH,
        path if path.starts_with(OAUTH_PATH) => OAUTH_PATH,
        AGENTS_PATH => AGENTS_PATH,
        DEVICE_PATH => DEVICE_PATH,
        SIGN_IN_PATH => SIGN_IN_PATH,
        SIGN_OUT_PATH => SIGN_OUT_PATH,
        _ => "other",
    }
}
