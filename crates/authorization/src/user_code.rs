//! The codes that people type to connect a device (RFC 8628, section 6.1).

use std::fmt;

/// The letters of a code: no vowels, so that no words come about, and no two that look alike.
const LETTERS: &[u8; 20] = b"BCDFGHJKLMNPQRSTVWXZ";
/// The letters of a code, which are shown in two groups: 25,600,000,000 codes.
const CODE_LETTERS: usize = 8;

/// A code that a person types: eight letters, shown as `BCDF-GHJK`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UserCode(String);

impl UserCode {
    /// The random bytes that a code is made of at most.
    pub const RANDOM_BYTES: usize = 32;

    /// Returns a code of random bytes. Bytes of 240 and more are left out, so that each letter is as likely
    /// as the others; none if too few are left, which is less likely than guessing a token.
    pub fn from_random(bytes: &[u8; Self::RANDOM_BYTES]) -> Option<Self> {
        let letters = bytes.iter().filter(|byte| **byte < 240);
        let code: String = letters
            .take(CODE_LETTERS)
            .map(|byte| char::from(LETTERS[usize::from(byte % 20)]))
            .collect();
        (code.len() == CODE_LETTERS).then_some(Self(code))
    }

    /// Parses what a person typed, in any case, with or without the line between the groups.
    pub fn parse(text: &str) -> Option<Self> {
        let letters =
            text.chars().filter(|letter| !matches!(letter, '-' | ' ' | '\t' | '\u{2013}'));
        let code: String =
            letters.take(CODE_LETTERS + 1).map(|letter| letter.to_ascii_uppercase()).collect();
        let is_code =
            code.len() == CODE_LETTERS && code.bytes().all(|byte| LETTERS.contains(&byte));
        is_code.then_some(Self(code))
    }

    /// Returns the letters alone.
    pub fn letters(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.0.split_at(CODE_LETTERS / 2);
        write!(f, "{first}-{second}")
    }
}
