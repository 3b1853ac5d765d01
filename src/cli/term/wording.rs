//! Words around numbers.

/// Returns a number with its unit: "1 entry", "2 entries".
pub(in crate::cli) fn quantity(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
