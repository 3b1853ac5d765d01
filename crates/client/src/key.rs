//! Idempotency keys.

use std::fmt;

use serde::{Deserialize, Serialize};

use dibber_skill::contract::IDEMPOTENCY_KEY_CHARACTERS_MAX;

/// The key of one thing that is to be done once: a UUID of version 4 (RFC 9562).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(String);

impl Key {
    /// Makes a new key.
    ///
    /// # Panics
    /// When the system has no random bytes.
    pub fn new() -> Self {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system has random bytes");
        Self(uuid::Builder::from_random_bytes(bytes).into_uuid().to_string())
    }

    /// A key that was made before, or by somebody else; none when it is not 1 to
    /// [`IDEMPOTENCY_KEY_CHARACTERS_MAX`] visible ASCII characters.
    pub fn parse(text: &str) -> Option<Self> {
        let is_visible = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_key = is_visible && text.len() <= IDEMPOTENCY_KEY_CHARACTERS_MAX;
        is_key.then(|| Self(text.to_owned()))
    }

    /// The key as it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Key {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("not an idempotency key")
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.0
    }
}

impl Default for Key {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
