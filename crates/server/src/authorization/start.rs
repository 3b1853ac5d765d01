//! Letting people sign in.

use std::sync::Arc;

use dibber_authorization::Issuer;

use super::settings::Authorization;
use crate::server::Server;

impl Server {
    /// Lets people sign in at this public URL, and allow clients what they ask for.
    #[must_use]
    pub fn with_authorization(mut self, issuer: Issuer) -> Self {
        self.authorization = Some(Arc::new(Authorization::new(issuer)));
        self
    }
}
