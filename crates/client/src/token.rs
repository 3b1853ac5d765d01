//! What a server asks for before it answers.

use std::fmt;

/// A bearer token. It never shows itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Takes a token out of a text, without the space around it; none when what is left is not
    /// one line of visible ASCII characters.
    pub fn parse(text: &str) -> Option<Self> {
        let token = text.trim();
        let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        is_token.then(|| Self(token.to_owned()))
    }

    /// The token itself, for the header of a request alone.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("****")
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("****")
    }
}
