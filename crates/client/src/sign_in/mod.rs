//! Signing in to a server with OAuth: finding its authorization server, asking a person in a browser or
//! with a code, and keeping and renewing the tokens.
//!
//! `rmcp` can do a part of this with its feature `auth`, which needs the crate `oauth2` with a second set
//! of HTTP, random and digest crates, and knows neither devices nor locks across processes. What is
//! needed of OAuth is small, so that it is written here, over the HTTP client that is there anyway.

mod authorization_server;
mod device;
mod error;
mod exchange;
mod listener;
mod registration;
mod request;
mod signed_in;
mod store;
mod stored;
mod tokens;
mod web;

pub use authorization_server::{AuthorizationServer, discover};
pub use device::DeviceSignIn;
pub use error::SignInError;
pub use exchange::AuthorizationCode;
pub use listener::AnswerListener;
pub use registration::{RegisteredClient, register};
pub use request::SignInRequest;
pub use signed_in::SignedIn;
pub use store::SignInStore;
pub use stored::StoredSignIn;
