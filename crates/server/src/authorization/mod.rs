//! The server as its own authorization server: which client may do what for whom.
//!
//! The rules of the requests are in `dibber-authorization`. Here are the flows, each step in one
//! transaction:
//!
//! | step | module |
//! |---|---|
//! | a client registers, or is described by a document | `clients` |
//! | a person signs in with a link, and has a session in a browser | `sign_in` |
//! | the person allows what a client asks for: the client gets a code, or its device does | `codes`, `devices` |
//! | the client gets tokens for the code, and new ones for the token that gets others | `tokens` |
//! | the person looks at grants, narrows and revokes them | `grants` |
//!
//! Of every secret, only the digest is stored.

mod clients;
mod codes;
mod devices;
mod documents;
mod grants;
mod secret;
mod sign_in;
mod tokens;

pub use sign_in::SIGN_IN_LINK_TIME;

pub(crate) use clients::FindClientError;
pub(crate) use devices::DeviceRequest;
use documents::ClientDocuments;
pub(crate) use grants::{narrow, revoke};
pub(crate) use secret::digest;
pub(crate) use sign_in::BrowserSession;

use std::sync::Arc;

use dibber_authorization::{Issuer, OAuthError};

use crate::failure::Failure;
use crate::server::Server;
use crate::store::StoreError;

/// What a server needs to be its own authorization server.
pub(crate) struct Authorization {
    /// Its public URL.
    pub(crate) issuer: Issuer,
    documents: ClientDocuments,
}

impl Server {
    /// Lets people sign in at this public URL, and allow clients what they ask for.
    #[must_use]
    pub fn with_authorization(mut self, issuer: Issuer) -> Self {
        let documents = ClientDocuments::default();
        self.authorization = Some(Arc::new(Authorization { issuer, documents }));
        self
    }
}

/// Why a step of a flow failed.
#[derive(Debug)]
pub(crate) enum AuthorizationError {
    /// The client gets the reason.
    Refused(OAuthError),
    /// The server failed.
    Failed(Failure),
}

impl From<OAuthError> for AuthorizationError {
    fn from(error: OAuthError) -> Self {
        Self::Refused(error)
    }
}

impl From<Failure> for AuthorizationError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<StoreError> for AuthorizationError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}
