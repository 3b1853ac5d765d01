//! The fields of a skill that are not in the specification, and what is known of each.

use super::clients::{self, SKILLS_PROTOCOL, SPECIFICATION};
use dibber_skill::skill::{BundleKind, Entry, FaultKind, Skill};

/// A field that is not in the specification.
pub(crate) struct UnspecifiedField<'a> {
    /// The key and its value.
    pub(crate) entry: &'a Entry,
    /// The key as a text.
    pub(crate) key: &'a str,
    /// What is known of it.
    pub(crate) known: Known,
}

/// What is known of a field that is not in the specification.
pub(crate) enum Known {
    /// Some clients read it.
    To(&'static [&'static str]),
    /// It is a slip in another field's name, which is not there yet.
    SlipOf(&'static str),
    /// It is a slip in another field's name, which is there as well.
    Beside(&'static str),
    /// Nobody reads it.
    Nothing,
}

fn is_specified(skill: &Skill, entry: &Entry) -> bool {
    entry.key.as_str().is_none_or(|key| {
        SPECIFICATION.contains(&key)
            || (skill.bundle.kind == BundleKind::SkillsProtocol && SKILLS_PROTOCOL.contains(&key))
    })
}

/// The fields that are not in the specification, in the order of the file; without those of which
/// `missing-name` and `missing-description` speak.
pub(crate) fn unspecified_fields(skill: &Skill) -> Vec<UnspecifiedField<'_>> {
    let mut fields: Vec<UnspecifiedField<'_>> = Vec::new();
    for entry in skill.fields().iter().filter(|entry| !is_specified(skill, entry)) {
        let Some(key) = entry.key.as_str() else { continue };
        if !is_key(key) && has_broken_line(skill) {
            continue;
        }
        let is_meant_before = |name: &str| {
            fields.iter().any(|field| matches!(field.known, Known::SlipOf(other) if other == name))
        };
        let known = match (clients::clients_of(key), clients::misspelled(key)) {
            (Some(clients), _) => Known::To(clients),
            (None, None) => Known::Nothing,
            (None, Some(name)) if skill.field(name).is_some() => Known::Beside(name),
            (None, Some("name" | "description")) => continue,
            (None, Some(name)) if is_meant_before(name) => Known::Beside(name),
            (None, Some(name)) => Known::SlipOf(name),
        };
        fields.push(UnspecifiedField { entry, key, known });
    }
    fields
}

/// Tells whether a text looks like the name of a field: `user-invocable`, `Last Update`.
fn is_key(key: &str) -> bool {
    key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' '))
}

/// Tells whether some of the frontmatter is no YAML; then other lines may be parts of a text.
fn has_broken_line(skill: &Skill) -> bool {
    skill.faults.iter().any(|fault| matches!(fault.kind, FaultKind::InvalidYaml { .. }))
}
