//! The way from one text to another, as a unified diff that may be shown.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use super::mask::mask;
use dibber_skill::names::Roster;
use dibber_text::{escape, escape_line};

/// The lines around a change that are shown with it.
const CONTEXT_LINES: usize = 3;
/// How long the shortest way is looked for; after that, one that is right but longer is shown.
const LOOKING_MAX: Duration = Duration::from_secs(1);

/// Shows the way from one text of a file to another, without its secrets and the names of
/// children, and with everything escaped. For a file without any, it is a patch to the byte.
pub(super) fn unified(path: &str, before: &str, after: &str, roster: &Roster) -> String {
    let (before, after) = (mask(before, roster), mask(after, roster));
    let path = roster.mask(path);
    let diff = TextDiff::configure().timeout(LOOKING_MAX).diff_lines(&before, &after);
    let path = escape_line(&path);
    let mut out = format!("--- a/{path}\n+++ b/{path}\n");
    for hunk in diff.unified_diff().context_radius(CONTEXT_LINES).iter_hunks() {
        out += &format!("{}\n", hunk.header());
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            out.push(sign);
            out += &shown(change.value());
        }
    }
    out
}

/// A line as it is shown, with its line break.
fn shown(line: &str) -> String {
    if let Some(line) = line.strip_suffix("\r\n") {
        return format!("{}\r\n", escape(line));
    }
    match line.strip_suffix('\n') {
        Some(line) => format!("{}\n", escape(line)),
        None if line.ends_with('\r') => format!("{}\n", escape(line)),
        None => format!("{}\n\\ No newline at end of file\n", escape(line)),
    }
}
