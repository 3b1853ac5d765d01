//! Merging two changes of a string by its lines.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The most lines that are merged: the time to compare them grows with their square.
const LINES_MAX: usize = 10_000;

/// Lines that replace others.
#[derive(PartialEq)]
struct Hunk<'a> {
    /// The lines that are replaced.
    base: Range<usize>,
    lines: &'a [&'a str],
}

/// Returns a string with the changes of both sides, unless they overlap or are side by side.
pub(super) fn merge_lines(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let [base, ours, theirs] =
        [base, ours, theirs].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    if [&base, &ours, &theirs].iter().any(|lines| lines.len() > LINES_MAX) {
        return None;
    }
    let (ours, theirs) = (hunks(&base, &ours), hunks(&base, &theirs));
    let (mut ours, mut theirs) = (ours.iter().peekable(), theirs.iter().peekable());
    let (mut merged, mut copied) = (String::new(), 0);
    loop {
        let hunk = match (ours.peek(), theirs.peek()) {
            (None, None) => break,
            (Some(our), Some(their)) if our == their => {
                ours.next();
                theirs.next()
            }
            (Some(our), Some(their)) if our.touches(their) => return None,
            (Some(our), their) if their.is_none_or(|it| our.base.start < it.base.start) => {
                ours.next()
            }
            (_, _) => theirs.next(),
        };
        let Some(hunk) = hunk else { break };
        merged.extend(base[copied..hunk.base.start].iter().copied());
        merged.extend(hunk.lines.iter().copied());
        copied = hunk.base.end;
    }
    merged.extend(base[copied..].iter().copied());
    Some(merged)
}

impl Hunk<'_> {
    /// Returns `true` if two changes have no unchanged line between them.
    const fn touches(&self, other: &Self) -> bool {
        self.base.start <= other.base.end && other.base.start <= self.base.end
    }
}

fn hunks<'a>(base: &[&str], changed: &'a [&'a str]) -> Vec<Hunk<'a>> {
    let operations = capture_diff_slices(Algorithm::Myers, base, changed);
    let edits = operations.iter().filter(|it| !matches!(it, DiffOp::Equal { .. }));
    edits.map(|it| Hunk { base: it.old_range(), lines: &changed[it.new_range()] }).collect()
}
