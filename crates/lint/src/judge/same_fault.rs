//! One fault, one finding: where two rules speak of the same thing, the more exact one is kept.
//!
//! This comes after levels and waivers, so that a rule whose finding nobody sees outdoes nothing.

use std::collections::HashSet;

use crate::rule::Rule;
use crate::rules::delegated::{BLANK_LABEL, UNDECLARED_PLACEHOLDER, UNUSED_INPUT};
use crate::rules::{
    broken_link, description_without_trigger, frontmatter_not_a_mapping, heavy_body, invalid_name,
    invalid_yaml, long_body, missing_description, missing_frontmatter, missing_mentioned_file,
    name_not_directory, non_string_field, short_description, unclosed_frontmatter,
};
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
static PAIRS: [(&Rule, &Rule, Same); 12] = [
    // A description that is missing leaves a summary that is blank.
    (&BLANK_LABEL, &frontmatter_not_a_mapping::RULE, Same::Whole),
    (&BLANK_LABEL, &invalid_yaml::RULE, Same::Whole),
    (&BLANK_LABEL, &missing_description::RULE, Same::Line),
    (&BLANK_LABEL, &missing_description::RULE, Same::Whole),
    (&BLANK_LABEL, &missing_frontmatter::RULE, Same::File),
    (&BLANK_LABEL, &non_string_field::RULE, Same::Whole),
    (&BLANK_LABEL, &unclosed_frontmatter::RULE, Same::File),
    (&description_without_trigger::RULE, &short_description::RULE, Same::Line),
    (&heavy_body::RULE, &long_body::RULE, Same::File),
    (&missing_mentioned_file::RULE, &broken_link::RULE, Same::Message),
    (&name_not_directory::RULE, &invalid_name::RULE, Same::Line),
    (&UNUSED_INPUT, &UNDECLARED_PLACEHOLDER, Same::Correction),
];

/// Leaves out the findings that say less of a fault than another one does.
pub(super) fn leave_out(diagnostics: &mut Vec<Diagnostic>) {
    for (weaker, stronger, same) in PAIRS {
        let kept: HashSet<Key> = of_rule(diagnostics, stronger).map(|it| key(it, same)).collect();
        if !kept.is_empty() {
            let is_same = |it: &Diagnostic| may_yield(it, same) && kept.contains(&key(it, same));
            diagnostics.retain(|it| it.rule.id != weaker.meta.id || !is_same(it));
        }
    }
}

fn of_rule<'a>(
    diagnostics: &'a [Diagnostic],
    rule: &'static Rule,
) -> impl Iterator<Item = &'a Diagnostic> {
    diagnostics.iter().filter(move |diagnostic| diagnostic.rule.id == rule.meta.id)
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
