//! One character in encoded form: in the percent-encoding of links, in an HTML reference, or as an
//! escape of YAML, JSON and Markdown. Also the sequences that colour a terminal, which show none.

use std::str;

use super::encoding::windows_1252;
use super::html_reference;
use super::span::Span;
use super::span_map::SpanMap;

/// The most bytes of a character that is encoded twice.
pub const ENCODED_BYTES_MAX: usize = 48;
/// The bytes with which an encoded character begins.
const PERCENT: u8 = b'%';
const BACKSLASH: u8 = b'\\';
const AMPERSAND: u8 = b'&';
const ESCAPE: u8 = 0x1B;
/// The character that begins a control sequence, as `ESC [` does.
const CONTROL_SEQUENCE: &[u8] = "\u{9B}".as_bytes();
/// The most bytes of a character in UTF-8.
const UTF8_BYTES_MAX: usize = 4;
/// The most digits between the braces of `\u{5a}`.
const BRACED_DIGITS_MAX: usize = 8;
/// The most backslashes before an escape that is itself escaped, such as in JSON in JSON.
const BACKSLASHES_MAX: usize = 8;
/// How source text writes the control character that a colour begins with, after the backslashes.
const ESCAPE_CODES: [&[u8]; 6] = [b"u001b", b"u{1b}", b"x1b", b"e", b"033", b"33"];
/// The same of [`CONTROL_SEQUENCE`].
const CONTROL_SEQUENCE_CODES: [&[u8]; 4] = [b"u009b", b"u{9b}", b"x9b", b"233"];
/// The most bytes of the parameters of a colour.
const COLOUR_BYTES_MAX: usize = 32;
/// The most bytes of the indentation after an escaped line break.
const INDENTATION_BYTES_MAX: usize = 20;

/// A character in encoded form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodedChar {
    /// Its bytes.
    pub span: Span,
    /// The character; none for what shows no character, such as an escaped line break.
    pub decoded: Option<char>,
}

impl EncodedChar {
    /// Parses the encoded character that starts at byte `at`. It may be encoded twice, such as `Z`
    /// in `%255a` and in `&amp;#90;`.
    pub fn parse(text: &str, at: usize) -> Option<Self> {
        let outer = Self::parse_once(text, at)?;
        let begins_another = matches!(outer.decoded, Some('%' | '\\' | '&'));
        let inner = if begins_another { Self::parse_again(text, outer) } else { None };
        Some(inner.unwrap_or(outer))
    }

    fn parse_once(text: &str, at: usize) -> Option<Self> {
        let bytes = &text.as_bytes()[at..];
        let (decoded, length) = match *bytes.first()? {
            PERCENT => percent_encoded(bytes).map(|(decoded, length)| (Some(decoded), length)),
            BACKSLASH => escape(bytes),
            AMPERSAND => html_reference::parse(&text[at..]),
            ESCAPE => colour(&bytes[1..]).map(|length| (None, 1 + length)),
            _ => {
                let sequence = bytes.strip_prefix(CONTROL_SEQUENCE)?;
                control_sequence(sequence).map(|length| (None, CONTROL_SEQUENCE.len() + length))
            }
        }?;
        Some(Self { span: Span::new(at, at + length), decoded })
    }

    /// Parses the encoded character that begins with a character that was encoded itself.
    fn parse_again(text: &str, first: Self) -> Option<Self> {
        let limit = (first.span.start + ENCODED_BYTES_MAX).min(text.len());
        let text = &text[..text.floor_char_boundary(limit)];
        let (mut decoded, mut places) = (String::new(), SpanMap::default());
        let mut next = Some(first);
        let mut at = first.span.start;
        while at < text.len() {
            let start = decoded.len();
            if let Some(encoded) = next {
                decoded.extend(encoded.decoded);
                places.push(Span::new(start, decoded.len()), encoded.span);
                at = encoded.span.end;
            } else {
                let c = text[at..].chars().next()?;
                decoded.push(c);
                at += c.len_utf8();
            }
            // Most of what follows an encoded `%` is not encoded, and need not be read.
            if matches!(decoded.as_bytes(), [_, second] if !may_be_second(*second)) {
                return None;
            }
            next = if at < text.len() { Self::parse_once(text, at) } else { None };
        }
        let Self { span, decoded } = Self::parse_once(&decoded, 0)?;
        Some(Self { span: places.original(span), decoded })
    }
}

/// Returns `true` if an encoded character may have this byte after its first one.
const fn may_be_second(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'#' | b'_' | BACKSLASH | b'/' | b' ' | b'\n' | b'\r')
}

/// Parses the bytes of one character of UTF-8, each as `%` and two digits, or the one byte of a
/// letter in Windows-1252, as in old links. Returns the character and the number of bytes.
fn percent_encoded(bytes: &[u8]) -> Option<(char, usize)> {
    percent_encoded_utf8(bytes).or_else(|| {
        let &[PERCENT, high, low, ..] = bytes else { return None };
        let code = u8::try_from((hex_digit(high)? << 4) | hex_digit(low)?).ok()?;
        windows_1252(code).filter(|c| c.is_alphabetic()).map(|c| (c, 3))
    })
}

fn percent_encoded_utf8(bytes: &[u8]) -> Option<(char, usize)> {
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

/// Parses an escape. Returns the character and the number of bytes.
///
/// A backslash is no escape where it is escaped itself. It is decoded all the same, since a string
/// may be quoted in a string: all backslashes before `u005f` belong to the escape.
fn escape(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let backslashes = backslashes(bytes);
    let after = bytes.get(backslashes..)?;
    let (decoded, length) = escaped_colour(after)
        .map(|length| (None, length))
        .or_else(|| escaped_utf8(after, backslashes))
        .or_else(|| escaped(after))
        .or_else(|| surrogate_pair(after, backslashes))?;
    Some((decoded, backslashes + length))
}

/// Returns the number of bytes of a colour as source text writes it, after the backslashes.
fn escaped_colour(bytes: &[u8]) -> Option<usize> {
    let after = |code: &[u8]| {
        let (start, rest) = bytes.split_at_checked(code.len())?;
        start.eq_ignore_ascii_case(code).then_some(rest)
    };
    let escape = ESCAPE_CODES.iter().find_map(|code| Some(code.len() + colour(after(code)?)?));
    escape.or_else(|| {
        // Without a parameter, the code may also be that of a quotation mark in Windows-1252.
        let sequence =
            |code| after(code).filter(|rest| rest.first().is_some_and(u8::is_ascii_digit));
        CONTROL_SEQUENCE_CODES
            .iter()
            .find_map(|code| Some(code.len() + control_sequence(sequence(code)?)?))
    })
}

/// Returns the number of bytes of a control sequence (ECMA-48, section 5.4) after its `ESC`, such as
/// `[31m`.
fn colour(bytes: &[u8]) -> Option<usize> {
    bytes.strip_prefix(b"[").and_then(control_sequence).map(|length| 1 + length)
}

/// Returns the number of bytes of the parameters and the end of a control sequence.
fn control_sequence(sequence: &[u8]) -> Option<usize> {
    let parameters = sequence.iter().take(COLOUR_BYTES_MAX + 1);
    let length = parameters.take_while(|byte| matches!(byte, b' '..=b'?')).count();
    let is_ended = matches!(sequence.get(length), Some(b'@'..=b'~'));
    (is_ended && length <= COLOUR_BYTES_MAX).then_some(length + 1)
}

/// Returns the number of backslashes at the beginning, at most one more than may be before an escape.
fn backslashes(bytes: &[u8]) -> usize {
    bytes.iter().take(BACKSLASHES_MAX + 1).take_while(|byte| **byte == BACKSLASH).count()
}

/// Parses what is after a backslash. Returns the character and the number of bytes.
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
        b'u' => hex(4),
        b'U' => hex(8),
        b'n' | b'r' | b't' | b' ' | b'N' | b'L' | b'P' => Some((Some(' '), 1)),
        // In Markdown, each of these is itself. In YAML, `\_` is a space, which separates as well.
        b'/' | b'_' | b'-' | b'.' | b':' | b'\'' => Some((Some(char::from(bytes[0])), 1)),
        b'\n' => Some((None, 1 + indentation(&bytes[1..]))),
        b'\r' if bytes.get(1) == Some(&b'\n') => Some((None, 2 + indentation(&bytes[2..]))),
        _ => None,
    }
}

/// Parses the bytes of one character of UTF-8 in the form `xc3\xab`, with as many backslashes before
/// each as before the first. Returns it and the number of bytes.
fn escaped_utf8(bytes: &[u8], backslashes: usize) -> Option<(Option<char>, usize)> {
    const UNIT: usize = "xXX".len();
    let (mut utf8, mut rest, mut length) = ([0; UTF8_BYTES_MAX], bytes, 0);
    for index in 0..UTF8_BYTES_MAX {
        if index > 0 {
            let (between, after) = rest.split_at_checked(backslashes)?;
            between.iter().all(|byte| *byte == BACKSLASH).then_some(())?;
            (rest, length) = (after, length + backslashes);
        }
        let (unit, after) = rest.split_at_checked(UNIT)?;
        utf8[index] = u8::try_from(hex_number(unit.strip_prefix(b"x")?)?).ok()?;
        (rest, length) = (after, length + UNIT);
        if let Ok(decoded) = str::from_utf8(&utf8[..=index]) {
            return Some((decoded.chars().next(), length));
        }
    }
    None
}

/// Parses `ud83d\ude00`, which is one character in JSON, with as many backslashes before the second
/// unit as before the first. Returns it and the number of bytes.
fn surrogate_pair(bytes: &[u8], backslashes: usize) -> Option<(Option<char>, usize)> {
    const UNIT: usize = "uXXXX".len();
    let (first, rest) = bytes.split_at_checked(UNIT)?;
    let (between, rest) = rest.split_at_checked(backslashes)?;
    let second = rest.get(..UNIT)?;
    let unit = |unit: &[u8]| u16::try_from(hex_number(unit.strip_prefix(b"u")?)?).ok();
    let c = char::decode_utf16([unit(first)?, unit(second)?]).next()?.ok()?;
    between.iter().all(|byte| *byte == BACKSLASH).then_some((Some(c), 2 * UNIT + backslashes))
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
