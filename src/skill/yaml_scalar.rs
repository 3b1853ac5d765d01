//! How a text is written in YAML so that every parser reads it as this text.

use super::{ScalarType, parse_entry, type_in_yaml_1_1, type_in_yaml_1_2};

/// Writes `text` in quotes: the kind in which nothing needs an escape, if there is one. A line
/// break in it stays one, so a text over several lines is folded as it was without quotes.
pub(crate) fn quoted(text: &str) -> String {
    unescaped_in_quotes(text)
        .unwrap_or_else(|| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// Writes a text as a scalar on one line: without quotes if every parser reads it as this text.
/// None if it takes escapes.
pub(crate) fn as_scalar(text: &str) -> Option<String> {
    if text.contains(char::is_control) {
        return None;
    }
    if is_plain_text(text) { Some(text.to_owned()) } else { unescaped_in_quotes(text) }
}

/// A text without line breaks in quotes of the kind in which it needs no escapes. None if it
/// takes some.
pub(crate) fn unescaped_in_quotes(text: &str) -> Option<String> {
    match () {
        () if !text.contains(['"', '\\']) => Some(format!("\"{text}\"")),
        () if !text.contains('\'') => Some(format!("'{text}'")),
        () => None,
    }
}

/// Tells whether the text, written without quotes, is read as itself by every parser.
fn is_plain_text(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && !text.ends_with([':', ' '])
        && !text.contains(": ")
        && !text.contains(" #")
        && type_in_yaml_1_2(text) == ScalarType::Text
        && type_in_yaml_1_1(text) == ScalarType::Text
}

/// Tells whether `written`, as the value of a key, is read as exactly `text`.
pub(crate) fn reads_as(written: &str, text: &str) -> bool {
    parse_entry(&format!("key: {written}")).is_some_and(|entry| entry.value.as_text() == Some(text))
}
