//! Strings that are not shown as they are.

use std::borrow::Cow;
use std::fmt;

use super::ellipsize::{ellipsize_masked, ellipsize_words};
use super::escape::{escape, escape_line};

/// What is shown in place of a secret.
pub const MASKED: &str = "****";

/// Masks what must never be shown, such as a child's name or a secret.
pub trait Mask {
    /// Returns the text with every character of what must not be shown replaced.
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str>;

    /// Returns `true` if nothing that it leaves is masked later. Otherwise a string that is too long
    /// is cut between words, since half of a name or of a secret would not be recognized later.
    fn is_final(&self) -> bool {
        false
    }
}

/// Masks nothing: for text that is masked as a whole before it is shown.
impl Mask for () {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(text)
    }
}

/// Returns the character that masks another one and has the same number of bytes: `*`, or a dot.
pub const fn same_size_mask(c: char) -> char {
    match c.len_utf8() {
        1 => '*',
        2 => '\u{B7}',
        3 => '\u{2022}',
        _ => '\u{1F784}',
    }
}

/// An untrusted string as it may be shown: `Display` masks, shortens and escapes it, in this
/// order.
///
/// Masking comes first, since a name that is cut in half would no longer be found. Escaping
/// comes last, since a cut through `\u{202e}` would leave half of an escape.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    text: &'a str,
    mask: &'a dyn Mask,
    form: Form,
}

/// How much of an untrusted string is shown.
#[derive(Clone, Copy)]
enum Form {
    /// Its beginning, on one line.
    Quoted,
    /// All of it, on one line.
    Line,
    /// All of it, with its line breaks and tabs.
    Lines,
}

impl<'a> Shown<'a> {
    /// Returns what may be shown of a string: masked, short, and on one line.
    pub const fn new(text: &'a str, mask: &'a dyn Mask) -> Self {
        Self { text, mask, form: Form::Quoted }
    }

    /// Returns the first words of a string, for text that is masked as a whole where it is shown,
    /// such as the messages of a server, which does not know the names that its clients mask.
    pub const fn to_be_masked(text: &'a str) -> Self {
        Self::new(text, &())
    }

    /// Shows all of the string on one line, however long it is.
    #[must_use]
    pub const fn in_full(self) -> Self {
        Self { form: Form::Line, ..self }
    }

    /// Shows all of the string with its line breaks and tabs.
    #[must_use]
    pub const fn multiline(self) -> Self {
        Self { form: Form::Lines, ..self }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let masked = self.mask.mask(self.text);
        // `pad` instead of `write_str`, so that `{:>10}` aligns.
        match self.form {
            Form::Quoted if self.mask.is_final() => f.pad(&escape_line(&ellipsize_masked(&masked))),
            Form::Quoted => f.pad(&escape_line(&ellipsize_words(&masked))),
            Form::Line => f.pad(&escape_line(&masked)),
            Form::Lines => f.pad(&escape(&masked)),
        }
    }
}

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Masks one string.
    pub(crate) struct MaskString(pub(crate) &'static str);

    impl Mask for MaskString {
        fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
            Cow::Owned(text.replace(self.0, &"*".repeat(self.0.chars().count())))
        }

        fn is_final(&self) -> bool {
            true
        }
    }

    #[test]
    fn masks_before_it_shortens_and_escapes_last() {
        let text = format!("{}Zebulonka\u{202E}\n", "a".repeat(53));
        let mask = MaskString("Zebulonka");
        let start = "a".repeat(53);
        assert_eq!(Shown::new(&text, &mask).to_string(), format!("{start}******…"));
        let line = format!("{start}*********\\u{{202e}}\\n");
        assert_eq!(Shown::new(&text, &mask).in_full().to_string(), line);
        let lines = format!("{start}*********\\u{{202e}}\n");
        assert_eq!(Shown::new(&text, &mask).multiline().to_string(), lines);
    }

    #[test]
    fn cuts_between_words_what_is_masked_later() {
        let text = format!("{} Zebulonka", "a".repeat(53));
        let start = "a".repeat(53);
        assert_eq!(Shown::new(&text, &()).to_string(), format!("{start}…"));
        assert_eq!(Shown::to_be_masked(&text).to_string(), format!("{start}…"));
    }

    #[test]
    fn aligns_like_a_string() {
        assert_eq!(format!("[{:>4}]", Shown::new("a\t", &())), "[ a\\t]");
    }
}
