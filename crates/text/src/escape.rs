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
        | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
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
    escape_where(text, |c| (is_terminal_control(c) && c != '\n' && c != '\t') || is_invisible(c))
}

/// Like [`escape`], for text that must stay on one line: line breaks and tabs are escaped too.
pub fn escape_line(text: &str) -> Cow<'_, str> {
    escape_where(text, |c| is_terminal_control(c) || is_invisible(c))
}

fn escape_where(text: &str, must_escape: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_plain = |byte: u8| (0x20..0x7F).contains(&byte);
    if text.bytes().all(is_plain) || !text.chars().any(&must_escape) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' if must_escape(c) => escaped.push_str("\\n"),
            '\r' if must_escape(c) => escaped.push_str("\\r"),
            '\t' if must_escape(c) => escaped.push_str("\\t"),
            c if must_escape(c) => escaped.extend(c.escape_unicode()),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}
