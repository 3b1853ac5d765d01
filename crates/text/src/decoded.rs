//! Text whose encoded characters are decoded (see [`EncodedChar`]), without invisible characters.
//!
//! Which language a string is in is not known where it is masked or searched, so every form is
//! decoded in every string. What is found in the decoded text has a place in the original.

use std::iter;

use super::encoded_char::EncodedChar;
use super::escape::{is_invisible, is_variation_selector};
use super::span::Span;
use super::span_map::SpanMap;

/// Text with its encoded characters decoded, and without invisible characters.
#[derive(Debug)]
pub struct DecodedText {
    text: String,
    places: SpanMap,
}

impl DecodedText {
    /// Decodes text. Returns `None` if nothing in it is encoded or invisible.
    pub fn decode(text: &str) -> Option<Self> {
        let mut decoded = Self { text: String::new(), places: SpanMap::default() };
        let mut copied_to = 0;
        for EncodedChar { span, decoded: c } in encoded_chars(text) {
            decoded.text.push_str(&text[copied_to..span.start]);
            let new_start = decoded.text.len();
            decoded.text.extend(c);
            decoded.places.push(Span::new(new_start, decoded.text.len()), span);
            copied_to = span.end;
        }
        if decoded.places.is_empty() {
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
        self.places.original(part)
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

/// Returns the encoded characters of a string in order, those in full width (`ｇ`) as the ASCII
/// character, and the invisible ones, which show none.
pub fn encoded_chars(text: &str) -> impl Iterator<Item = EncodedChar> {
    let mut at = 0;
    iter::from_fn(move || {
        loop {
            let start = next_candidate(text.as_bytes(), at)?;
            let encoded = EncodedChar::parse(text, start).or_else(|| wide_char(text, start));
            at = encoded.map_or(start + 1, |encoded| encoded.span.end);
            if let Some(EncodedChar { span, decoded }) = encoded {
                let seen = decoded.filter(|c| !is_invisible(*c) && !is_variation_selector(*c));
                let is_encoded =
                    text.as_bytes()[start].is_ascii() || seen.is_some_and(|c| c.is_ascii());
                if seen.is_none() || is_encoded {
                    return Some(EncodedChar { span, decoded: seen });
                }
            }
        }
    })
}

/// Returns the next byte from `at` on with which an encoded or an invisible character may begin. It
/// tests eight bytes at once, since most text has neither.
fn next_candidate(bytes: &[u8], mut at: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    while let Some(block) = bytes[at..].first_chunk() {
        let block = u64::from_le_bytes(*block);
        // Without its highest bit, a byte is less than 0x80, so that no subtraction borrows from
        // the next, and only from equal bytes is the highest bit left.
        let low = block & !HIGH;
        let equals = |byte: u8| HIGH - (low ^ (u64::from(byte) * ONES));
        let marks = equals(b'%') | equals(b'\\') | equals(b'&') | equals(0x1B);
        let marks = (marks | block) & HIGH;
        if marks != 0 {
            return Some(at + (marks.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    let is_candidate = |byte: &u8| matches!(byte, b'%' | b'\\' | b'&' | 0x1B) || !byte.is_ascii();
    bytes[at..].iter().position(is_candidate).map(|offset| at + offset)
}

/// Returns the character at byte `at` if it is not ASCII; of a letter, a digit or a sign of names in
/// full width, the ASCII character.
fn wide_char(text: &str, at: usize) -> Option<EncodedChar> {
    let c = text[at..].chars().next().filter(|c| !c.is_ascii())?;
    let plain = full_width_to_ascii(c);
    Some(EncodedChar { span: Span::new(at, at + c.len_utf8()), decoded: Some(plain.unwrap_or(c)) })
}

/// Returns the ASCII character that is shown in full width. The signs of sentences (`：`) are left,
/// since Chinese and Japanese have them everywhere.
fn full_width_to_ascii(c: char) -> Option<char> {
    const OFFSET: u32 = 0xFF01 - '!' as u32;
    let ascii = u32::from(c).checked_sub(OFFSET).and_then(char::from_u32)?;
    let is_in_words = ascii.is_ascii_alphanumeric() || matches!(ascii, '_' | '-' | '.');
    is_in_words.then_some(ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str) -> Option<String> {
        DecodedText::decode(text).map(|decoded| decoded.text)
    }

    #[test]
    fn decodes_percent_encoding_and_escapes() {
        for (text, expected) in [
            ("a%20b", "a b"),
            ("Z%C3%A9bu%F0%9F%98%80", "Zébu😀"),
            (r"Z\x65b\u0075l\U0000006f\u{6E}x", "Zebulonx"),
            (r"\/a\_b\tc", "/a_b c"),
            (r"a\-b\.c\:d\'e\\_f", "a-b.c:d'e_f"),
            ("Zeb\\\r\n  ulonx\\\n\t!", "Zebulonx!"),
            (r"\\x41", "A"),
            (
                r"\x5a\x6f\xc3\xab \\xF0\\x9f\\x98\\x80 Zo\xeb \xc3\x28",
                "Zo\u{EB} 😀 Zo\u{EB} \u{C3}(",
            ),
            (r"\\\\ud835\\\\udd6Bebra", "𝕫ebra"),
            ("%C3%28", "\u{C3}("),
            ("Zo%EB %8Eofie %e9%A9", "Zo\u{EB} \u{17D}ofie \u{E9}%A9"),
            (r"\ud835\udd6Bebra", "𝕫ebra"),
            ("&#90;eb&eacute;&shy;bra&lowbar;&amp;", "Zebebra_&"),
            ("Z\u{200B}eb\u{AD}ra\u{FE0F}", "Zebra"),
            ("Z&#8203;eb%C2%ADr\\u200ba", "Zebra"),
            ("\u{1B}[01;31m\u{1B}[KZeb\u{1B}[mra", "Zebra"),
            (r"\u001b[31mZeb\x1B[0mr\033[38;5;4ma\e[0m", "Zebra"),
            ("\u{9B}31mZeb\u{9B}0mra", "Zebra"),
            (r"\u009b31mZeb\x9B0mr\u{9b}38;5;4ma\2330m", "Zebra"),
            ("ｇｈｐ＿Ｚ１：", "ghp_Z1："),
        ] {
            assert_eq!(decode(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn decodes_what_is_encoded_twice() {
        for (text, expected) in [
            ("%255aebra", "Zebra"),
            ("%25%35%61ebra", "Zebra"),
            ("%25C3%25A9", "é"),
            ("&amp;#90;ebra", "Zebra"),
            ("&#38;&#35;57;bra", "9bra"),
            (r"\u005cx5aebra", "Zebra"),
            (r"\u005c\u005cu005aebra", "Zebra"),
            (r"\u0026#90;ebra", "Zebra"),
            ("%25255aebra", "%5aebra"),
            ("100%25 and R&amp;D", "100% and R&D"),
            ("%25%25%25", "%%%"),
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
            "%D7",
            "%81",
            "\\",
            "\u{1B}31m",
            "\u{1B}[31é",
            r"\e[31",
            "\u{9B}31",
            "：，（）",
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
            r"\\",
            r"a\\d",
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
        let decoded = DecodedText::decode(text).expect("encoded characters");
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
