//! Words of a shell, for commands that messages suggest.

use std::borrow::Cow;

/// Returns a string as one word of a shell, in quotation marks if it needs them.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "-._:/@[]+,=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("'{}'", text.replace('\'', "'\\''")))
    }
}
