//! The token of a request, which identifies the caller.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use dibber_authorization::Challenge;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use sha2::{Digest as _, Sha256};

use super::answer::{busy, envelope, refuse};
use super::authorization::answer::challenge_header;
use super::connection_slots::ConnectionSlot;
use crate::log::RequestLog;
use crate::server::Server;
use dibber_skill::contract::{ErrorCode, Scope};

/// The most bytes of a token; those that the server issues are much shorter.
const TOKEN_BYTES_MAX: usize = 1024;
const FIX: &str = "send the header `Authorization: Bearer TOKEN`; the token is in the file `token` in the \
                   data directory of the server, which prints its path when it starts";

const FIX_WITH_SIGN_IN: &str = "sign in with OAuth, as the header `WWW-Authenticate` says, or send the header \
                                `Authorization: Bearer TOKEN`; the token is in the file `token` in the data \
                                directory of the server";

/// A token as the key of a table, which does not contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TokenKey(pub(super) [u8; 32]);

impl TokenKey {
    /// Returns the key of a token.
    pub(super) fn of(token: &str) -> Self {
        Self(Sha256::digest(token).into())
    }
}

/// Accepts a request with a token that the store knows, and passes its caller on.
pub(super) async fn check(
    State(server): State<Server>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path().to_owned();
    let Some(token) = bearer_token(request.headers()) else {
        let message = "the request has no token";
        return unauthorized(&server, &path, "TOKEN_MISSING", message, &Challenge::TokenMissing);
    };
    match server.authenticate(token).await {
        Ok(Some(caller)) => {
            let key = TokenKey::of(token);
            let slot = request.extensions().get::<Arc<ConnectionSlot>>().cloned();
            let Some(_in_use) = slot.as_ref().and_then(|slot| slot.authenticate(key.0)) else {
                return busy();
            };
            if let Some(line) = request.extensions().get::<RequestLog>() {
                line.set_user(&caller.user_id);
            }
            request.extensions_mut().insert(key);
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Ok(None) => {
            let message = "unknown, revoked or expired token";
            unauthorized(&server, &path, "TOKEN_UNKNOWN", message, &Challenge::InvalidToken)
        }
        Err(failure) => envelope(StatusCode::INTERNAL_SERVER_ERROR, &failure.into_tool_error()),
    }
}

/// Returns the token in the one header that may hold it (RFC 6750, section 2.1).
pub(super) fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let mut headers = headers.get_all(header::AUTHORIZATION).iter();
    let (header, None) = (headers.next()?, headers.next()) else { return None };
    let (scheme, token) = header.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && token.len() <= TOKEN_BYTES_MAX).then_some(token)
}

/// Makes an answer one that asks a client for more scopes (RFC 6750, section 3.1). Its body stays.
pub(super) fn insufficient_scope(
    server: &Server,
    path: &str,
    scopes: Vec<Scope>,
    mut response: Response,
) -> Response {
    *response.status_mut() = StatusCode::FORBIDDEN;
    if let Some(own) = &server.authorization
        && let Some(header) =
            challenge_header(&Challenge::InsufficientScope(scopes), &own.issuer, path)
    {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, header);
    }
    response
}

/// Refuses a request. A server at which people sign in says where a client learns how it gets a token.
fn unauthorized(
    server: &Server,
    path: &str,
    reason: &str,
    message: &str,
    challenge: &Challenge,
) -> Response {
    let status = StatusCode::UNAUTHORIZED;
    let own = server.authorization.as_ref();
    let fix = if own.is_some() { FIX_WITH_SIGN_IN } else { FIX };
    let mut response = refuse(status, ErrorCode::PermissionDenied, reason, message, fix);
    let header = match own {
        Some(own) => challenge_header(challenge, &own.issuer, path),
        None => HeaderValue::try_from(challenge.to_string()).ok(),
    };
    if let Some(header) = header {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, header);
    }
    response
}
