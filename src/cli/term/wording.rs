//! Words around numbers, and at the beginning of a sentence.

/// Returns a number with its unit: "1 entry", "2 entries".
pub(in crate::cli) fn quantity(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Returns a string with an uppercase first letter.
pub(in crate::cli) fn capitalized(text: &str) -> String {
    let mut characters = text.trim().chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}
