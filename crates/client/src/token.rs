//! The token that a server requires.

use std::fmt;

use dibber_text::MASKED;

/// A bearer token, which is masked when it is formatted.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Parses a token: visible ASCII characters, with white space only around them.
    pub fn parse(text: &str) -> Option<Self> {
        let token = text.trim();
        let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        is_token.then(|| Self(token.to_owned()))
    }

    /// Returns the token itself, for the header of a request alone.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASKED)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASKED)
    }
}
