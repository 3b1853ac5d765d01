//! Why a step of a flow failed.

use dibber_authorization::OAuthError;

use crate::failure::Failure;
use crate::store::StoreError;

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
