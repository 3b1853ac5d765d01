//! A sign-in as it is stored.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::super::address::Address;
use super::super::certificate_authority::CertificateAuthority;
use super::super::token::Token;
use super::authorization_server::AuthorizationServer;
use super::error::SignInError;
use super::registration::RegisteredClient;
use super::tokens::Tokens;
use super::web::Web;

/// The codes with which an authorization server says that a sign-in is over.
const ENDED: [&str; 3] = ["invalid_grant", "invalid_client", "unauthorized_client"];

/// A sign-in to a server: who issued its tokens, to which client, and the tokens.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredSignIn {
    pub(super) server: String,
    resource: String,
    pub(super) issuer: String,
    token_endpoint: String,
    revocation_endpoint: Option<String>,
    pub(super) client: RegisteredClient,
    pub(super) tokens: Tokens,
}

impl StoredSignIn {
    pub(super) fn new(
        server: &AuthorizationServer,
        client: RegisteredClient,
        tokens: Tokens,
    ) -> Self {
        Self {
            server: server.server.as_str().to_owned(),
            resource: server.resource.clone(),
            issuer: server.issuer.clone(),
            token_endpoint: server.token_endpoint.to_string(),
            revocation_endpoint: server.revocation_endpoint.as_ref().map(ToString::to_string),
            client,
            tokens,
        }
    }

    /// Returns the URL of the authorization server.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// Returns the scopes of the token, as far as they are known.
    pub fn scopes(&self) -> Vec<&str> {
        self.tokens.scope.as_deref().unwrap_or_default().split_whitespace().collect()
    }

    /// Returns when the token expires. It is renewed before.
    pub fn expires_at(&self) -> Option<Timestamp> {
        Timestamp::from_second(self.tokens.expires_at?).ok()
    }

    /// Returns `true` if the token can be renewed.
    pub const fn is_renewable(&self) -> bool {
        self.tokens.refresh_token.is_some()
    }

    /// Returns the token.
    pub(super) fn token(&self) -> Option<Token> {
        Token::parse(&self.tokens.access_token)
    }

    /// Returns every secret of the sign-in.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = String> + use<> {
        let Tokens { access_token, refresh_token, .. } = self.tokens.clone();
        [access_token].into_iter().chain(refresh_token).chain(self.client.secret.clone())
    }

    /// Gets new tokens in place of the old ones.
    pub(super) async fn renew(&mut self, web: &Web, now: Timestamp) -> Result<(), SignInError> {
        let Some(refresh) = self.tokens.refresh_token.clone() else {
            return Err(SignInError::Ended);
        };
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.as_str()),
            ("resource", &self.resource),
        ];
        let answer = self.client.send(web, &address(&self.token_endpoint)?, &fields).await;
        let answer = answer.map_err(|error| match error.code() {
            Some(code) if ENDED.contains(&code) => SignInError::Ended,
            _ => error,
        })?;
        let mut tokens = Tokens::parse(&answer, self.tokens.scope.as_deref(), now)?;
        // A server that sends none goes on accepting the old one.
        tokens.refresh_token = tokens.refresh_token.or(Some(refresh));
        self.tokens = tokens;
        Ok(())
    }

    /// Revokes the tokens (RFC 7009). Returns `false` if the authorization server cannot do that.
    ///
    /// # Errors
    /// If it refuses, or cannot be reached.
    pub async fn revoke(
        &self,
        authority: Option<CertificateAuthority>,
        timeout: Duration,
    ) -> Result<bool, SignInError> {
        let Some(endpoint) = &self.revocation_endpoint else { return Ok(false) };
        let web = Web { authority, timeout };
        let token = self.tokens.refresh_token.as_ref().unwrap_or(&self.tokens.access_token);
        self.client.send(&web, &address(endpoint)?, &[("token", token)]).await?;
        Ok(true)
    }
}

fn address(stored: &str) -> Result<Address, SignInError> {
    let address: Option<Address> = stored.parse().ok();
    let private = address.filter(Address::is_private);
    private.ok_or_else(|| SignInError::Metadata("the stored sign-in is damaged".to_owned()))
}

impl fmt::Debug for StoredSignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredSignIn").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}
