//! How much of an untrusted text a sentence quotes.

use std::borrow::Cow;

/// The most characters of a quoted text.
const SHOWN_CHARACTERS_MAX: usize = 60;

/// Cuts a text that is too long for a sentence, and puts `…` where it was cut.
pub fn shorten(text: &str) -> Cow<'_, str> {
    if text.chars().nth(SHOWN_CHARACTERS_MAX).is_none() {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().take(SHOWN_CHARACTERS_MAX - 1).collect();
    Cow::Owned(kept + "…")
}
