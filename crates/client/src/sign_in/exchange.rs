//! A code, and the tokens that it is exchanged for.

use jiff::Timestamp;

use super::authorization_server::AuthorizationServer;
use super::error::SignInError;
use super::registration::RegisteredClient;
use super::stored::StoredSignIn;
use super::tokens::Tokens;

/// A code with which the browser was sent back. It is not displayed: it is a secret.
pub struct AuthorizationCode {
    pub(super) server: AuthorizationServer,
    pub(super) client: RegisteredClient,
    pub(super) code: String,
    pub(super) redirect_uri: String,
    pub(super) verifier: String,
}

impl AuthorizationCode {
    /// Exchanges it for tokens.
    ///
    /// # Errors
    /// If the authorization server refuses, or cannot be reached.
    pub async fn exchange(self, now: Timestamp) -> Result<StoredSignIn, SignInError> {
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", self.code.as_str()),
            ("redirect_uri", &self.redirect_uri),
            ("code_verifier", &self.verifier),
            ("resource", &self.server.resource),
        ];
        let endpoint = &self.server.token_endpoint;
        let answer = self.client.send(&self.server.web, endpoint, &fields).await?;
        let tokens = Tokens::parse(&answer, self.server.scope.as_deref(), now)?;
        Ok(StoredSignIn::new(&self.server, self.client, tokens))
    }
}
