//! One fault, one finding: where two rules speak of the same thing, the more exact one is kept.
//!
//! This comes after levels and waivers, so that a rule whose finding nobody sees outdoes nothing.

use std::collections::HashSet;

use crate::diagnostic::Diagnostic;

/// When a finding is the same fault as another one of the skill.
#[derive(Clone, Copy)]
enum Same {
    /// They begin on the same line.
    Line,
    /// They are in the same file.
    File,
    /// They say the same, wherever it is.
    Message,
}

/// The rule that yields, the rule that it yields to, and when.
const PAIRS: [(&str, &str, Same); 4] = [
    ("description-without-trigger", "short-description", Same::Line),
    ("heavy-body", "long-body", Same::File),
    ("missing-mentioned-file", "broken-link", Same::Message),
    ("name-not-directory", "invalid-name", Same::Line),
];

/// Leaves out the findings that say less of a fault than another one does.
pub(super) fn leave_out(diagnostics: &mut Vec<Diagnostic>) {
    for (weaker, stronger, same) in PAIRS {
        let kept: HashSet<Key> = of_rule(diagnostics, stronger).map(|it| key(it, same)).collect();
        if !kept.is_empty() {
            diagnostics.retain(|it| it.rule.id != weaker || !kept.contains(&key(it, same)));
        }
    }
}

fn of_rule<'a>(
    diagnostics: &'a [Diagnostic],
    rule: &'static str,
) -> impl Iterator<Item = &'a Diagnostic> {
    diagnostics.iter().filter(move |diagnostic| diagnostic.rule.id == rule)
}

/// What two findings of one fault have in common.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Line(String, Option<usize>),
    File(String),
    Message(String),
}

fn key(diagnostic: &Diagnostic, same: Same) -> Key {
    match same {
        Same::Line => {
            let line = diagnostic.range.as_ref().map(|range| range.start.line);
            Key::Line(diagnostic.path.clone(), line)
        }
        Same::File => Key::File(diagnostic.path.clone()),
        Same::Message => Key::Message(diagnostic.message.clone()),
    }
}
