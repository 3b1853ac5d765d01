//! How a text is written in YAML so that every parser reads it as this text.

use crate::skill::parse_entry;

/// Writes `text` in quotes: the kind in which nothing needs an escape, if there is one. A line
/// break in it stays one, so a text over several lines is folded as it was without quotes.
pub(super) fn quoted(text: &str) -> String {
    if !text.contains(['"', '\\']) {
        format!("\"{text}\"")
    } else if !text.contains('\'') {
        format!("'{text}'")
    } else {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// Tells whether `written`, as the value of a key, is read as exactly `text`.
pub(super) fn reads_as(written: &str, text: &str) -> bool {
    parse_entry(&format!("key: {written}")).is_some_and(|entry| entry.value.as_text() == Some(text))
}
