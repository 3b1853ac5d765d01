//! Messages that quote untrusted text.
//!
//! A name or a secret has to be found before the text around it is shortened, and what must be
//! hidden is only known where a message is shown. So a message keeps what it quotes in full, and
//! is masked, shortened and escaped once, by [`Message::shown`].

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::span::Span;
use super::untrusted::{Mask, Shown};

/// The most bytes that a message keeps of a string of which it shows the beginning. It is more
/// than the longest key or token has, so that the beginning of one is still recognized.
const QUOTE_BYTES_MAX: usize = 32 << 10;

/// What is wrong, or what to do about it: fixed text, numbers, and quoted untrusted strings.
///
/// Created by [`message!`](crate::message), or from fixed text. It has no `Display` on purpose:
/// [`Message::shown`] asks for what is to be hidden.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Message {
    text: String,
    quotes: Vec<QuoteSpan>,
}

/// The place of a quote in the text of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct QuoteSpan {
    span: Span,
    extent: Extent,
}

/// How much of a quote is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Extent {
    Beginning,
    Whole,
}

/// An untrusted string in a message.
#[derive(Clone, Debug)]
pub struct Quote<'a> {
    text: Cow<'a, str>,
    extent: Extent,
}

/// Quotes the beginning of an untrusted string.
pub fn quote<'a>(text: impl Into<Cow<'a, str>>) -> Quote<'a> {
    Quote { text: text.into(), extent: Extent::Beginning }
}

/// Quotes all of an untrusted string, for a path or a correction that is of no use in parts.
pub fn quote_in_full<'a>(text: impl Into<Cow<'a, str>>) -> Quote<'a> {
    Quote { text: text.into(), extent: Extent::Whole }
}

/// A part of a message. There is no conversion from a string that is not fixed: it has to be
/// quoted.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// Text of the program itself.
    Fixed(&'static str),
    /// A number.
    Number(i128),
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
/// let message = message!["`", quote("fly"), "` is not a hand; the maximum is ", 20];
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
    [$($part:expr),+ $(,)?] => {{
        let mut message = $crate::Message::default();
        $(message.push($part);)+
        message
    }};
}

impl Message {
    /// Adds a part at the end.
    pub fn push<'a>(&mut self, part: impl Into<Part<'a>>) {
        let offset = self.text.len();
        match part.into() {
            Part::Fixed(text) => self.text.push_str(text),
            Part::Number(number) => {
                write!(self.text, "{number}").expect("writing to a string does not fail");
            }
            Part::Quote(Quote { text, extent }) => {
                let end = match extent {
                    Extent::Beginning => text.floor_char_boundary(QUOTE_BYTES_MAX),
                    Extent::Whole => text.len(),
                };
                self.text.push_str(&text[..end]);
                self.quotes.push(QuoteSpan { span: Span::new(offset, offset + end), extent });
            }
            Part::Message(message) => {
                self.text.push_str(&message.text);
                let quotes = message.quotes.into_iter();
                self.quotes.extend(
                    quotes.map(|quote| QuoteSpan { span: quote.span.shift(offset), ..quote }),
                );
            }
        }
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

    /// Returns the message as it may be shown: each quote masked in full, then shortened, then
    /// escaped.
    pub const fn shown<'a>(&'a self, mask: &'a dyn Mask) -> ShownMessage<'a> {
        ShownMessage { message: self, mask }
    }
}

/// A message whose quotes are masked, shortened and escaped.
#[derive(Clone, Copy)]
pub struct ShownMessage<'a> {
    message: &'a Message,
    mask: &'a dyn Mask,
}

impl fmt::Display for ShownMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.message.text;
        let mut end = 0;
        for &QuoteSpan { span, extent } in &self.message.quotes {
            f.write_str(&text[end..span.start])?;
            let shown = Shown::new(&text[span.range()], self.mask);
            match extent {
                Extent::Beginning => write!(f, "{shown}")?,
                Extent::Whole => write!(f, "{}", shown.in_full())?,
            }
            end = span.end;
        }
        f.write_str(&text[end..])
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

impl From<&'static str> for Part<'_> {
    fn from(text: &'static str) -> Self {
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

/// A character is untrusted text, too: it may be a control character.
impl From<char> for Part<'_> {
    fn from(c: char) -> Self {
        Part::Quote(quote(c.to_string()))
    }
}

impl From<i32> for Part<'_> {
    fn from(number: i32) -> Self {
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

impl From<usize> for Part<'_> {
    fn from(number: usize) -> Self {
        Part::Number(number as i128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Hide(&'static str);

    impl Mask for Hide {
        fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
            Cow::Owned(text.replace(self.0, &"*".repeat(self.0.chars().count())))
        }
    }

    #[test]
    fn masks_a_quote_before_it_is_cut() {
        let hand = "w".repeat(53) + "Zebulonx";
        let message = message!["`", quote(&hand), "` is not a hand; the maximum is ", 20_usize];
        let masked = "w".repeat(53) + "******…";
        let expected = format!("`{masked}` is not a hand; the maximum is 20");
        assert_eq!(message.shown(&Hide("Zebulonx")).to_string(), expected);
    }

    #[test]
    fn shows_a_quote_in_full() {
        let path = "w".repeat(80);
        assert_eq!(message![quote_in_full(&path)].shown(&()).to_string(), path);
    }

    #[test]
    fn leaves_fixed_text_and_escapes_quotes() {
        let message = message!["Emma: ", quote("Emma\u{202E}\n"), '\u{7}'];
        assert_eq!(message.shown(&Hide("Emma")).to_string(), "Emma: ****\\u{202e}\\n\\u{7}");
    }

    #[test]
    fn keeps_the_quotes_of_a_nested_message() {
        let names = Message::join(["Emma", "Noah"].map(quote), ", ");
        let message = message!["the names ", names, " and ", quote("Emma")];
        assert_eq!(message.shown(&Hide("Emma")).to_string(), "the names ****, Noah and ****");
        assert_eq!(message.quotes().collect::<Vec<_>>(), ["Emma", "Noah", "Emma"]);
    }

    #[test]
    fn a_whole_quotation_of_the_longest_secret_is_kept() {
        let text = "é".repeat(QUOTE_BYTES_MAX);
        let message = message![quote(&text)];
        assert_eq!(message.quotes().next().map(str::len), Some(QUOTE_BYTES_MAX));
    }
}
