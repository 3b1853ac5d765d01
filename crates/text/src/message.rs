//! Messages that quote untrusted text.
//!
//! A name or a secret has to be found before the text around it is shortened, and what must be
//! masked is only known where a message is shown. So a message keeps what it quotes in full, and
//! is masked, shortened and escaped once, by [`Message::shown`].

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::path::Path;

use super::quote::{Extent, Quote, quote, quote_in_full};
use super::shell_word::shell_word;
use super::span::Span;
use super::untrusted::{Mask, Shown};

/// The most bytes that a message keeps of a string of which it shows the beginning. It is more
/// than the longest key or token has, so that the beginning of one is still recognized.
const QUOTE_BYTES_MAX: usize = 32 << 10;

/// What precedes the further lines of a string that is quoted with its lines indented.
const QUOTE_INDENT: &str = "    ";

/// What is wrong, or what to do about it: fixed text, numbers, and quoted untrusted strings.
///
/// Created by [`message!`](macro@crate::message), or from fixed text. It has no `Display` on purpose:
/// [`Message::shown`] asks for the mask.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Message {
    pub(super) text: String,
    pub(super) quotes: Vec<QuoteSpan>,
}

/// The place of a quote in the text of a message.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct QuoteSpan {
    pub(super) span: Span,
    extent: Extent,
    origin: Option<Box<str>>,
}

/// Quotes all of what a value displays, on one line: an error of the system, or an id.
pub fn quote_display(value: impl fmt::Display) -> Message {
    quote_in_full(&value.to_string()).into()
}

/// Quotes all of a path.
pub fn quote_path(path: &Path) -> Message {
    quote_in_full(&path.to_string_lossy()).into()
}

/// A part of a message. There is no conversion from a string that is not fixed: it has to be
/// quoted.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// Text of the program itself.
    Fixed(&'static str),
    /// A number.
    Number(u128),
    /// An untrusted character.
    Character(char),
    /// An untrusted string.
    Quote(Quote<'a>),
    /// Another message.
    Message(Message),
}

/// Creates a [`Message`] of its parts: fixed text, numbers, quotes and other messages.
///
/// ```
/// use dibber_text::{message, quote};
///
/// let message = message!["`", quote("fly"), "` is not a hand; the maximum is ", 20_u32];
/// assert_eq!(message.shown(&()).to_string(), "`fly` is not a hand; the maximum is 20");
/// ```
///
/// An untrusted string that is not quoted does not compile:
///
/// ```compile_fail
/// let hand = String::from("fly");
/// dibber_text::message!["`", hand.as_str(), "` is not a hand"];
/// ```
#[macro_export]
macro_rules! message {
    [$($part:expr),+ $(,)?] => {
        $crate::Message::with(|message| {
            $(message.push($part);)+
        })
    };
}

impl Message {
    /// Creates a message of what `push_parts` adds to it.
    pub fn with(push_parts: impl FnOnce(&mut Self)) -> Self {
        let mut message = Self::default();
        push_parts(&mut message);
        message
    }

    /// Adds a part at the end.
    pub fn push<'a>(&mut self, part: impl Into<Part<'a>>) {
        match part.into() {
            Part::Fixed(text) => self.text.push_str(text),
            Part::Number(number) => {
                write!(self.text, "{number}").expect("writing to a string does not fail");
            }
            Part::Character(c) => self.push_quote(quote(c.encode_utf8(&mut [0; 4]))),
            Part::Quote(quote) => self.push_quote(quote),
            Part::Message(message) => {
                let offset = self.text.len();
                self.text.push_str(&message.text);
                let quotes = message.quotes.into_iter();
                self.quotes.extend(
                    quotes.map(|quote| QuoteSpan { span: quote.span.shift(offset), ..quote }),
                );
            }
        }
    }

    fn push_quote(&mut self, Quote { text, extent, origin, is_argument }: Quote<'_>) {
        let text = if is_argument { shell_word(text) } else { text.into() };
        let length = match extent {
            Extent::Beginning => text.floor_char_boundary(QUOTE_BYTES_MAX),
            Extent::Whole | Extent::Lines | Extent::IndentedLines => text.len(),
        };
        let start = self.text.len();
        self.text.push_str(&text[..length]);
        let span = Span::new(start, start + length);
        self.quotes.push(QuoteSpan { span, extent, origin: origin.map(Box::from) });
    }

    /// Joins parts with a fixed text between them.
    pub fn join<'a, P: Into<Part<'a>>>(
        parts: impl IntoIterator<Item = P>,
        separator: &'static str,
    ) -> Self {
        let mut joined = Self::default();
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                joined.push(separator);
            }
            joined.push(part);
        }
        joined
    }

    /// Returns `true` if it has no text.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns what it quotes, in full and in order. It must not be shown.
    pub fn quotes(&self) -> impl Iterator<Item = &str> {
        self.quotes.iter().map(|quote| &self.text[quote.span.range()])
    }

    /// Returns `true` if `mask` changes something in it.
    pub fn is_masked_by(&self, mask: &dyn Mask) -> bool {
        let is_masked = |text: &str| mask.mask(text) != text;
        let quotes = self.quotes.iter();
        self.quotes().any(is_masked)
            || quotes.filter_map(|quote| quote.origin.as_deref()).any(is_masked)
    }

    /// Returns the message as it may be shown: each quote masked in full, then shortened, then
    /// escaped.
    pub const fn shown<'a>(&'a self, mask: &'a dyn Mask) -> ShownMessage<'a> {
        ShownMessage { message: self, mask, indent: QUOTE_INDENT }
    }
}

/// A message whose quotes are masked, shortened and escaped.
#[derive(Clone, Copy)]
pub struct ShownMessage<'a> {
    message: &'a Message,
    mask: &'a dyn Mask,
    /// What precedes the further lines of a quote.
    indent: &'static str,
}

impl ShownMessage<'_> {
    /// Returns the same without the indentation of further lines, for JSON.
    #[must_use]
    pub const fn without_indent(self) -> Self {
        Self { indent: "", ..self }
    }
}

impl fmt::Display for ShownMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.message.text;
        let mut end = 0;
        for QuoteSpan { span, extent, origin } in &self.message.quotes {
            f.write_str(&text[end..span.start])?;
            let masks_origin = |origin: &str| self.mask.mask(origin) != origin;
            let mask: &dyn Mask =
                if origin.as_deref().is_some_and(masks_origin) { &MaskAll } else { self.mask };
            let shown = Shown::new(&text[span.range()], mask);
            match extent {
                Extent::Beginning => write!(f, "{shown}")?,
                Extent::Whole => write!(f, "{}", shown.in_full())?,
                Extent::Lines => write!(f, "{}", shown.multiline())?,
                Extent::IndentedLines => {
                    let lines = shown.multiline().to_string();
                    for (index, line) in lines.split('\n').enumerate() {
                        let is_indented = index > 0 && !line.is_empty();
                        f.write_str(if index > 0 { "\n" } else { "" })?;
                        f.write_str(if is_indented { self.indent } else { "" })?;
                        f.write_str(line)?;
                    }
                }
            }
            end = span.end;
        }
        f.write_str(&text[end..])
    }
}

/// Masks every character.
struct MaskAll;

impl Mask for MaskAll {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Owned("*".repeat(text.chars().count()))
    }

    fn is_final(&self) -> bool {
        true
    }
}

/// Shows the message without a mask, for the messages of failed tests.
impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.shown(&()).to_string())
    }
}

impl From<&'static str> for Message {
    fn from(text: &'static str) -> Self {
        message![text]
    }
}

impl From<Quote<'_>> for Message {
    fn from(quote: Quote<'_>) -> Self {
        message![quote]
    }
}

impl From<&'static str> for Part<'_> {
    fn from(text: &'static str) -> Self {
        Part::Fixed(text)
    }
}

impl From<&&'static str> for Part<'_> {
    fn from(text: &&'static str) -> Self {
        Part::Fixed(text)
    }
}

impl<'a> From<Quote<'a>> for Part<'a> {
    fn from(quote: Quote<'a>) -> Self {
        Part::Quote(quote)
    }
}

impl From<Message> for Part<'_> {
    fn from(message: Message) -> Self {
        Part::Message(message)
    }
}

impl From<char> for Part<'_> {
    fn from(c: char) -> Self {
        Part::Character(c)
    }
}

impl From<u8> for Part<'_> {
    fn from(number: u8) -> Self {
        Part::Number(number.into())
    }
}

impl From<u32> for Part<'_> {
    fn from(number: u32) -> Self {
        Part::Number(number.into())
    }
}

impl From<u64> for Part<'_> {
    fn from(number: u64) -> Self {
        Part::Number(number.into())
    }
}

impl From<u128> for Part<'_> {
    fn from(number: u128) -> Self {
        Part::Number(number)
    }
}

impl From<usize> for Part<'_> {
    fn from(number: usize) -> Self {
        Part::Number(number as u128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quote::{quote_indented, quote_lines};
    use crate::untrusted::tests::MaskString;

    #[test]
    fn masks_a_quote_before_it_is_cut() {
        let hand = "w".repeat(53) + "Zebulonx";
        let message = message!["`", quote(&hand), "` is not a hand; the maximum is ", 20_usize];
        let masked = "w".repeat(53) + "******…";
        let expected = format!("`{masked}` is not a hand; the maximum is 20");
        assert_eq!(message.shown(&MaskString("Zebulonx")).to_string(), expected);
    }

    #[test]
    fn shows_a_quote_in_full() {
        let path = "w".repeat(80);
        assert_eq!(message![quote_in_full(&path)].shown(&()).to_string(), path);
    }

    #[test]
    fn shows_the_lines_of_a_quote() {
        let message =
            message![quote_lines("a\tEmma\n\u{7}"), quote_display(format_args!("Emma\n"))];
        assert_eq!(message.shown(&MaskString("Emma")).to_string(), "a\t****\n\\u{7}****\\n");
    }

    #[test]
    fn indents_further_lines_of_a_quote() {
        let message = message!["failed: ", quote_indented("a\nhelp: b\r\nc")];
        assert_eq!(message.shown(&()).to_string(), "failed: a\n    help: b\\r\n    c");
        let in_json = message.shown(&()).without_indent().to_string();
        assert_eq!(in_json, "failed: a\nhelp: b\\r\nc");
    }

    #[test]
    fn masks_what_is_derived_from_something_masked() {
        let message = message!["write `", quote("zoe-plan").derived_from("Zoë plan"), "`"];
        assert_eq!(message.shown(&MaskString("Zoë")).to_string(), "write `********`");
        assert!(message.is_masked_by(&MaskString("Zoë")));
        assert_eq!(message.shown(&MaskString("Ann")).to_string(), "write `zoe-plan`");
        assert!(!message.is_masked_by(&MaskString("Ann")));
    }

    #[test]
    fn leaves_fixed_text_and_escapes_quotes() {
        let message = message!["Emma: ", quote("Emma\u{202E}\n"), '\u{7}'];
        assert_eq!(message.shown(&MaskString("Emma")).to_string(), "Emma: ****\\u{202e}\\n\\u{7}");
    }

    #[test]
    fn keeps_the_quotes_of_a_nested_message() {
        let names = Message::join(["Emma", "Noah"].map(quote), ", ");
        let message = message!["the names ", names, " and ", quote("Emma")];
        assert_eq!(message.shown(&MaskString("Emma")).to_string(), "the names ****, Noah and ****");
        assert_eq!(message.quotes().collect::<Vec<_>>(), ["Emma", "Noah", "Emma"]);
    }

    #[test]
    fn a_whole_quotation_of_the_longest_secret_is_kept() {
        let text = "é".repeat(QUOTE_BYTES_MAX);
        let message = message![quote(&text)];
        assert_eq!(message.quotes().next().map(str::len), Some(QUOTE_BYTES_MAX));
    }
}
