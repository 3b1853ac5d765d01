//! How a string is written in YAML so that every parser reads it as this string.

use super::schema::{ScalarType, type_in_yaml_1_1, type_in_yaml_1_2};
use super::yaml::parse_entry;
use dibber_text::double_quoted;

/// The most columns of a line that a long text is folded into.
const COLUMNS_MAX: usize = 100;

/// Writes `text` in quotes: the kind in which nothing needs an escape, if there is one. A line
/// break in it stays one, so text over several lines is folded as it was without quotes.
pub fn quoted(text: &str) -> String {
    unescaped_in_quotes(text)
        .unwrap_or_else(|| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}

/// Writes a string as a scalar on one line: without quotes if every parser reads it as this
/// string. Returns `None` if it needs escapes.
pub fn as_scalar(text: &str) -> Option<String> {
    if text.contains(char::is_control) {
        return None;
    }
    if is_plain_text(text) { Some(text.to_owned()) } else { unescaped_in_quotes(text) }
}

/// Returns a string without line breaks in the quotes that need no escapes. `None` if it
/// takes some.
pub fn unescaped_in_quotes(text: &str) -> Option<String> {
    match () {
        () if !text.contains(['"', '\\']) => Some(format!("\"{text}\"")),
        () if !text.contains('\'') => Some(format!("'{text}'")),
        () => None,
    }
}

/// Returns `true` if the text, written without quotes, is read as itself by every parser.
fn is_plain_text(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && !text.ends_with([':', ' '])
        && !text.contains(": ")
        && !text.contains(" #")
        && type_in_yaml_1_2(text) == ScalarType::Text
        && type_in_yaml_1_1(text) == ScalarType::Text
}

/// Returns `true` if `written`, as the value of a key, is read as exactly `text`.
pub fn reads_as(written: &str, text: &str) -> bool {
    parse_entry(&format!("key: {written}")).is_some_and(|entry| entry.value.as_text() == Some(text))
}

/// Writes any text as a scalar on one line, with escapes if it takes some.
pub fn as_any_scalar(text: &str) -> String {
    as_scalar(text).unwrap_or_else(|| double_quoted(text))
}

/// Writes any text as a scalar on one line, in the quotes of the scalar that it replaces if that has
/// some.
pub fn as_scalar_like(replaced: &str, text: &str) -> String {
    match replaced.chars().next() {
        Some('\'') if !text.contains(char::is_control) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        Some('"') => double_quoted(text),
        _ => as_any_scalar(text),
    }
}

/// Writes a string as the value of a top-level key: on the key's line if it fits, else folded over
/// several, unless it has spaces in a row, which folding would lose.
pub fn as_folded(key: &str, text: &str) -> String {
    let scalar = as_any_scalar(text);
    let width = |text: &str| text.chars().count();
    let has_odd_spaces = text.split(' ').any(str::is_empty) || text.contains(char::is_control);
    if width(key) + width(": ") + width(&scalar) <= COLUMNS_MAX || has_odd_spaces {
        return scalar;
    }
    let mut out = String::from(">-");
    let mut column = COLUMNS_MAX;
    for word in text.split(' ') {
        column += width(word) + 1;
        if column > COLUMNS_MAX {
            out += "\n  ";
            column = width("  ") + width(word);
        } else {
            out.push(' ');
        }
        out += word;
    }
    out
}
