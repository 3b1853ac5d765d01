//! What a server asks for before it answers.

use std::fmt;

/// A bearer token. It never shows itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Takes a token out of a text, without the space around it.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
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
