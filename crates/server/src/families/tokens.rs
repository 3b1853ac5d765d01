//! Tokens: the secrets that let a client call in the name of a grown-up.

use std::io;

use jiff::Timestamp;

use super::lookup::{no_such_family, not_found, require_family, require_user};
use super::names::parse_label;
use crate::authorization::secret::digest;
use crate::caller::Caller;
use crate::failure::Failure;
use crate::id;
use crate::server::Server;
use crate::store::{
    CredentialKind, FamilyId, Listed, StoreError, StoreExt, Token, Writer, token_id,
};
use dibber_skill::contract::{Scope, UserId, WireEnum};

/// The milliseconds after which the use of a token is recorded again.
const USE_RECORDED_AFTER: i64 = 60_000;

/// What a new token is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenGrant {
    /// The grown-up in whose name its bearer calls.
    pub user_id: UserId,
    /// The scopes that it grants.
    pub scopes: Vec<Scope>,
    /// What the owner calls it.
    pub name: Option<String>,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

/// Why a token was not issued.
#[derive(Debug)]
pub enum IssueError {
    /// The server refused or failed.
    Failed(Failure),
    /// The token could not be delivered, so it is not valid.
    Undelivered(io::Error),
}

impl From<Failure> for IssueError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<StoreError> for IssueError {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

impl Server {
    /// Issues a token, whose bearer calls in the name of a grown-up, and returns its id. Only its
    /// digest is stored, so the token itself is passed to `deliver`, and to nothing else.
    ///
    /// It is valid only if it was delivered: `deliver` is a part of the transaction that stores it.
    /// While it runs, no other process issues a token for the same database, and every other write
    /// waits, so it must not wait for another process.
    pub fn issue_token(
        &self,
        family: &FamilyId,
        grant: TokenGrant,
        deliver: impl FnOnce(&str) -> io::Result<()> + Send + 'static,
    ) -> Result<String, IssueError> {
        let (token, stored) = self.new_token(family, grant)?;
        self.store().write_blocking(move |store| {
            require_user(store, &stored.family, &stored.user_id)?;
            store.put_token(&stored)?;
            deliver(&token).map_err(IssueError::Undelivered)?;
            Ok(stored.id())
        })
    }

    /// Issues a token as [`issue_token`](Self::issue_token) does, but after it was delivered, so
    /// that `deliver` may take any time. If this fails, the token is not valid.
    pub fn issue_delivered_token(
        &self,
        family: &FamilyId,
        grant: TokenGrant,
        deliver: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<String, IssueError> {
        let (token, stored) = self.new_token(family, grant)?;
        let (family, user_id) = (stored.family.clone(), stored.user_id.clone());
        // A token that would be refused is not delivered.
        self.store().read_blocking(move |store| require_user(store, &family, &user_id))?;
        deliver(&token).map_err(IssueError::Undelivered)?;
        self.store().write_blocking(move |store| {
            require_user(store, &stored.family, &stored.user_id)?;
            store.put_token(&stored)?;
            Ok(stored.id())
        })
    }

    /// Returns a new token, and what is stored of it.
    fn new_token(&self, family: &FamilyId, grant: TokenGrant) -> Result<(String, Token), Failure> {
        let TokenGrant { user_id, scopes, name, expires_at } = grant;
        let name = name.map(|name| parse_label(&name, "token")).transpose()?;
        let token = id::token();
        let stored = Token {
            digest: digest(&token),
            family: family.clone(),
            user_id,
            scopes,
            name,
            created_at: Some(self.now().as_millisecond()),
            expires_at: expires_at.map(Timestamp::as_millisecond),
            grant_id: None,
            audience: None,
            used_at: None,
        };
        Ok((token, stored))
    }

    /// Returns the tokens that were issued to the owner of a family, the oldest first, without those that
    /// are damaged. Those of grants are not among them.
    pub fn tokens(&self, family: &FamilyId) -> Result<Listed<Token>, Failure> {
        let family = family.clone();
        self.store().read_blocking(move |store| {
            require_family(store, &family)?;
            let mut tokens = store.tokens(&family)?;
            tokens.rows.retain(|token| token.grant_id.is_none());
            Ok(tokens)
        })
    }

    /// Revokes the token with this id, even a damaged one.
    pub fn revoke_token(&self, family: &FamilyId, id: &str) -> Result<(), Failure> {
        let (family, id) = (family.clone(), id.to_owned());
        self.store().write_blocking(move |store| {
            let digests = store.token_digests(&family)?;
            let digest = digests.iter().find(|digest| token_id(digest) == id);
            let digest = digest.ok_or_else(|| {
                not_found("token", "`dibber family token --list` lists the tokens")
            })?;
            Ok(store.remove_token(&family, digest)?)
        })
    }

    /// Revokes every token of a grown-up, signs them out of every browser, and ends everything that they have
    /// allowed clients; returns how many tokens there were.
    pub fn revoke_tokens(&self, family: &FamilyId, user_id: &UserId) -> Result<usize, Failure> {
        let (family, user_id) = (family.clone(), user_id.clone());
        self.store().write_blocking(move |store| {
            require_user(store, &family, &user_id)?;
            for kind in CredentialKind::all() {
                store.remove_credentials(&family, &user_id, kind)?;
            }
            for grant in store.grants(&family)?.rows {
                if grant.user_id == user_id {
                    store.remove_grant(&family, &grant.id)?;
                }
            }
            Ok(store.remove_tokens(&family, &user_id)?)
        })
    }

    /// Returns who calls with a token, if the token is known and has not expired.
    pub fn caller_of_token(&self, token: &str) -> Result<Option<Caller>, Failure> {
        let digest = digest(token);
        let token = self.store().read_blocking(move |store| store.token(&digest))?;
        Ok(token.filter(|token| self.is_current(token)).map(Caller::from))
    }

    /// Does the same as [`caller_of_token`](Self::caller_of_token), for an asynchronous task.
    pub(crate) async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Failure> {
        let digest = digest(token);
        let token = self.store().read(move |store| store.token(&digest)).await?;
        let Some(token) = token.filter(|token| self.is_current(token)) else { return Ok(None) };
        self.record_use(&token);
        Ok(Some(token.into()))
    }

    /// Returns `true` if a token has not expired, and is for this server.
    fn is_current(&self, token: &Token) -> bool {
        let issuer = self.authorization.as_ref().map(|own| own.issuer.as_str());
        token.expires_at.is_none_or(|at| at > self.now().as_millisecond())
            && token.audience.as_deref().is_none_or(|audience| issuer == Some(audience))
    }

    /// Records that a token is used, without waiting for it, and not at every call.
    fn record_use(&self, token: &Token) {
        let now = self.now().as_millisecond();
        if token.used_at.is_some_and(|at| now - at < USE_RECORDED_AFTER) {
            return;
        }
        let digest = token.digest.clone();
        let record = move |store: &dyn Writer| store.set_token_used(&digest, now);
        // A call succeeds also if this does not: the disk may be full.
        self.store().write_then(record, |_: Result<(), StoreError>| ());
    }

    /// Returns the user who founded a family, who may do everything there.
    pub fn owner_of(&self, family: &FamilyId) -> Result<Caller, Failure> {
        let family = family.clone();
        self.store().read_blocking(move |store| {
            let users = store.user_ids(&family)?;
            let user_id = users.into_iter().next().ok_or_else(no_such_family)?;
            Ok(Caller {
                family,
                user_id,
                scopes: Scope::all(),
                token_expires_at: None,
                grant_id: None,
            })
        })
    }
}

impl From<Token> for Caller {
    fn from(token: Token) -> Self {
        let Token { family, user_id, scopes, expires_at, grant_id, .. } = token;
        let token_expires_at = expires_at.and_then(|at| Timestamp::from_millisecond(at).ok());
        Self { family, user_id, scopes, token_expires_at, grant_id }
    }
}
