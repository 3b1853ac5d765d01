//! What a server needs to be its own authorization server.

use dibber_authorization::Issuer;

use super::documents::ClientDocuments;

/// What a server needs to be its own authorization server.
pub(crate) struct Authorization {
    /// Its public URL.
    pub(crate) issuer: Issuer,
    pub(super) documents: ClientDocuments,
}

impl Authorization {
    /// Returns what a server with this public URL needs.
    pub(super) fn new(issuer: Issuer) -> Self {
        Self { issuer, documents: ClientDocuments::default() }
    }
}
