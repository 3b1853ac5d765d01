//! JSON with comments and trailing commas, as editors write it.

/// Returns the text with comments and trailing commas replaced by blanks.
pub(super) fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    // Where the last comma is, as long as only blanks follow it.
    let mut comma = None;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            ('"', _) => {
                comma = None;
                plain.push('"');
                string(&mut characters, &mut plain);
            }
            ('/', Some('/')) => {
                while characters.peek().is_some_and(|next| *next != '\n') {
                    characters.next();
                }
            }
            ('/', Some('*')) => {
                characters.next();
                let mut last = ' ';
                for next in characters.by_ref() {
                    if (last, next) == ('*', '/') {
                        break;
                    }
                    last = next;
                }
                plain.push(' ');
            }
            (',', _) => {
                comma = Some(plain.len());
                plain.push(',');
            }
            ('}' | ']', _) => {
                if let Some(at) = comma.take() {
                    plain.replace_range(at..=at, " ");
                }
                plain.push(c);
            }
            (c, _) => {
                if !c.is_whitespace() {
                    comma = None;
                }
                plain.push(c);
            }
        }
    }
    plain
}

/// Copies a string up to its closing quote.
fn string(characters: &mut impl Iterator<Item = char>, plain: &mut String) {
    let mut is_escaped = false;
    for c in characters {
        plain.push(c);
        match c {
            '"' if !is_escaped => return,
            c => is_escaped = c == '\\' && !is_escaped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_and_trailing_commas_go() {
        let text = "{ // a\n \"a//b\": \"/* \\\" , ]\", /* c, */ \"d\": [1, 2, ], }";
        let value: serde_json::Value = serde_json::from_str(&without_comments(text)).expect("JSON");
        assert_eq!(value, serde_json::json!({"a//b": "/* \" , ]", "d": [1, 2]}));
    }
}
