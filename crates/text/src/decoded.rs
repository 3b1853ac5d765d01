//! Characters in encoded form: the percent-encoding of links, and the escapes of YAML and JSON.
//!
//! Which language a string is in is not known where it is masked or searched, so every form is
//! decoded in every string. What is found in the decoded text has a place in the original.

use std::{iter, str};

use memchr::memchr2;

use super::span::Span;

/// The bytes with which an encoded character begins.
const PERCENT: u8 = b'%';
const BACKSLASH: u8 = b'\\';
/// The most bytes of a character in UTF-8.
const UTF8_BYTES_MAX: usize = 4;
/// The most digits between the braces of `\u{5a}`.
const BRACED_DIGITS_MAX: usize = 8;
/// The most bytes of the indentation after an escaped line break.
const INDENTATION_BYTES_MAX: usize = 20;

/// A character in encoded form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodedChar {
    /// Its bytes.
    pub span: Span,
    /// The character; none for an escaped line break, which means no character.
    pub decoded: Option<char>,
}

impl EncodedChar {
    /// Parses the encoded character that starts at byte `at`.
    pub fn parse(text: &str, at: usize) -> Option<Self> {
        let bytes = &text.as_bytes()[at..];
        let (decoded, length) = match *bytes.first()? {
            PERCENT => percent_encoded(bytes).map(|(decoded, length)| (Some(decoded), length)),
            BACKSLASH => escaped(&bytes[1..]).map(|(decoded, length)| (decoded, length + 1)),
            _ => None,
        }?;
        Some(Self { span: Span::new(at, at + length), decoded })
    }
}

/// Text with its encoded characters decoded.
#[derive(Debug)]
pub struct DecodedText {
    text: String,
    replacements: Vec<Replacement>,
}

/// A character that was decoded.
#[derive(Debug)]
struct Replacement {
    /// Its bytes in the decoded text.
    new: Span,
    /// Its bytes in the original.
    original: Span,
}

impl DecodedText {
    /// Decodes text. Returns `None` if nothing in it is encoded.
    pub fn new(text: &str) -> Option<Self> {
        let mut decoded = Self { text: String::new(), replacements: Vec::new() };
        let mut copied_to = 0;
        for EncodedChar { span, decoded: c } in encoded_chars(text) {
            decoded.text.push_str(&text[copied_to..span.start]);
            let new_start = decoded.text.len();
            decoded.text.extend(c);
            let new = Span::new(new_start, decoded.text.len());
            decoded.replacements.push(Replacement { new, original: span });
            copied_to = span.end;
        }
        if decoded.replacements.is_empty() {
            return None;
        }
        decoded.text.push_str(&text[copied_to..]);
        Some(decoded)
    }

    /// Returns the decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the bytes of the original that a part of the decoded text was made of.
    pub fn original(&self, part: Span) -> Span {
        Span::new(self.original_start(part.start), self.original_end(part.end))
    }

    fn original_start(&self, at: usize) -> usize {
        let next = self.replacements.partition_point(|replaced| replaced.new.start <= at);
        match self.replacements[..next].last() {
            None => at,
            Some(replaced) if at < replaced.new.end => replaced.original.start,
            Some(replaced) => replaced.original.end + (at - replaced.new.end),
        }
    }

    fn original_end(&self, at: usize) -> usize {
        let next = self.replacements.partition_point(|replaced| replaced.new.start < at);
        match self.replacements[..next].last() {
            None => at,
            Some(replaced) if at <= replaced.new.end => replaced.original.end,
            Some(replaced) => replaced.original.end + (at - replaced.new.end),
        }
    }
}

/// Returns the encoded characters of a string, decoded, each with at least `reach` bytes of the text
/// on either side. A line break replaces what is left out between them. Returns `None` if nothing
/// is encoded.
///
/// So a string of up to `reach + 1` bytes that an encoded character is part of can be found without
/// decoding all of the text.
pub fn decoded_surroundings(text: &str, reach: usize) -> Option<String> {
    let mut decoded = String::new();
    let mut last_end = None;
    for EncodedChar { span, decoded: c } in encoded_chars(text) {
        push_between(&mut decoded, text, Span::new(last_end.unwrap_or(0), span.start), reach);
        decoded.extend(c);
        last_end = Some(span.end);
    }
    push_between(&mut decoded, text, Span::new(last_end?, text.len()), reach);
    Some(decoded)
}

/// Appends a part of a string, or only its beginning and its end.
fn push_between(decoded: &mut String, text: &str, part: Span, reach: usize) {
    let head_end = text.ceil_char_boundary((part.start + reach).min(text.len()));
    let tail_start = text.floor_char_boundary(part.end.saturating_sub(reach));
    if head_end < tail_start {
        decoded.push_str(&text[part.start..head_end]);
        decoded.push('\n');
        decoded.push_str(&text[tail_start..part.end]);
    } else {
        decoded.push_str(&text[part.range()]);
    }
}

/// Returns the encoded characters of a string in order.
pub fn encoded_chars(text: &str) -> impl Iterator<Item = EncodedChar> {
    let bytes = text.as_bytes();
    let mut at = 0;
    iter::from_fn(move || {
        loop {
            let start = at + memchr2(PERCENT, BACKSLASH, &bytes[at..])?;
            let encoded = EncodedChar::parse(text, start);
            at = encoded.map_or(start + 1, |encoded| encoded.span.end);
            if encoded.is_some() {
                return encoded;
            }
        }
    })
}

/// Parses the bytes of one character of UTF-8, each as `%` and two digits. Returns the character
/// and the number of bytes.
fn percent_encoded(bytes: &[u8]) -> Option<(char, usize)> {
    let mut utf8 = [0; UTF8_BYTES_MAX];
    for (index, code) in bytes.chunks(3).take(UTF8_BYTES_MAX).enumerate() {
        let &[PERCENT, high, low] = code else { return None };
        let code = (hex_digit(high)? << 4) | hex_digit(low)?;
        utf8[index] = u8::try_from(code).ok()?;
        if let Ok(decoded) = str::from_utf8(&utf8[..=index]) {
            return decoded.chars().next().map(|c| (c, 3 * (index + 1)));
        }
    }
    None
}

/// Parses what is after a backslash. Returns the character and the number of bytes.
///
/// A backslash is no escape where it is escaped itself. It is decoded all the same, since a string
/// may be quoted in a string.
fn escaped(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let hex = |digits: usize| {
        let digits = bytes.get(1..=digits)?;
        Some((Some(hex_char(digits)?), 1 + digits.len()))
    };
    match bytes.first()? {
        b'x' => hex(2),
        b'u' if bytes.get(1) == Some(&b'{') => {
            let digits = bytes[2..].iter().take(BRACED_DIGITS_MAX);
            let length = digits.take_while(|byte| **byte != b'}').count();
            let end = 2 + length;
            (bytes.get(end) == Some(&b'}')).then_some(())?;
            Some((Some(hex_char(&bytes[2..end])?), end + 1))
        }
        b'u' => hex(4).or_else(|| surrogate_pair(bytes)),
        b'U' => hex(8),
        b'n' | b'r' | b't' | b'_' | b' ' | b'N' | b'L' | b'P' => Some((Some(' '), 1)),
        b'/' => Some((Some('/'), 1)),
        b'\n' => Some((None, 1 + indentation(&bytes[1..]))),
        b'\r' if bytes.get(1) == Some(&b'\n') => Some((None, 2 + indentation(&bytes[2..]))),
        _ => None,
    }
}

/// Parses `ud83d\ude00`, which is one character in JSON. Returns it and the number of bytes.
fn surrogate_pair(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    const SECOND: usize = "uXXXX\\u".len();
    const LENGTH: usize = SECOND + 4;
    let (first, second) = bytes.get(..LENGTH)?.split_at(SECOND);
    let first = first.strip_prefix(b"u")?.strip_suffix(b"\\u")?;
    let unit = |digits: &[u8]| u16::try_from(hex_number(digits)?).ok();
    let c = char::decode_utf16([unit(first)?, unit(second)?]).next()?.ok()?;
    Some((Some(c), LENGTH))
}

fn indentation(bytes: &[u8]) -> usize {
    let blanks = bytes.iter().take(INDENTATION_BYTES_MAX);
    blanks.take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

fn hex_char(digits: &[u8]) -> Option<char> {
    char::from_u32(hex_number(digits)?).filter(|_| !digits.is_empty())
}

fn hex_number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, digit| Some((number << 4) | hex_digit(*digit)?))
}

fn hex_digit(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str) -> Option<String> {
        DecodedText::new(text).map(|decoded| decoded.text)
    }

    #[test]
    fn decodes_percent_encoding_and_escapes() {
        for (text, expected) in [
            ("a%20b", "a b"),
            ("Z%C3%A9bu%F0%9F%98%80", "Zébu😀"),
            (r"Z\x65b\u0075l\U0000006f\u{6E}x", "Zebulonx"),
            (r"\/a\_b\tc", "/a b c"),
            ("Zeb\\\r\n  ulonx\\\n\t!", "Zebulonx!"),
            (r"\\x41", r"\A"),
            ("%C3%28", "%C3("),
            (r"\ud835\udd6Bebra", "𝕫ebra"),
        ] {
            assert_eq!(decode(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn leaves_what_is_not_encoded() {
        for text in [
            "",
            "100 % sure",
            "%",
            "%4",
            "%zz",
            "%C3",
            "%C3é",
            "\\",
            r"\d\x4",
            r"\xé1",
            r"\ud800",
            r"\ud835\udd6",
            r"\ud835\ud835",
            r"\ud835\\udd6b",
            r"\udd6b\ud835",
            r"\u{}",
            r"\u{41",
            r"\u{000000041}",
            r"\UFFFFFFFF",
            "\\\r",
        ] {
            assert_eq!(decode(text), None, "{text:?}");
        }
    }

    #[test]
    fn decodes_only_what_surrounds_encoded_characters() {
        for (text, expected) in [
            ("no escape", None),
            (r"0123456789\x41", Some("012\n789A")),
            (r"\x410123456789", Some("A012\n789")),
            (r"\x41012345\x41", Some("A012345A")),
            (r"\x410123456\x41", Some("A012\n456A")),
            (r"ééééé%20ééééé", Some("éé\néé éé\néé")),
        ] {
            assert_eq!(decoded_surroundings(text, 3).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn returns_the_places_in_the_original() {
        let text = r"é \x41bc\x44 %C3%A9";
        let decoded = DecodedText::new(text).expect("encoded characters");
        let original = |part: &str| {
            let start = decoded.text().rfind(part).expect("a part");
            &text[decoded.original(Span::new(start, start + part.len())).range()]
        };
        assert_eq!(decoded.text(), "é AbcD é");
        assert_eq!(original("A"), r"\x41");
        assert_eq!(original("bc"), "bc");
        assert_eq!(original("AbcD"), r"\x41bc\x44");
        assert_eq!(original(" é"), " %C3%A9");
    }
}
