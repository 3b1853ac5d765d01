//! One fault, one finding: where two rules speak of the same thing, the more exact one is kept.
//!
//! This comes after levels and waivers, so that a rule whose finding nobody sees outdoes nothing.

use std::collections::HashSet;

use dibber_skill::diagnostic::Diagnostic;

/// When a finding is the same fault as another one of the skill.
#[derive(Clone, Copy)]
enum Same {
    /// They begin on the same line.
    Line,
    /// They are in the same file.
    File,
    /// The one that yields is about a file as a whole, and the other one is in it.
    Whole,
    /// They say the same, wherever it is.
    Message,
    /// Both would have the same be written: what stands first in backticks in their help.
    Correction,
}

/// The rule that yields, the rule that it yields to, and when.
const PAIRS: [(&str, &str, Same); 12] = [
    // A description that is missing leaves a summary that is blank.
    ("blank-label", "frontmatter-not-a-mapping", Same::Whole),
    ("blank-label", "invalid-yaml", Same::Whole),
    ("blank-label", "missing-description", Same::Line),
    ("blank-label", "missing-description", Same::Whole),
    ("blank-label", "missing-frontmatter", Same::File),
    ("blank-label", "non-string-field", Same::Whole),
    ("blank-label", "unclosed-frontmatter", Same::File),
    ("description-without-trigger", "short-description", Same::Line),
    ("heavy-body", "long-body", Same::File),
    ("missing-mentioned-file", "broken-link", Same::Message),
    ("name-not-directory", "invalid-name", Same::Line),
    ("unused-input", "undeclared-placeholder", Same::Correction),
];

/// Leaves out the findings that say less of a fault than another one does.
pub(super) fn leave_out(diagnostics: &mut Vec<Diagnostic>) {
    for (weaker, stronger, same) in PAIRS {
        let kept: HashSet<Key> = of_rule(diagnostics, stronger).map(|it| key(it, same)).collect();
        if !kept.is_empty() {
            let is_same = |it: &Diagnostic| may_yield(it, same) && kept.contains(&key(it, same));
            diagnostics.retain(|it| it.rule.id != weaker || !is_same(it));
        }
    }
}

fn of_rule<'a>(
    diagnostics: &'a [Diagnostic],
    rule: &'static str,
) -> impl Iterator<Item = &'a Diagnostic> {
    diagnostics.iter().filter(move |diagnostic| diagnostic.rule.id == rule)
}

fn may_yield(diagnostic: &Diagnostic, same: Same) -> bool {
    !matches!(same, Same::Whole) || diagnostic.range.is_none()
}

/// What two findings of one fault have in common.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Line(String, Option<usize>),
    File(String),
    Message(String),
    Correction(Option<String>),
}

fn key(diagnostic: &Diagnostic, same: Same) -> Key {
    match same {
        Same::Line => {
            let line = diagnostic.range.as_ref().map(|range| range.start.line);
            Key::Line(diagnostic.path.clone(), line)
        }
        Same::File | Same::Whole => Key::File(diagnostic.path.clone()),
        Same::Message => Key::Message(diagnostic.message.clone()),
        Same::Correction => {
            let help = diagnostic.help.as_deref().unwrap_or_default();
            Key::Correction(help.split('`').nth(1).map(str::to_owned))
        }
    }
}
