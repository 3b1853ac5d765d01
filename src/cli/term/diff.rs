//! A unified diff that may be shown.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use super::rendered::Rendered;
use super::style::{Color, Ink, paint};
use dibber_lint::Privacy;
use dibber_skill::names::Roster;
use dibber_text::{Mask, Shown, escape};

/// The lines around a change that are shown with it.
const CONTEXT_LINES: usize = 3;
/// How long to look for the shortest diff; after that, a longer one is shown.
const SEARCH_MAX: Duration = Duration::from_secs(1);

/// A unified diff whose lines are masked and escaped.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Diff(Vec<(Option<Ink>, String)>);

impl Diff {
    /// Returns the lines as git shows them: in colour, if there is colour. Without it, they are a
    /// patch.
    pub(in crate::cli) fn rendered(&self, color: Color) -> Rendered {
        let mut out = String::new();
        for (ink, line) in &self.0 {
            let text = line.trim_end_matches(['\r', '\n']);
            match ink {
                Some(ink) => paint(&mut out, color, *ink, text),
                None => out += text,
            }
            out += &line[text.len()..];
        }
        Rendered::new(out)
    }
}

/// Returns the diff of two versions of a file, with secrets and children's names masked and
/// everything escaped. For a file without any of these, it is an exact patch.
pub(in crate::cli) fn unified(path: &str, before: &str, after: &str, roster: &Roster) -> Diff {
    // As git does with a path outside of its repository.
    let path = path.trim_start_matches('/');
    named((&format!("a/{path}"), before), (&format!("b/{path}"), after), roster)
}

/// Returns the diff of two strings, each with a name, in the same way.
pub(in crate::cli) fn named(before: (&str, &str), after: (&str, &str), roster: &Roster) -> Diff {
    let privacy = Privacy { roster };
    let name = |name| Shown::new(name, &privacy).in_full().to_string();
    let mut lines = vec![
        (Some(Ink::Strong), format!("--- {}\n", name(before.0))),
        (Some(Ink::Strong), format!("+++ {}\n", name(after.0))),
    ];
    let (before, after) = (privacy.mask(before.1), privacy.mask(after.1));
    let diff = TextDiff::configure().timeout(SEARCH_MAX).diff_lines(&before, &after);
    for hunk in diff.unified_diff().context_radius(CONTEXT_LINES).iter_hunks() {
        lines.push((Some(Ink::Place), format!("{}\n", hunk.header())));
        for change in hunk.iter_changes() {
            let (ink, sign) = match change.tag() {
                ChangeTag::Equal => (None, ' '),
                ChangeTag::Delete => (Some(Ink::Removed), '-'),
                ChangeTag::Insert => (Some(Ink::Added), '+'),
            };
            lines.push((ink, format!("{sign}{}", shown(change.value()))));
        }
    }
    Diff(lines)
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
