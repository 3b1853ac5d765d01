//! A sign-in that is in use: its token, which is renewed before it expires.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use super::super::address::Address;
use super::super::certificate_authority::CertificateAuthority;
use super::super::token::Token;
use super::error::SignInError;
use super::store::SignInStore;
use super::stored::StoredSignIn;
use super::web::Web;

/// How long before its end a token is renewed, in seconds.
const RENEWED_BEFORE: i64 = 30;

/// A sign-in to a server.
pub struct SignedIn {
    server: Address,
    store: SignInStore,
    web: Web,
    clock: fn() -> Timestamp,
    current: Mutex<StoredSignIn>,
    /// Held while the token is renewed by this process.
    renewing: tokio::sync::Mutex<()>,
}

impl SignedIn {
    /// Returns the sign-in to a server, if there is one.
    ///
    /// # Errors
    /// If its file cannot be read.
    pub fn load(
        store: SignInStore,
        server: &Address,
        authority: Option<CertificateAuthority>,
        timeout: Duration,
        clock: fn() -> Timestamp,
    ) -> Result<Option<Self>, SignInError> {
        let Some(stored) = store.get(server)? else { return Ok(None) };
        Ok(Some(Self {
            server: server.clone(),
            store,
            web: Web { authority, timeout },
            clock,
            current: Mutex::new(stored),
            renewing: tokio::sync::Mutex::default(),
        }))
    }

    /// Returns the sign-in as it is now.
    pub fn current(&self) -> StoredSignIn {
        self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns a token that does not expire within half a minute.
    pub(crate) async fn token(&self) -> Result<Token, SignInError> {
        let current = self.current();
        if !self.is_fresh(&current) && current.is_renewable() {
            self.renew(|stored| self.is_fresh(stored)).await?;
        }
        self.current().token().ok_or(SignInError::Ended)
    }

    /// Returns another token than the one that the server refuses: what it permits may be less by now.
    pub(crate) async fn token_after(&self, refused: &Token) -> Result<Token, SignInError> {
        self.renew(|stored| stored.token().as_ref() != Some(refused)).await?;
        self.current().token().ok_or(SignInError::Ended)
    }

    fn is_fresh(&self, stored: &StoredSignIn) -> bool {
        stored.tokens.are_valid_for(RENEWED_BEFORE, (self.clock)())
    }

    /// Renews the token, unless this or another process has done it already: a token that gets others
    /// works once, and its second use ends the sign-in.
    async fn renew(&self, is_done: impl Fn(&StoredSignIn) -> bool) -> Result<(), SignInError> {
        let _renewing = self.renewing.lock().await;
        if is_done(&self.current()) {
            return Ok(());
        }
        let (store, server) = (self.store.clone(), self.server.clone());
        let locked = tokio::task::spawn_blocking(move || store.lock(&server)).await;
        let _lock = locked.map_err(|_| SignInError::Ended)??;
        let mut stored = self.store.get(&self.server)?.ok_or(SignInError::Ended)?;
        if !is_done(&stored) {
            stored.renew(&self.web, (self.clock)()).await?;
            self.store.write(&self.server, &stored)?;
        }
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = stored;
        Ok(())
    }
}

impl fmt::Debug for SignedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedIn").field("current", &self.current()).finish_non_exhaustive()
    }
}
