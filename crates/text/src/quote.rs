//! Untrusted strings, as messages quote them.

/// How much of a quote is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Extent {
    Beginning,
    Whole,
    Lines,
    IndentedLines,
}

/// An untrusted string in a message.
#[derive(Clone, Copy, Debug)]
pub struct Quote<'a> {
    pub(super) text: &'a str,
    pub(super) extent: Extent,
    pub(super) origin: Option<&'a str>,
    pub(super) is_argument: bool,
}

/// Quotes the beginning of an untrusted string.
pub const fn quote(text: &str) -> Quote<'_> {
    Quote { text, extent: Extent::Beginning, origin: None, is_argument: false }
}

/// Quotes all of an untrusted string, for a path or a correction that is of no use in parts.
pub const fn quote_in_full(text: &str) -> Quote<'_> {
    Quote { text, extent: Extent::Whole, origin: None, is_argument: false }
}

/// Quotes all of an untrusted string with its line breaks and tabs, for what is shown line by line.
pub const fn quote_lines(text: &str) -> Quote<'_> {
    Quote { text, extent: Extent::Lines, origin: None, is_argument: false }
}

/// Quotes all of an untrusted string with its line breaks and tabs, and with further lines indented: none
/// of them can be taken for a line of this program, such as its help.
pub const fn quote_indented(text: &str) -> Quote<'_> {
    Quote { text, extent: Extent::IndentedLines, origin: None, is_argument: false }
}

/// Quotes all of an untrusted string as one argument of a suggested command, such as a path with a
/// space.
pub const fn quote_argument(text: &str) -> Quote<'_> {
    Quote { is_argument: true, ..quote_in_full(text) }
}

impl<'a> Quote<'a> {
    /// Masks all of the string if anything in `origin` is masked, from which it was derived: a
    /// correction may spell a name or a secret in another way, in which it is not recognized.
    #[must_use]
    pub const fn derived_from(self, origin: &'a str) -> Self {
        Self { origin: Some(origin), ..self }
    }
}
