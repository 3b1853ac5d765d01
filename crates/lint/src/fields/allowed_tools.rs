//! Splitting and joining the tools of `allowed-tools`.

/// Splits `text` at the commas outside of parentheses; `None` if there is no such comma.
pub(crate) fn split_at_commas(text: &str) -> Option<Vec<&str>> {
    let mut depth = 0_usize;
    let mut start = 0;
    let mut items = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                items.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if items.is_empty() {
        return None;
    }
    items.push(text[start..].trim());
    items.retain(|item| !item.is_empty());
    Some(items)
}

/// Joins the tools with spaces if each is certainly one tool: a word, optionally followed by
/// something in parentheses.
pub(crate) fn joined(items: &[&str]) -> Option<String> {
    let is_tool = |item: &&str| {
        let (word, rest) = item.split_at(item.find('(').unwrap_or(item.len()));
        let is_word_character =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '*');
        let is_closed = rest.is_empty() || (rest.ends_with(')') && closes_at_end(rest));
        word.starts_with(|c: char| c.is_alphanumeric() || c == '_')
            && word.chars().all(is_word_character)
            && !word.ends_with(':')
            && is_closed
            && !rest.contains(char::is_control)
    };
    (!items.is_empty() && items.iter().all(is_tool)).then(|| items.join(" "))
}

/// Returns `true` if the parenthesis that `text` begins with is closed by its last character.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0_usize;
    text.bytes().enumerate().all(|(at, byte)| {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        (depth == 0) == (at + 1 == text.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_parentheses_do_not_split() {
        assert_eq!(split_at_commas("Bash(git:*) Read"), None);
        assert_eq!(split_at_commas("Bash(git add:*, git commit:*) Read"), None);
        assert_eq!(
            split_at_commas("Bash(git add:*, git commit:*), Read,"),
            Some(vec!["Bash(git add:*, git commit:*)", "Read"])
        );
    }

    #[test]
    fn only_certain_tools_are_joined() {
        assert_eq!(joined(&["Bash(git add:*)", "Read"]).as_deref(), Some("Bash(git add:*) Read"));
        assert_eq!(
            joined(&["mcp__home__*", "shell(git:*)"]).as_deref(),
            Some("mcp__home__* shell(git:*)")
        );
        for doubtful in ["Read Write", "Bash(git", "git)", "Bash(a)b)", "*", "Read:", "", "#a"] {
            assert_eq!(joined(&[doubtful, "Read"]), None, "{doubtful}");
        }
    }
}
