//! The fields of a skill that are not in the specification, and what is known about each.

use super::clients::{self, SKILLS_PROTOCOL, SPECIFICATION};
use dibber_skill::skill::{BundleKind, Entry, FaultKind, Skill};

/// A field that is not in the specification.
pub(crate) struct UnspecifiedField<'a> {
    /// The key and its value.
    pub(crate) entry: &'a Entry,
    /// The key as a string.
    pub(crate) key: &'a str,
    /// What is known about it.
    pub(crate) origin: FieldOrigin,
}

/// Where a field that is not in the specification probably comes from.
pub(crate) enum FieldOrigin {
    /// Some clients read it.
    Clients(&'static [&'static str]),
    /// It is a misspelling of another field, which is absent.
    Misspelling(&'static str),
    /// It is a misspelling of another field, which is also present.
    MisspelledDuplicate(&'static str),
    /// No known client reads it.
    Unknown,
}

fn is_specified(skill: &Skill, entry: &Entry) -> bool {
    entry.key.as_str().is_none_or(|key| {
        SPECIFICATION.contains(&key)
            || (skill.bundle.kind == BundleKind::SkillsProtocol && SKILLS_PROTOCOL.contains(&key))
    })
}

/// Returns the fields that are not in the specification, in the order of the file, without those
/// that `missing-name` and `missing-description` report.
pub(crate) fn unspecified_fields(skill: &Skill) -> Vec<UnspecifiedField<'_>> {
    let mut fields: Vec<UnspecifiedField<'_>> = Vec::new();
    for entry in skill.fields().iter().filter(|entry| !is_specified(skill, entry)) {
        let Some(key) = entry.key.as_str() else { continue };
        if !is_field_name(key) && has_broken_line(skill) {
            continue;
        }
        let has_misspelling_of = |name: &str| {
            fields.iter().any(
                |field| matches!(field.origin, FieldOrigin::Misspelling(other) if other == name),
            )
        };
        let origin = match (clients::clients_of(key), clients::misspelled(key)) {
            (Some(clients), _) => FieldOrigin::Clients(clients),
            (None, None) => FieldOrigin::Unknown,
            (None, Some(name)) if skill.field(name).is_some() => {
                FieldOrigin::MisspelledDuplicate(name)
            }
            (None, Some("name" | "description")) => continue,
            (None, Some(name)) if has_misspelling_of(name) => {
                FieldOrigin::MisspelledDuplicate(name)
            }
            (None, Some(name)) => FieldOrigin::Misspelling(name),
        };
        fields.push(UnspecifiedField { entry, key, origin });
    }
    fields
}

/// Returns `true` if `key` looks like the name of a field: `user-invocable`, `Last Update`.
fn is_field_name(key: &str) -> bool {
    key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' '))
}

/// Returns `true` if part of the frontmatter is not YAML; other lines may then be parts of a string.
fn has_broken_line(skill: &Skill) -> bool {
    skill.faults.iter().any(|fault| matches!(fault.kind, FaultKind::InvalidYaml { .. }))
}
