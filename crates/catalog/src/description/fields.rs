//! Each field of the frontmatter: its value, and what is wrong with it.

use std::collections::BTreeMap;

use dibber_skill::skill::name::{self, CHARACTERS_MAX};
use dibber_skill::skill::{NodeKind, ScalarType, Skill, tools_of};
use dibber_text::{Message, Problem, Span, message, quote};

/// The most characters of a description.
pub const DESCRIPTION_CHARACTERS_MAX: usize = 1024;

/// The most characters of `compatibility`.
pub const COMPATIBILITY_CHARACTERS_MAX: usize = 500;

/// Reads the fields of a skill, and collects the problems.
pub(super) struct Fields<'a> {
    skill: &'a Skill,
    pub(super) problems: Vec<Problem<Span>>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(skill: &'a Skill) -> Self {
        let mut fields = Self { skill, problems: Vec::new() };
        if skill.frontmatter.is_none() {
            fields.report(Span::new(0, 0), "the frontmatter is missing");
        } else if !skill.faults.is_empty() {
            fields.report(skill.faults[0].span, "the frontmatter is not valid YAML");
        }
        fields
    }

    fn report(&mut self, place: Span, message: impl Into<Message>) {
        self.problems.push(Problem::new(place, message));
    }

    pub(super) fn name(&mut self) -> Option<String> {
        let name = self.required("name")?;
        let characters = name::normalized(&name).chars().count();
        let span = self.span("name");
        if characters > CHARACTERS_MAX {
            self.report(
                span,
                message!["the name has ", characters, " characters; the maximum is 64"],
            );
        } else if !name::is_valid(&name) || !name.is_ascii() {
            let message = message![
                "the name `",
                quote(&name),
                "` does not consist of `a` to `z`, digits and single hyphens between them"
            ];
            self.report(span, message);
        }
        Some(name)
    }

    pub(super) fn description(&mut self) -> Option<String> {
        let description = self.required("description")?;
        self.check_length("description", &description, DESCRIPTION_CHARACTERS_MAX);
        Some(description)
    }

    pub(super) fn compatibility(&mut self) -> Option<String> {
        let compatibility = self.string("compatibility")?;
        self.check_length("compatibility", &compatibility, COMPATIBILITY_CHARACTERS_MAX);
        Some(compatibility)
    }

    /// Lengths are those of the reference checker: in characters.
    fn check_length(&mut self, key: &'static str, text: &str, max: usize) {
        let characters = text.chars().count();
        if characters > max {
            let message =
                message!["`", key, "` has ", characters, " characters; the maximum is ", max];
            self.report(self.span(key), message);
        }
    }

    /// Returns the string of a field without the white space around it; none if it is empty.
    fn required(&mut self, key: &'static str) -> Option<String> {
        let value = self.string(key);
        let trimmed = value.as_deref().map(str::trim).unwrap_or_default();
        if trimmed.is_empty() {
            if self.skill.frontmatter.is_none() {
                // That is the problem.
            } else if self.skill.field(key).is_none() {
                self.report(self.frontmatter_span(), message!["`", key, "` is missing"]);
            } else if value.is_some() {
                self.report(self.span(key), message!["`", key, "` is empty"]);
            }
            return None;
        }
        Some(trimmed.to_owned())
    }

    /// Returns the string of an optional field.
    pub(super) fn string(&mut self, key: &'static str) -> Option<String> {
        let value = &self.skill.field(key)?.value;
        if let Some(text) = value.as_text() {
            return Some(text.to_owned());
        }
        if value.scalar_type() != Some(ScalarType::Null) {
            self.report(
                value.span,
                message!["`", key, "` is ", value.describe(), ", not a string"],
            );
        }
        None
    }

    /// Returns the text of a field of clients, whatever its type.
    pub(super) fn lenient_string(&self, key: &str) -> Option<String> {
        self.skill.field(key)?.value.as_str().map(str::to_owned)
    }

    pub(super) fn metadata(&mut self) -> BTreeMap<String, String> {
        let mut metadata = BTreeMap::new();
        let Some(field) = self.skill.field("metadata") else { return metadata };
        let NodeKind::Mapping(entries) = &field.value.kind else {
            if field.value.scalar_type() != Some(ScalarType::Null) {
                let message = message!["`metadata` is ", field.value.describe(), ", not a mapping"];
                self.report(field.value.span, message);
            }
            return metadata;
        };
        for entry in entries {
            let Some(key) = entry.key.as_str() else { continue };
            if let Some(text) = entry.value.as_text() {
                metadata.insert(key.to_owned(), text.to_owned());
            } else {
                let described = entry.value.describe();
                let message =
                    message!["`", quote(key), "` of `metadata` is ", described, ", not a string"];
                self.report(entry.value.span, message);
                // Numbers and booleans have a text that every client shows alike.
                if let Some(text) = entry.value.as_str() {
                    metadata.insert(key.to_owned(), text.to_owned());
                }
            }
        }
        metadata
    }

    pub(super) fn allowed_tools(&mut self) -> Vec<String> {
        let Some(field) = self.skill.field("allowed-tools") else { return Vec::new() };
        if field.value.as_text().is_none() && field.value.scalar_type() != Some(ScalarType::Null) {
            let message = message!["`allowed-tools` is ", field.value.describe(), ", not a string"];
            self.report(field.value.span, message);
        }
        tools_of(&field.value)
    }

    /// Returns `true` if a field is that boolean, also as a string.
    pub(super) fn is(&self, key: &str, wanted: bool) -> bool {
        let text = self.skill.field(key).and_then(|field| field.value.as_str());
        text.is_some_and(|text| text.eq_ignore_ascii_case(if wanted { "true" } else { "false" }))
    }

    fn span(&self, key: &str) -> Span {
        self.skill.field(key).map_or_else(|| self.frontmatter_span(), |field| field.value.span)
    }

    fn frontmatter_span(&self) -> Span {
        self.skill.frontmatter.as_ref().map_or(Span::new(0, 0), |frontmatter| frontmatter.opening)
    }
}
