//! How much of an untrusted string a message quotes.

use std::borrow::Cow;

/// The most characters of a quoted string.
const CHARACTERS_MAX: usize = 60;

/// Cuts a string that is too long for a message, and ends it with `…`.
pub fn ellipsize(text: &str) -> Cow<'_, str> {
    if text.chars().nth(CHARACTERS_MAX).is_none() {
        return Cow::Borrowed(text);
    }
    let start: String = text.chars().take(CHARACTERS_MAX - 1).collect();
    Cow::Owned(start + "…")
}
