//! Codes: what a browser brings back to a client that a person has allowed.

use std::time::Duration;

use dibber_authorization::{
    AuthorizationRequest, CodeChallenge, CodeVerifier, Issuer, OAuthError, OAuthErrorCode,
};
use dibber_skill::contract::Scope;
use serde::{Deserialize, Serialize};

use super::clients::milliseconds;
use super::error::AuthorizationError;
use super::grants::{Allowed, allow};
use super::secret::{Secret, digest, stored, value_of};
use super::sign_in::BrowserSession;
use super::tokens::NewTokens;
use crate::failure::Failure;
use crate::server::Server;
use crate::store::{Credential, CredentialKind, StoreExt};

/// How long a code can be exchanged for tokens.
const CODE_TIME: Duration = Duration::from_mins(1);
/// How long a code is kept after it was used, to notice if someone uses it again.
const USED_CODE_TIME: Duration = Duration::from_mins(15);

/// What a code is for.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Code {
    client_id: String,
    client_name: String,
    redirect_uri: String,
    challenge: String,
    /// The scopes that the client asked for: the person has decided on these.
    asked: Vec<Scope>,
    /// The scopes that the person allowed.
    allowed: Vec<Scope>,
    /// Until when it can be exchanged.
    valid_until: i64,
}

impl Server {
    /// Returns a code for a request that a person has allowed, with these scopes.
    pub(crate) async fn issue_code(
        &self,
        request: &AuthorizationRequest,
        client_name: &str,
        session: &BrowserSession,
        allowed: Vec<Scope>,
    ) -> Result<String, Failure> {
        let now = self.now().as_millisecond();
        let secret = Secret::new();
        let code = Code {
            client_id: request.client.as_str().to_owned(),
            client_name: client_name.to_owned(),
            redirect_uri: request.redirect_uri.as_str().to_owned(),
            challenge: request.challenge.as_str().to_owned(),
            asked: request.scopes.clone(),
            allowed,
            valid_until: now + milliseconds(CODE_TIME),
        };
        let credential = Credential {
            digest: secret.digest(),
            kind: CredentialKind::Code,
            user: Some((session.family.clone(), session.user_id.clone())),
            grant_id: None,
            value: stored(&code)?,
            expires_at: now + milliseconds(USED_CODE_TIME),
        };
        self.store()
            .write(move |store| -> Result<(), Failure> {
                store.remove_expired(now)?;
                Ok(store.put_credential(&credential)?)
            })
            .await?;
        Ok(secret.into_text())
    }

    /// Returns tokens for a code. A code that is used a second time may have been stolen, so that
    /// everything that it has given is revoked.
    pub(super) async fn exchange_code(
        &self,
        client_id: &str,
        code: &str,
        redirect_uri: &str,
        verifier: CodeVerifier,
        issuer: &Issuer,
    ) -> Result<NewTokens, AuthorizationError> {
        let digest = digest(code);
        let (client_id, redirect_uri) = (client_id.to_owned(), redirect_uri.to_owned());
        let (now, audience) = (self.now().as_millisecond(), issuer.to_string());
        self.store()
            .write(move |store| -> Result<_, AuthorizationError> {
                let Some(mut found) = store.credential(CredentialKind::Code, &digest)? else {
                    return Ok(Err(unusable()));
                };
                let Some(user) = found.user.clone() else { return Ok(Err(unusable())) };
                if let Some(grant) = &found.grant_id {
                    store.remove_grant(&user.0, grant)?;
                    return Ok(Err(unusable()));
                }
                let code: Code = value_of(&found)?;
                let is_met = CodeChallenge::from_stored(&code.challenge)
                    .is_some_and(|challenge| challenge.is_met_by(&verifier));
                let is_usable = code.valid_until > now
                    && code.client_id == client_id
                    && code.redirect_uri == redirect_uri
                    && is_met;
                if !is_usable {
                    // It does not get a second attempt.
                    store.remove_credential(&digest)?;
                    return Ok(Err(unusable()));
                }
                let allowed = Allowed {
                    user,
                    client_id: code.client_id,
                    client_name: code.client_name,
                    asked: code.asked,
                    scopes: code.allowed,
                    audience,
                };
                let grant = allow(store, allowed, now)?;
                found.grant_id = Some(grant.id.clone());
                store.put_credential(&found)?;
                Ok(Ok(NewTokens::issue(store, &grant, &grant.scopes, now)?))
            })
            .await?
            .map_err(AuthorizationError::Refused)
    }
}

/// Returns the one answer to everything that is wrong with a code: a stranger learns nothing from it.
fn unusable() -> OAuthError {
    let description = "the code is unknown, used, expired, or not for this request";
    OAuthError::new(OAuthErrorCode::InvalidGrant, description)
}
