//! Whether a field is present in the frontmatter.

use super::clients;
use dibber_skill::skill::{Entry, FaultKind, Node, ScalarType, Skill};

/// Whether a field is present.
pub(crate) enum Presence<'a> {
    /// It is present and has a value.
    Present,
    /// It is present and has no value.
    Empty(&'a Entry),
    /// It is absent, but a misspelling of it is present.
    Misspelled(&'a Entry),
    /// It is absent.
    Absent,
    /// The frontmatter was not parsed as a whole, or a broken line may contain it.
    Unknown,
}

/// Returns whether a field is present.
pub(crate) fn presence<'a>(skill: &'a Skill, field: &str) -> Presence<'a> {
    if !skill.has_whole_frontmatter() {
        return Presence::Unknown;
    }
    match skill.field(field) {
        Some(entry) if is_empty(&entry.value) => Presence::Empty(entry),
        Some(_) => Presence::Present,
        None if broken_line_may_contain(skill, field) => Presence::Unknown,
        None => {
            let is_misspelling = |entry: &&Entry| {
                entry.key.as_str().is_some_and(|key| clients::misspelled(key) == Some(field))
            };
            skill
                .fields()
                .iter()
                .find(is_misspelling)
                .map_or(Presence::Absent, Presence::Misspelled)
        }
    }
}

/// Returns `true` if a value is null or only white space.
pub(crate) fn is_empty(value: &Node) -> bool {
    value.scalar_type() == Some(ScalarType::Null)
        || value.as_str().is_some_and(|text| text.trim().is_empty())
}

fn broken_line_may_contain(skill: &Skill, field: &str) -> bool {
    skill.faults.iter().any(|fault| match &fault.kind {
        FaultKind::InvalidYaml { entry, .. } => skill
            .source
            .slice(*entry)
            .split(['\n', '\r'])
            .any(|line| line.trim_start().starts_with(field)),
        _ => false,
    })
}
