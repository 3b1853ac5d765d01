//! People who sign in: with a link, which gives their browser a session.

use std::time::Duration;

use dibber_skill::contract::{FamilyId, UserId};
use dibber_text::hex;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::clients::milliseconds;
use super::secret::{Secret, digest};
use crate::failure::Failure;
use crate::families::lookup::no_such_grown_up;
use crate::server::Server;
use crate::store::{Credential, CredentialKind, Reader, StoreExt, StoreResult, Writer};

/// How long a link can be followed.
const SIGN_IN_LINK_TIME: Duration = Duration::from_mins(15);

/// How long a browser stays signed in that is not used.
const SESSION_TIME: Duration = Duration::from_hours(24 * 14);
/// A session that is used is extended when this much of its time has passed.
const EXTENDED_AFTER: Duration = Duration::from_hours(24);

/// A person who is signed in with a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BrowserSession {
    /// The family.
    pub(crate) family: FamilyId,
    /// The person.
    pub(crate) user_id: UserId,
    /// What a form has to contain, so that no other site can send it: it is known only to the pages of
    /// this session.
    pub(crate) form_token: String,
}

impl Server {
    /// Returns the secret of a link with which a person signs in once, within 15 minutes.
    pub fn create_sign_in_link(
        &self,
        family: &FamilyId,
        user_id: &UserId,
    ) -> Result<String, Failure> {
        let secret = Secret::new();
        let link = Credential {
            digest: secret.digest(),
            kind: CredentialKind::SignInLink,
            user: Some((family.clone(), user_id.clone())),
            grant_id: None,
            value: Value::Null,
            expires_at: self.now().as_millisecond() + milliseconds(SIGN_IN_LINK_TIME),
        };
        let now = self.now().as_millisecond();
        self.store().write_blocking(move |store| {
            store.remove_expired(now)?;
            if let Some((family, user)) = &link.user
                && !store.user_ids(family)?.contains(user)
            {
                return Err(no_such_grown_up());
            }
            Ok(store.put_credential(&link)?)
        })?;
        Ok(secret.into_text())
    }

    /// Returns `true` if a link can still be followed. The link stays as it is: programs that look at
    /// links for people follow them, too.
    pub(crate) async fn is_sign_in_link(&self, secret: &str) -> Result<bool, Failure> {
        let (digest, now) = (digest(secret), self.now().as_millisecond());
        let link = self
            .store()
            .read(move |store| store.credential(CredentialKind::SignInLink, &digest))
            .await?;
        Ok(link.is_some_and(|link| link.expires_at > now))
    }

    /// Uses a link up, and returns the secret of a new session; none if the link cannot be followed.
    pub(crate) async fn sign_in(&self, link_secret: &str) -> Result<Option<String>, Failure> {
        let (link, now) = (digest(link_secret), self.now().as_millisecond());
        let secret = Secret::new();
        let session_digest = secret.digest();
        let is_signed_in = self
            .store()
            .write(move |store| -> Result<bool, Failure> {
                let Some(found) = store.credential(CredentialKind::SignInLink, &link)? else {
                    return Ok(false);
                };
                store.remove_credential(&link)?;
                if found.expires_at <= now {
                    return Ok(false);
                }
                store.put_credential(&Credential {
                    digest: session_digest,
                    kind: CredentialKind::BrowserSession,
                    expires_at: now + milliseconds(SESSION_TIME),
                    ..found
                })?;
                Ok(true)
            })
            .await?;
        Ok(is_signed_in.then(|| secret.into_text()))
    }

    /// Returns who is signed in with a session; none if it has ended.
    pub(crate) async fn browser_session(
        &self,
        secret: &str,
    ) -> Result<Option<BrowserSession>, Failure> {
        let (digest, now) = (digest(secret), self.now().as_millisecond());
        let find = move |store: &dyn Reader| -> StoreResult<Option<Credential>> {
            store.credential(CredentialKind::BrowserSession, &digest)
        };
        let Some(found) = self.store().read(find).await? else { return Ok(None) };
        let Some((family, user_id)) = found.user.clone().filter(|_| found.expires_at > now) else {
            return Ok(None);
        };
        let full = now + milliseconds(SESSION_TIME);
        if full - found.expires_at > milliseconds(EXTENDED_AFTER) {
            let extended = Credential { expires_at: full, ..found };
            // A session that was ended meanwhile must not come back.
            let extend = move |store: &dyn Writer| {
                let present = store.credential(CredentialKind::BrowserSession, &extended.digest)?;
                present.map_or(Ok(()), |_| store.put_credential(&extended))
            };
            self.store().write(extend).await?;
        }
        Ok(Some(BrowserSession { family, user_id, form_token: form_token(secret) }))
    }

    /// Ends a session.
    pub(crate) async fn sign_out(&self, secret: &str) -> Result<(), Failure> {
        let digest = digest(secret);
        self.store().write(move |store| Ok(store.remove_credential(&digest).map(drop)?)).await
    }
}

/// Returns the secret of the forms of a session. Nothing of the session follows from it.
fn form_token(session_secret: &str) -> String {
    hex(Sha256::new().chain_update("dibber form\0").chain_update(session_secret).finalize())
}
