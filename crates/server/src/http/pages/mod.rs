//! The pages that people see in a browser. They work without scripts.

mod agents;
mod browser;
mod consent;
mod device;
mod form;
mod layout;
mod scopes;
mod sign_in;

pub use sign_in::address as sign_in_address;

use axum::Router;
use axum::routing::get;
use dibber_authorization::{AuthorizationServerMetadata, Issuer};

use crate::server::Server;

/// The path of the list of agents.
const AGENTS_PATH: &str = "/agents";
/// The path at which people type the code of a device.
pub(super) const DEVICE_PATH: &str = "/device";
/// The path at which people sign in.
pub(super) const SIGN_IN_PATH: &str = "/sign-in";
/// The path at which people sign out.
const SIGN_OUT_PATH: &str = "/sign-out";
/// The path of the styles of the pages.
const STYLE_PATH: &str = "/style.css";

/// A server with the public URL at which people and clients reach it.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) server: Server,
    pub(super) issuer: Issuer,
}

/// Returns the routes of the pages.
pub(super) fn routes() -> Router<Site> {
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
