//! Idempotency keys.

use std::fmt;

use serde::{Deserialize, Serialize};

use dibber_skill::contract::IDEMPOTENCY_KEY_CHARACTERS_MAX;

/// The key of a call that takes effect once. A new one is a UUID of version 4 (RFC 9562).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Creates a random key.
    ///
    /// # Panics
    /// When the operating system has no random bytes.
    pub fn new() -> Self {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system has random bytes");
        Self(uuid::Builder::from_random_bytes(bytes).into_uuid().to_string())
    }

    /// Parses a key: 1 to [`IDEMPOTENCY_KEY_CHARACTERS_MAX`] visible ASCII characters.
    pub fn parse(text: &str) -> Option<Self> {
        let is_visible = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_key = is_visible && text.len() <= IDEMPOTENCY_KEY_CHARACTERS_MAX;
        is_key.then(|| Self(text.to_owned()))
    }

    /// Returns the key as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for IdempotencyKey {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not an idempotency key")
    }
}

impl From<IdempotencyKey> for String {
    fn from(key: IdempotencyKey) -> Self {
        key.0
    }
}

impl Default for IdempotencyKey {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
