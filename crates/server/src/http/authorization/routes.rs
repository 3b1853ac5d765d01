//! The routes of the endpoints.

use axum::Router;
use axum::routing::{get, post};
use dibber_authorization::{AuthorizationServerMetadata, Issuer, ProtectedResourceMetadata};

use super::{device, metadata, register, revoke, token};
use crate::http::pages::site::Site;

/// Returns the routes of the endpoints.
pub(in crate::http) fn routes(issuer: &Issuer) -> Router<Site> {
    let server = AuthorizationServerMetadata::PATH;
    let resource = ProtectedResourceMetadata::PATH;
    let mut router = Router::new()
        .route(server, get(metadata::server))
        // A client of a server whose public URL has no path looks here, too.
        .route("/.well-known/openid-configuration", get(metadata::server))
        .route(resource, get(metadata::resource))
        .route(&format!("{resource}/{{*path}}"), get(metadata::resource))
        .route(AuthorizationServerMetadata::TOKEN_PATH, post(token::issue))
        .route(AuthorizationServerMetadata::REGISTRATION_PATH, post(register::register))
        .route(AuthorizationServerMetadata::REVOCATION_PATH, post(revoke::revoke))
        .route(AuthorizationServerMetadata::DEVICE_AUTHORIZATION_PATH, post(device::start));
    if !issuer.path().is_empty() {
        // RFC 8414, section 3.1: the path of the public URL comes last.
        router = router.route(&format!("{server}{}", issuer.path()), get(metadata::server));
    }
    router
}
