//! Tokens of grants: issuing, renewing, revoking.

use std::time::Duration;

use dibber_authorization::{
    Issuer, OAuthError, OAuthErrorCode, RevocationRequest, TokenRequest, TokenResponse, scope_text,
};
use dibber_skill::contract::Scope;
use serde::{Deserialize, Serialize};

use super::clients::milliseconds;
use super::error::AuthorizationError;
use super::secret::{Secret, digest, stored, value_of};
use crate::failure::Failure;
use crate::server::Server;
use crate::store::{Credential, CredentialKind, Grant, StoreExt, StoreResult, Token, Writer};

/// How long a token is valid.
const TOKEN_TIME: Duration = Duration::from_hours(1);
/// How long a client can leave a grant unused.
const REFRESH_TOKEN_TIME: Duration = Duration::from_hours(24 * 60);

/// What is stored of a token that gets others.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RefreshToken {
    /// Whether it was used: each is valid once, so that a copy of it is noticed.
    is_used: bool,
}

/// A token, and the one that gets the next.
pub(super) struct NewTokens {
    access: Secret,
    refresh: Secret,
    scopes: Vec<Scope>,
}

impl NewTokens {
    /// Issues tokens with scopes of a grant.
    pub(super) fn issue(
        store: &dyn Writer,
        grant: &Grant,
        scopes: &[Scope],
        now: i64,
    ) -> StoreResult<Self> {
        let tokens =
            Self { access: Secret::new(), refresh: Secret::new(), scopes: scopes.to_vec() };
        store.put_token(&Token {
            digest: tokens.access.digest(),
            family: grant.family.clone(),
            user_id: grant.user_id.clone(),
            scopes: tokens.scopes.clone(),
            name: None,
            created_at: Some(now),
            expires_at: Some(now + milliseconds(TOKEN_TIME)),
            grant_id: Some(grant.id.clone()),
            audience: Some(grant.audience.clone()),
            used_at: None,
        })?;
        store.put_credential(&Credential {
            digest: tokens.refresh.digest(),
            kind: CredentialKind::RefreshToken,
            user: Some((grant.family.clone(), grant.user_id.clone())),
            grant_id: Some(grant.id.clone()),
            value: stored(&RefreshToken { is_used: false })?,
            expires_at: now + milliseconds(REFRESH_TOKEN_TIME),
        })?;
        store.remove_expired(now)?;
        Ok(tokens)
    }

    fn into_response(self) -> TokenResponse {
        TokenResponse {
            access_token: self.access.into_text(),
            token_type: "Bearer",
            expires_in: TOKEN_TIME.as_secs(),
            refresh_token: self.refresh.into_text(),
            scope: scope_text(&self.scopes),
        }
    }
}

impl Server {
    /// Answers a request for tokens.
    pub(crate) async fn issue_tokens(
        &self,
        request: TokenRequest,
        issuer: &Issuer,
    ) -> Result<TokenResponse, AuthorizationError> {
        let client = request.client().as_str().to_owned();
        let tokens = match request {
            TokenRequest::AuthorizationCode { code, redirect_uri, verifier, .. } => {
                self.exchange_code(&client, &code, &redirect_uri, verifier, issuer).await?
            }
            TokenRequest::RefreshToken { token, scopes, .. } => {
                self.renew(client, &token, scopes, issuer).await?
            }
            TokenRequest::DeviceCode { code, .. } => {
                self.exchange_device_code(client, &code, issuer).await?
            }
        };
        Ok(tokens.into_response())
    }

    /// Returns new tokens for a token that gets others. If it was used before, someone has a copy of it,
    /// so that the whole grant is revoked.
    async fn renew(
        &self,
        client_id: String,
        token: &str,
        scopes: Option<Vec<Scope>>,
        issuer: &Issuer,
    ) -> Result<NewTokens, AuthorizationError> {
        let digest = digest(token);
        let (now, audience) = (self.now().as_millisecond(), issuer.to_string());
        self.store()
            .write(move |store| -> Result<_, AuthorizationError> {
                let found = store.credential(CredentialKind::RefreshToken, &digest)?;
                let Some(mut found) = found else { return Ok(Err(unusable())) };
                let grant = found.grant_id.as_deref().map(|id| store.grant(id)).transpose()?;
                let Some(mut grant) = grant.flatten() else { return Ok(Err(unusable())) };
                if grant.client_id != client_id || grant.audience != audience {
                    return Ok(Err(unusable()));
                }
                if value_of::<RefreshToken>(&found)?.is_used {
                    tracing::warn!(
                        grant = grant.id,
                        "a token was used twice: its grant is revoked"
                    );
                    store.remove_grant(&grant.family, &grant.id)?;
                    return Ok(Err(unusable()));
                }
                if found.expires_at <= now {
                    return Ok(Err(unusable()));
                }
                let scopes = scopes.unwrap_or_else(|| grant.scopes.clone());
                let has = |scope: &Scope| grant.scopes.iter().any(|own| own.includes(*scope));
                if !scopes.iter().all(has) {
                    let description = "the parameter scope has more than was granted";
                    return Ok(Err(OAuthError::new(OAuthErrorCode::InvalidScope, description)));
                }
                found.value = stored(&RefreshToken { is_used: true })?;
                store.put_credential(&found)?;
                grant.used_at = Some(now);
                store.put_grant(&grant)?;
                Ok(Ok(NewTokens::issue(store, &grant, &scopes, now)?))
            })
            .await?
            .map_err(AuthorizationError::Refused)
    }

    /// Revokes a token of either kind, with its grant (RFC 7009). That of another client, or one that is
    /// not known, is left as it is, and the answer is the same.
    pub(crate) async fn revoke(&self, request: RevocationRequest) -> Result<(), Failure> {
        let digest = digest(&request.token);
        let client = request.client.map(|client| client.as_str().to_owned());
        self.store()
            .write(move |store| -> Result<(), Failure> {
                let token = store.token(&digest)?.and_then(|token| token.grant_id);
                let credential = store.credential(CredentialKind::RefreshToken, &digest)?;
                let grant = token.or_else(|| credential.and_then(|found| found.grant_id));
                let grant = grant.map(|id| store.grant(&id)).transpose()?.flatten();
                let is_own = |id: &str| client.as_deref().is_none_or(|client| client == id);
                if let Some(grant) = grant.filter(|grant| is_own(&grant.client_id)) {
                    store.remove_grant(&grant.family, &grant.id)?;
                }
                Ok(())
            })
            .await
    }
}

fn unusable() -> OAuthError {
    let description = "the refresh token is unknown, used, expired, revoked, or of another client";
    OAuthError::new(OAuthErrorCode::InvalidGrant, description)
}
