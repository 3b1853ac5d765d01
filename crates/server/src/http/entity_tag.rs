//! Entity tags, with which a reader asks only for what has changed.

use http::{HeaderMap, header};

/// Returns `true` if a reader has what a tag stands for (RFC 9110, section 13.1.2).
pub(super) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut tags = values.filter_map(|value| value.to_str().ok()).flat_map(|tags| tags.split(','));
    tags.any(|known| known.trim() == "*" || known.trim().trim_start_matches("W/") == tag)
}
