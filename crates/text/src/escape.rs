//! Escaping of untrusted text before it is shown.
//!
//! Such text may contain escape codes that repaint a terminal, characters that reverse the reading
//! direction, or invisible characters. Everything that is shown to a person is escaped first.

use std::borrow::Cow;

/// Returns `true` if a terminal acts on the character instead of showing it: for the C0 and C1
/// controls and DEL, including tabs and line breaks.
pub const fn is_terminal_control(c: char) -> bool {
    matches!(c, '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}')
}

/// Returns `true` if the character is invisible or changes how the text around it is read: for
/// bidirectional controls, zero-width characters, tag characters, and the line separators.
pub const fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF9}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns `true` if the character selects a form of the one before, and is not visible itself.
pub const fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}')
}

/// Returns `true` if nothing of a string is visible: it is empty, or has only spaces and characters
/// that are shown as nothing.
pub fn is_blank(text: &str) -> bool {
    const BRAILLE_BLANK: char = '\u{2800}';
    text.chars()
        .all(|c| c.is_whitespace() || c.is_control() || is_invisible(c) || c == BRAILLE_BLANK)
}

/// Replaces the characters that a terminal would act on, and those that are invisible, by
/// `\u{…}`.
///
/// Line breaks and tabs stay. The joiner inside an emoji sequence is escaped too, since exactness
/// matters more here than looks.
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_where(text, |_, c| (is_terminal_control(c) && c != '\n' && c != '\t') || is_invisible(c))
}

/// Replaces only the characters that a terminal would act on, for text that goes to another program:
/// emoji and other scripts arrive as they were sent. Line breaks and tabs stay.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    let next = || text.chars().skip(1).chain([' ']);
    let must_escape = |c: char, next: char| match c {
        '\n' | '\t' => false,
        '\r' => next != '\n',
        c => is_terminal_control(c),
    };
    if !text.chars().zip(next()).any(|(c, next)| must_escape(c, next)) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for (c, next) in text.chars().zip(next()) {
        match c {
            c if !must_escape(c, next) => escaped.push(c),
            '\r' => escaped.push_str("\\r"),
            c => escaped.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(escaped)
}

/// Like [`escape`], for text that goes to another program: the joiners of emoji and of other scripts
/// arrive as they were sent.
pub fn escape_hidden(text: &str) -> Cow<'_, str> {
    let is_joiner = |previous: char, c: char| {
        matches!(c, '\u{200C}' | '\u{200D}') && !previous.is_ascii() && !is_invisible(previous)
    };
    let is_hidden = |previous: char, c: char| is_invisible(c) && !is_joiner(previous, c);
    match escape_controls(text) {
        Cow::Borrowed(text) => escape_where(text, is_hidden),
        Cow::Owned(text) => Cow::Owned(escape_where(&text, is_hidden).into_owned()),
    }
}

/// Like [`escape`], for text that must stay on one line: line breaks and tabs are escaped too.
pub fn escape_line(text: &str) -> Cow<'_, str> {
    escape_where(text, |_, c| is_terminal_control(c) || is_invisible(c))
}

/// Returns the string that [`escape_line`] shows as this one; none if nothing in it is escaped. A
/// backslash that begins no escape is itself.
pub fn unescape_line(text: &str) -> Option<String> {
    let mut unescaped = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        unescaped.push_str(&rest[..at]);
        let (c, length) = escaped_char(&rest[at + 1..]).unwrap_or(('\\', 0));
        unescaped.push(c);
        rest = &rest[at + 1 + length..];
    }
    unescaped.push_str(rest);
    (unescaped != text).then_some(unescaped)
}

/// Returns the character of an escape, and the number of bytes after its backslash.
fn escaped_char(text: &str) -> Option<(char, usize)> {
    match text.bytes().next()? {
        b'n' => Some(('\n', 1)),
        b'r' => Some(('\r', 1)),
        b't' => Some(('\t', 1)),
        _ => {
            let (digits, _) = text.strip_prefix("u{")?.split_once('}')?;
            let code = u32::from_str_radix(digits, 16).ok()?;
            Some((char::from_u32(code)?, "u{}".len() + digits.len()))
        }
    }
}

/// Escapes the characters for which `must_escape` returns `true`, given the one before and the
/// character, and stray variation selectors.
fn escape_where(text: &str, must_escape: impl Fn(char, char) -> bool) -> Cow<'_, str> {
    let is_plain = |byte: u8| (0x20..0x7F).contains(&byte);
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let with_previous = || std::iter::once(' ').chain(text.chars()).zip(text.chars());
    let must_escape =
        |previous: char, c: char| must_escape(previous, c) || is_stray_selector(previous, c);
    if !with_previous().any(|(previous, c)| must_escape(previous, c)) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for (previous, c) in with_previous() {
        match c {
            c if !must_escape(previous, c) => escaped.push(c),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            c => escaped.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(escaped)
}

/// Returns `true` for a variation selector after a character that has no other form. It is
/// invisible, and a sequence of them can contain a message.
///
/// Emoji, other signs and Han characters have other forms; of ASCII, only what is on a key of a
/// telephone, as an emoji.
fn is_stray_selector(previous: char, c: char) -> bool {
    let has_other_form = match previous {
        '0'..='9' | '#' | '*' => matches!(c, '\u{FE0E}' | '\u{FE0F}'),
        _ => {
            !previous.is_ascii()
                && !previous.is_whitespace()
                && !is_invisible(previous)
                && !is_variation_selector(previous)
        }
    };
    is_variation_selector(c) && !has_other_form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_for_another_program_keeps_what_is_not_a_control() {
        let family = "\u{1F468}\u{200D}\u{1F467}\tHi.\r\n";
        assert_eq!(escape_controls(family), family);
        assert_eq!(escape_controls("a\u{1b}[2J\rb\r"), "a\\u{1b}[2J\\rb\\r");
    }

    #[test]
    fn text_for_another_program_hides_nothing() {
        let family = "\u{1F468}\u{200D}\u{1F467} \u{2764}\u{FE0F}\u{200D}\u{1F525}\r\n";
        for text in [family, "\u{646}\u{200C}\u{645}", "plain\n"] {
            assert_eq!(escape_hidden(text), text);
        }
        for (text, expected) in [
            ("\u{202E}a\u{E0041}\r\n", "\\u{202e}a\\u{e0041}\r\n"),
            ("a\u{200D}b\u{200B}\u{1b}", "a\\u{200d}b\\u{200b}\\u{1b}"),
            ("\u{1F468}\u{200D}\u{200C}", "\u{1F468}\u{200D}\\u{200c}"),
            ("a\u{FE01}", "a\\u{fe01}"),
        ] {
            assert_eq!(escape_hidden(text), expected);
        }
    }

    #[test]
    fn an_escaped_line_can_be_unescaped() {
        for text in ["a\u{1b}[2J\r\n\tb\u{202E}", "\u{E0041}"] {
            assert_eq!(unescape_line(&escape_line(text)).as_deref(), Some(text));
        }
        for text in ["plain", "a\\b", "\\u{", "\\u{110000}", "\\u{g}", "\\"] {
            assert_eq!(unescape_line(text), None, "{text}");
        }
    }

    #[test]
    fn variation_selectors_are_shown_only_after_what_has_another_form() {
        for text in ["\u{2600}\u{FE0F} \u{845B}\u{FE00}", "1\u{FE0F}\u{20E3}", "caf\u{E9}"] {
            assert_eq!(escape(text), text);
        }
        for (text, expected) in [
            ("a\u{FE0F}b\u{FE01}", "a\\u{fe0f}b\\u{fe01}"),
            ("\u{2600}\u{FE0F}\u{FE01}", "\u{2600}\u{FE0F}\\u{fe01}"),
            ("\u{FE0F}a \u{FE0F}", "\\u{fe0f}a \\u{fe0f}"),
            ("1\u{FE00}", "1\\u{fe00}"),
            ("\u{1BCA0}\t", "\\u{1bca0}\t"),
        ] {
            assert_eq!(escape(text), expected);
        }
    }
}
