//! A unified diff that may be shown.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use super::rendered::Rendered;
use dibber_lint::Privacy;
use dibber_skill::names::Roster;
use dibber_text::{Mask, Shown, escape};

/// The lines around a change that are shown with it.
const CONTEXT_LINES: usize = 3;
/// How long to look for the shortest diff; after that, a longer one is shown.
const SEARCH_MAX: Duration = Duration::from_secs(1);

/// Returns the diff of two versions of a file, with secrets and children's names masked and
/// everything escaped. For a file without any of these, it is an exact patch.
pub(in crate::cli) fn unified(path: &str, before: &str, after: &str, roster: &Roster) -> Rendered {
    // As git does with a path outside of its repository.
    let path = path.trim_start_matches('/');
    named((&format!("a/{path}"), before), (&format!("b/{path}"), after), roster)
}

/// Returns the diff of two strings, each with a name, in the same way.
pub(in crate::cli) fn named(
    before: (&str, &str),
    after: (&str, &str),
    roster: &Roster,
) -> Rendered {
    let privacy = Privacy { roster };
    let name = |name| Shown::new(name, &privacy).in_full().to_string();
    let mut out = format!("--- {}\n+++ {}\n", name(before.0), name(after.0));
    let (before, after) = (privacy.mask(before.1), privacy.mask(after.1));
    let diff = TextDiff::configure().timeout(SEARCH_MAX).diff_lines(&before, &after);
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
    Rendered::new(out)
}

/// Returns `text` with a line break at its end if neither string has one: a diff would report its
/// absence for both.
#[cfg(feature = "remote")]
pub(in crate::cli) fn end_line(text: &str, other: &str) -> String {
    let has_none = !text.ends_with('\n') && !other.ends_with('\n');
    if has_none && !text.is_empty() { format!("{text}\n") } else { text.to_owned() }
}

/// Returns a line as it is shown, with its line break.
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
