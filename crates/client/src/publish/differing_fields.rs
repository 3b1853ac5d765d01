//! The fields of a skill that a server does not store as they were sent.

use std::fmt;

use crate::stored_form::{in_case_of, in_form_of};
use dibber_skill::content_hash::{field_hashes, field_hashes_of_write};
use dibber_skill::contract::{SkillWrite, StoredSkill};

/// The names of the fields that a server does not store as they were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DifferingFields {
    /// Those that still are what they were before.
    pub ignored: Vec<&'static str>,
    /// Those that are neither what they were before nor what was sent.
    pub replaced: Vec<&'static str>,
}

impl DifferingFields {
    /// Compares what was sent with a skill before and after that. Another form of what was sent,
    /// such as another case, is no difference, and neither is what the preview of the server has
    /// shown.
    pub(super) fn of(
        (sent, previewed): (&SkillWrite, Option<&SkillWrite>),
        before: &StoredSkill,
        stored: &StoredSkill,
    ) -> Self {
        let expected: Vec<_> = std::iter::once(sent)
            .chain(previewed)
            .map(|skill| (field_hashes_of_write(skill), field_hashes(&in_case_of(skill, stored))))
            .collect();
        let is_expected =
            |name: &str| expected.iter().any(|(wanted, stored)| wanted[name] == stored[name]);
        let before = field_hashes(&in_form_of(sent, before));
        let after = field_hashes(&in_form_of(sent, stored));
        let names = after.keys().copied().filter(|name| !is_expected(name));
        let (ignored, replaced) = names.partition(|name| after[name] == before[name]);
        Self { ignored, replaced }
    }

    /// Returns no field.
    pub(super) const fn none() -> Self {
        Self { ignored: Vec::new(), replaced: Vec::new() }
    }

    /// Keeps those of these names.
    pub(super) fn retain(&mut self, names: &[&str]) {
        for fields in [&mut self.ignored, &mut self.replaced] {
            fields.retain(|field| names.contains(field));
        }
    }

    /// Returns `true` if this field is not stored as it was sent.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.ignored.iter().chain(&self.replaced).any(|field| *field == name)
    }

    /// Returns `true` if every field is stored as it was sent.
    pub const fn is_empty(&self) -> bool {
        self.ignored.is_empty() && self.replaced.is_empty()
    }
}

impl fmt::Display for DifferingFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ignored, replaced) = (self.ignored.join("`, `"), self.replaced.join("`, `"));
        match (self.ignored.is_empty(), self.replaced.is_empty()) {
            (_, true) => write!(f, "did not store `{ignored}`"),
            (true, false) => write!(f, "stores another `{replaced}` than was sent"),
            (false, false) => {
                write!(
                    f,
                    "did not store `{ignored}`, and stores another `{replaced}` than was sent"
                )
            }
        }
    }
}
