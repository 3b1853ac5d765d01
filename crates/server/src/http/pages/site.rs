//! A server with the public URL at which people and clients reach it, and the paths of its pages.

use dibber_authorization::Issuer;

use crate::server::Server;

/// The path of the list of agents.
pub(in crate::http) const AGENTS_PATH: &str = "/agents";
/// The path at which people type the code of a device.
pub(in crate::http) const DEVICE_PATH: &str = "/device";
/// The path at which people sign in.
pub(in crate::http) const SIGN_IN_PATH: &str = "/sign-in";
/// The path at which people sign out.
pub(in crate::http) const SIGN_OUT_PATH: &str = "/sign-out";
/// The path of the styles of the pages.
pub(in crate::http) const STYLE_PATH: &str = "/style.css";

/// A server with the public URL at which people and clients reach it.
#[derive(Clone)]
pub(in crate::http) struct Site {
    pub(in crate::http) server: Server,
    pub(in crate::http) issuer: Issuer,
}
