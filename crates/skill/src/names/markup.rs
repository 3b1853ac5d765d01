//! Markup that a reader does not see: emphasis inside words (`**Em**ma`), tags inside words, and
//! characters in encoded form: HTML references (`&#69;mma`), percent-encoding and escapes.

use super::letters::{is_hidden, is_word};
use dibber_text::{EncodedChar, Span};

/// The most bytes of a reference, from `&` to `;`. HTML permits any number of leading zeros.
const REFERENCE_BYTES_MAX: usize = 24;
/// The most bytes of a tag.
const TAG_BYTES_MAX: usize = 64;

/// A piece of markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Markup {
    /// Its bytes.
    pub(super) span: Span,
    /// The character that it shows.
    pub(super) shown: Option<char>,
}

/// Finds the markup of a string in order: every encoded character, and emphasis and tags inside
/// words.
pub(super) fn find(text: &str) -> Vec<Markup> {
    let bytes = text.as_bytes();
    let mut found: Vec<Markup> = Vec::new();
    let mut at = 0;
    while let Some(next) = next_candidate(bytes, at) {
        at = next + 1;
        if let Some(encoded) = encoded(text, next) {
            at = encoded.span.end;
            found.push(encoded);
            continue;
        }
        let done = found.last().map_or(0, |markup| markup.span.end);
        let start = next - trailing_underscores(&bytes[done..next]);
        let end = invisible_end(text, next);
        at = at.max(end);
        let is_after_letter = done == start && !found.is_empty()
            || text[..start].chars().next_back().is_some_and(is_part_of_word);
        let is_before_letter =
            encoded(text, end).is_some() || text[end..].chars().next().is_some_and(is_part_of_word);
        if end > next && is_after_letter && is_before_letter {
            found.push(Markup { span: Span::new(start, end), shown: None });
        }
    }
    found
}

/// Returns the next byte from `at` on with which markup may begin. It tests eight bytes at once,
/// as the search for names does.
fn next_candidate(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(block) = bytes[at..].first_chunk() {
        let marks = candidates(u64::from_le_bytes(*block));
        if marks != 0 {
            return Some(at + (marks.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let rest = bytes[at..].iter().position(|byte| candidates(u64::from(*byte)) != 0);
    rest.map(|offset| at + offset)
}

/// Marks the bytes of a block with which markup may begin by the highest bit of each.
const fn candidates(block: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    // Without its highest bit, a byte is less than 0x80, so that no subtraction borrows from the
    // next, and only from equal bytes is the highest bit left.
    let low = block & !HIGH;
    let marks = (HIGH - (low ^ (b'*' as u64 * ONES)))
        | (HIGH - (low ^ (b'~' as u64 * ONES)))
        | (HIGH - (low ^ (b'`' as u64 * ONES)))
        | (HIGH - (low ^ (b'<' as u64 * ONES)))
        | (HIGH - (low ^ (b'&' as u64 * ONES)))
        | (HIGH - (low ^ (b'%' as u64 * ONES)))
        | (HIGH - (low ^ (b'\\' as u64 * ONES)));
    marks & !block & HIGH
}

fn trailing_underscores(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|byte| **byte == b'_').count()
}

fn is_part_of_word(c: char) -> bool {
    is_word(c) || is_hidden(c)
}

/// Returns the end of the emphasis and the tags from a byte on. Underscores alone do not emphasize
/// a part of a word.
fn invisible_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        end = match byte {
            b'*' | b'~' | b'`' | b'_' => end + 1,
            b'<' => match tag_end(bytes, end) {
                Some(after) => after,
                None => return end,
            },
            _ => return end,
        };
    }
    end
}

/// Returns the end of an HTML tag.
fn tag_end(bytes: &[u8], start: usize) -> Option<usize> {
    let tag = &bytes[start + 1..bytes.len().min(start + TAG_BYTES_MAX)];
    let name = tag.strip_prefix(b"/").unwrap_or(tag);
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic);
    let length = tag.iter().position(|byte| matches!(byte, b'>' | b'<' | b'\n'))?;
    (is_name && tag[length] == b'>').then_some(start + 1 + length + 1)
}

/// Parses a character in encoded form that may be part of a name.
fn encoded(text: &str, at: usize) -> Option<Markup> {
    if text.as_bytes().get(at) == Some(&b'&') {
        return reference(text, at);
    }
    let EncodedChar { span, decoded } = EncodedChar::parse(text, at)?;
    Some(Markup { span, shown: decoded.filter(|c| !is_hidden(*c)) })
}

/// Parses a reference to a character.
fn reference(text: &str, at: usize) -> Option<Markup> {
    let limit = text.floor_char_boundary((at + REFERENCE_BYTES_MAX).min(text.len()));
    let rest = text.get(at..limit)?.strip_prefix('&')?;
    let (shown, length) = match rest.strip_prefix('#') {
        Some(number) => numeric(number).map(|(shown, length)| (shown, 1 + length))?,
        None => named(rest)?,
    };
    let end = at + 1 + length;
    let end = end + usize::from(text.as_bytes().get(end) == Some(&b';'));
    Some(Markup { span: Span::new(at, end), shown: shown.filter(|c| !is_hidden(*c)) })
}

/// Parses what is after `&#`: the character, and the number of bytes. Browsers do not need the
/// semicolon.
fn numeric(text: &str) -> Option<(Option<char>, usize)> {
    let (digits, radix, prefix) = match text.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 1),
        None => (text, 10, 0),
    };
    let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let code = u32::from_str_radix(&digits[..length], radix).ok()?;
    Some((Some(char::from_u32(code)?), prefix + length))
}

/// Parses what is after `&` in a named reference: the character, and the number of bytes. Names
/// such as `eacute` show a letter with a diacritic, which is compared as the letter.
fn named(text: &str) -> Option<(Option<char>, usize)> {
    const DIACRITICS: [&str; 8] =
        ["acute", "grave", "circ", "uml", "tilde", "cedil", "ring", "caron"];
    let name = &text[..text.find(';')?];
    let shown = match name {
        "shy" | "zwj" | "zwnj" | "ZeroWidthSpace" | "NoBreak" | "lrm" | "rlm" => None,
        "nbsp" => Some(' '),
        "aelig" => Some('æ'),
        "AElig" => Some('Æ'),
        "oelig" => Some('œ'),
        "OElig" => Some('Œ'),
        "oslash" => Some('ø'),
        "Oslash" => Some('Ø'),
        "szlig" => Some('ß'),
        "thorn" => Some('þ'),
        "THORN" => Some('Þ'),
        "eth" => Some('ð'),
        "ETH" => Some('Ð'),
        "lstrok" => Some('ł'),
        "Lstrok" => Some('Ł'),
        "apos" => Some('\''),
        _ => {
            let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
            Some(DIACRITICS.contains(&&name[1..]).then_some(letter)?)
        }
    };
    Some((shown, name.len()))
}
