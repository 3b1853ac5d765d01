//! Changing a few places of a line, and nothing else of it.

use std::borrow::Cow;

use serde_json::value::RawValue;

/// A place in a line, and what comes there instead.
#[derive(Debug)]
pub(super) struct Edit {
    start: usize,
    end: usize,
    text: String,
}

impl Edit {
    /// Replaces a value of the line.
    pub(super) fn replace(line: &str, value: &RawValue, text: String) -> Self {
        let start = offset(line, value);
        Self { start, end: start + value.get().len(), text }
    }

    /// Inserts text after the first character of a value of the line.
    pub(super) fn after_opening(line: &str, value: &RawValue, text: String) -> Self {
        let at = offset(line, value) + 1;
        Self { start: at, end: at, text }
    }

    /// Inserts text before the last character of a value of the line.
    pub(super) fn before_closing(line: &str, value: &RawValue, text: String) -> Self {
        let at = offset(line, value) + value.get().len() - 1;
        Self { start: at, end: at, text }
    }
}

/// Returns where a value begins that was parsed from this line, which it borrows from.
fn offset(line: &str, value: &RawValue) -> usize {
    value.get().as_ptr().addr() - line.as_ptr().addr()
}

/// Returns the line with its edits, which do not overlap.
pub(super) fn apply(line: &str, mut edits: Vec<Edit>) -> Cow<'_, [u8]> {
    if edits.is_empty() {
        return Cow::Borrowed(line.as_bytes());
    }
    edits.sort_by_key(|edit| edit.start);
    let mut changed = Vec::new();
    let mut at = 0;
    for edit in edits {
        changed.extend_from_slice(&line.as_bytes()[at..edit.start]);
        changed.extend_from_slice(edit.text.as_bytes());
        at = edit.end;
    }
    changed.extend_from_slice(&line.as_bytes()[at..]);
    Cow::Owned(changed)
}
