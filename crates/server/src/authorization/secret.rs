//! Secrets that are stored as digests: codes, links, sessions and tokens.

use std::fmt;

use dibber_text::hex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::id;
use crate::store::{Credential, StoreError, StoreResult};

/// A secret of 256 random bits. It is not displayed.
pub(super) struct Secret(String);

impl Secret {
    /// Returns a new secret.
    pub(super) fn new() -> Self {
        Self(id::token())
    }

    /// Returns its digest, which is stored.
    pub(super) fn digest(&self) -> String {
        digest(&self.0)
    }

    /// Returns the secret, to be sent.
    pub(super) fn into_text(self) -> String {
        self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

/// Returns the digest of a secret: SHA-256, hexadecimal. It needs no salt: a secret cannot be guessed.
pub(crate) fn digest(secret: &str) -> String {
    hex(Sha256::digest(secret))
}

/// Returns what a credential has beside its kind, its user and its grant.
pub(super) fn value_of<T: DeserializeOwned>(credential: &Credential) -> StoreResult<T> {
    T::deserialize(&credential.value).map_err(|_| StoreError::Damaged)
}

/// Returns the value of a credential as it is stored.
pub(super) fn stored<T: Serialize>(value: &T) -> StoreResult<serde_json::Value> {
    serde_json::to_value(value).map_err(StoreError::new)
}
