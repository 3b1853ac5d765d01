//! The labels of skills and the names of heartbeats, as people compare them.

/// Returns a label in the form in which people take two of them for the same.
pub fn label_key(label: &str) -> String {
    label.trim().to_lowercase()
}
