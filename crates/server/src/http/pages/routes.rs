//! The routes of the pages.

use axum::Router;
use axum::routing::get;
use dibber_authorization::AuthorizationServerMetadata;

use super::site::{AGENTS_PATH, DEVICE_PATH, SIGN_IN_PATH, SIGN_OUT_PATH, STYLE_PATH, Site};
use super::{agents, consent, device, layout, sign_in};

/// Returns the routes of the pages.
pub(in crate::http) fn routes() -> Router<Site> {
    Router::new()
        .route("/", get(agents::home))
        .route(AGENTS_PATH, get(agents::list).post(agents::change))
        .route(
            AuthorizationServerMetadata::AUTHORIZATION_PATH,
            get(consent::ask).post(consent::answer),
        )
        .route(DEVICE_PATH, get(device::ask).post(device::answer))
        .route(SIGN_IN_PATH, get(sign_in::ask).post(sign_in::sign_in))
        .route(SIGN_OUT_PATH, get(sign_in::signed_out).post(sign_in::sign_out))
        .route(STYLE_PATH, get(layout::style))
}
