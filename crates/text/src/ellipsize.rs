//! How much of an untrusted string a message quotes.

use std::borrow::Cow;

/// The most characters of a quoted string.
const CHARACTERS_MAX: usize = 60;
/// The most characters that are quoted of a string that begins with a longer word.
const WORD_CHARACTERS_MAX: usize = 12;

/// Cuts a string that is too long for a message between words, and ends it with `…`: half of a name
/// or of a secret would not be recognized where it is masked later.
pub(crate) fn ellipsize_words(text: &str) -> Cow<'_, str> {
    let Some(end) = end_of_quotation(text) else { return Cow::Borrowed(text) };
    let start = match text[..end].rfind(char::is_whitespace) {
        Some(space) => text[..space].trim_end(),
        None => beginning_of_word(text),
    };
    Cow::Owned(format!("{start}…"))
}

/// Returns the beginning of a long word, up to one of its punctuation marks.
fn beginning_of_word(text: &str) -> &str {
    let marks = text.char_indices().take(WORD_CHARACTERS_MAX).filter(|(_, c)| !c.is_alphanumeric());
    marks.last().map_or("", |(at, mark)| &text[..at + mark.len_utf8()])
}

/// Cuts a string that is masked already, wherever the limit is.
pub(crate) fn ellipsize_masked(text: &str) -> Cow<'_, str> {
    match end_of_quotation(text) {
        None => Cow::Borrowed(text),
        Some(end) => Cow::Owned(format!("{}…", &text[..end])),
    }
}

/// Returns where a string is cut, if it is too long.
fn end_of_quotation(text: &str) -> Option<usize> {
    text.char_indices().nth(CHARACTERS_MAX)?;
    text.char_indices().nth(CHARACTERS_MAX - 1).map(|(end, _)| end)
}

#[cfg(test)]
mod tests {
    use super::{ellipsize_masked, ellipsize_words};

    #[test]
    fn cuts_between_words() {
        let long = "word ".repeat(20);
        assert_eq!(ellipsize_words(&long), format!("{}…", "word ".repeat(11).trim_end()));
        assert_eq!(ellipsize_words(&format!("{} Zebulonx", "w".repeat(54))), "w".repeat(54) + "…");
        assert_eq!(ellipsize_words(&"x".repeat(61)), "…");
        assert_eq!(ellipsize_words(&format!("a-b_{}", "x".repeat(61))), "a-b_…");
        assert_eq!(ellipsize_words(&"x".repeat(60)), "x".repeat(60));
        assert_eq!(ellipsize_masked(&"x".repeat(61)), "x".repeat(59) + "…");
    }
}
