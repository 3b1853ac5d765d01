//! Tokens: the secrets that let a client call in the name of a grown-up.

use sha2::{Digest, Sha256};

use super::lookup::{no_such_family, require_user};
use crate::caller::Caller;
use crate::failure::Failure;
use crate::id;
use crate::server::Server;
use crate::store::{FamilyId, StoreExt, Token};
use dibber_skill::contract::{Scope, UserId, WireEnum};
use dibber_text::hex;

impl Server {
    /// Issues a token, whose bearer calls in the name of a grown-up. The token is returned here and
    /// never again: only its digest is stored.
    pub fn issue_token(
        &self,
        family: &FamilyId,
        user_id: &UserId,
        scopes: &[Scope],
    ) -> Result<String, Failure> {
        let token = id::token();
        let stored = Token {
            digest: digest(&token),
            family: family.clone(),
            user_id: user_id.clone(),
            scopes: scopes.to_vec(),
        };
        self.store().write_blocking(move |store| -> Result<_, Failure> {
            require_user(store, &stored.family, &stored.user_id)?;
            Ok(store.put_token(&stored)?)
        })?;
        Ok(token)
    }

    /// Revokes every token of a grown-up; returns how many there were.
    pub fn revoke_tokens(&self, family: &FamilyId, user_id: &UserId) -> Result<usize, Failure> {
        let (family, user_id) = (family.clone(), user_id.clone());
        self.store().write_blocking(move |store| {
            require_user(store, &family, &user_id)?;
            Ok(store.remove_tokens(&family, &user_id)?)
        })
    }

    /// Returns who calls with a token, if the token is known.
    pub fn caller_of_token(&self, token: &str) -> Result<Option<Caller>, Failure> {
        let digest = digest(token);
        let token = self.store().read_blocking(move |store| store.token(&digest))?;
        Ok(token.map(Caller::from))
    }

    /// Does the same as [`caller_of_token`](Self::caller_of_token), for an asynchronous task.
    pub(crate) async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Failure> {
        let digest = digest(token);
        let token = self.store().read(move |store| store.token(&digest)).await?;
        Ok(token.map(Caller::from))
    }

    /// Returns the user who founded a family, who may do everything there.
    pub fn owner_of(&self, family: &FamilyId) -> Result<Caller, Failure> {
        let family = family.clone();
        self.store().read_blocking(move |store| {
            let users = store.users(&family)?;
            let founder = users.into_iter().next().ok_or_else(no_such_family)?;
            Ok(Caller { family, user_id: founder.id, scopes: Scope::all() })
        })
    }
}

impl From<Token> for Caller {
    fn from(token: Token) -> Self {
        let Token { family, user_id, scopes, .. } = token;
        Self { family, user_id, scopes }
    }
}

/// Returns the digest of a token: SHA-256, hexadecimal. A token is 256 random bits, so it
/// cannot be guessed from its digest, and the digest needs no salt.
fn digest(token: &str) -> String {
    hex(Sha256::digest(token))
}
