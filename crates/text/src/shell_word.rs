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

#[cfg(test)]
mod tests {
    use crate::{message, quote_argument};

    #[test]
    fn an_argument_is_shown_as_a_shell_reads_it() {
        for (path, shown) in [
            ("skills/plan", "skills/plan"),
            ("märchen", "märchen"),
            ("my skill", "'my skill'"),
            ("mum's", "'mum'\\''s'"),
            ("a$(b)", "'a$(b)'"),
            ("", "''"),
        ] {
            let message = message!["`dibber push ", quote_argument(path), "`"];
            assert_eq!(message.shown(&()).to_string(), format!("`dibber push {shown}`"));
        }
    }
}
