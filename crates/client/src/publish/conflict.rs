//! The three sides of a skill that another writer has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::base_contents::BaseContents;
use super::published::{Published, to_recorded_fields};
use crate::stored_form::in_form_of;
use dibber_skill::content_hash::{field_hashes, field_hashes_of_write};
use dibber_skill::contract::{SkillWrite, StoredSkill};

/// What was published or pulled last, as far as that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeBase {
    /// A hash of each field, by its name. There are none if nothing is known.
    fields: BTreeMap<String, String>,
    content: Option<SkillWrite>,
}

impl MergeBase {
    /// Returns what is recorded of the skill in a directory, with its content if this machine has
    /// it.
    pub fn from_record(
        published: &Published,
        directory: &Path,
        contents: Option<&BaseContents>,
    ) -> Self {
        let content = contents.and_then(|contents| contents.recorded(directory, published));
        let fields = match &content {
            Some(content) => to_recorded_fields(field_hashes_of_write(content)),
            None => published.fields.clone(),
        };
        Self { fields, content }
    }

    /// Returns `true` if it is known which fields were published.
    pub(super) fn is_known(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Returns what was published in the form of a draft, if it is compared with what a server
    /// stores in a form of its own.
    pub(super) fn in_form_of(&self, ours: &SkillWrite, theirs: &StoredSkill) -> Self {
        let Some(content) = self.content.as_ref().filter(|_| theirs.content_hash.is_none()) else {
            return self.clone();
        };
        let formed = in_form_of(ours, &as_stored(content, theirs));
        let content = SkillWrite {
            name: formed.name,
            description: formed.description,
            prompt: formed.prompt,
            input_variables: formed.input_variables,
            ..content.clone()
        };
        let fields = to_recorded_fields(field_hashes_of_write(&content));
        Self { fields, content: Some(content) }
    }

    /// Returns the content, if this machine still has it.
    pub const fn content(&self) -> Option<&SkillWrite> {
        self.content.as_ref()
    }
}

/// A skill that another writer has changed since it was published or pulled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What was published or pulled, if this machine still has it.
    pub base: Option<SkillWrite>,
    /// What the server has.
    pub theirs: SkillWrite,
    /// What the directory has.
    pub ours: SkillWrite,
    /// The fields in which the last two differ.
    pub fields: Vec<ConflictField>,
}

/// A field in which a directory and a server differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConflictField {
    /// Its name in a draft.
    pub name: &'static str,
    /// Who has changed it.
    pub changed_by: ChangedBy,
}

/// Who has changed a field since a skill was published or pulled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedBy {
    /// The directory.
    Us,
    /// The server.
    Them,
    /// Both, in another way.
    Both,
    /// It is not known what was published.
    Unknown,
}

impl Conflict {
    /// Compares a draft and a stored skill with what was published.
    pub(super) fn new(base: &MergeBase, ours: &SkillWrite, theirs: &StoredSkill) -> Self {
        let base = base.in_form_of(ours, theirs);
        Self {
            fields: differences(&base, ours, theirs),
            base: base.content,
            theirs: (&in_form_of(ours, theirs)).into(),
            ours: ours.clone(),
        }
    }

    /// Returns the names of the fields that the server has, or may have, changed: publishing the
    /// directory undoes that.
    pub fn fields_changed_on_server(&self) -> Vec<&'static str> {
        let fields = self.fields.iter().filter(|field| field.changed_by != ChangedBy::Us);
        fields.map(|field| field.name).collect()
    }

    /// Returns `true` if the server alone has changes.
    pub fn is_behind(&self) -> bool {
        self.fields.iter().all(|field| field.changed_by == ChangedBy::Them)
    }

    /// Returns `true` if the server has, or may have, changes.
    pub(super) fn has_foreign_changes(&self) -> bool {
        self.fields.iter().any(|field| field.changed_by != ChangedBy::Us)
    }
}

/// Returns the fields in which a draft and a stored skill differ. The base has the form of the draft.
pub(super) fn differences(
    base: &MergeBase,
    ours: &SkillWrite,
    theirs: &StoredSkill,
) -> Vec<ConflictField> {
    let here = field_hashes(&as_stored(ours, theirs));
    let there = field_hashes(&in_form_of(ours, theirs));
    let changed_by_them = changed_fields(base, theirs);
    let changed_by_us = match &base.content {
        Some(content) => {
            let content = field_hashes(&as_stored(content, theirs));
            different_fields(&here, |name| content.get(name))
        }
        None => different_fields(&here, |name| base.fields.get(name)),
    };
    let differ = here.keys().copied().filter(|name| here[name] != there[name]);
    let field = |name| {
        let changed_by = match (changed_by_us.contains(name), changed_by_them.contains(name)) {
            _ if base.fields.is_empty() => ChangedBy::Unknown,
            (true, true) => ChangedBy::Both,
            (true, false) => ChangedBy::Us,
            (false, _) => ChangedBy::Them,
        };
        ConflictField { name, changed_by }
    };
    differ.map(field).collect()
}

/// Returns the fields of a stored skill that are not those of the base.
pub(super) fn changed_fields(base: &MergeBase, theirs: &StoredSkill) -> BTreeSet<&'static str> {
    let there = match &base.content {
        Some(content) => field_hashes(&in_form_of(content, theirs)),
        None => field_hashes(theirs),
    };
    different_fields(&there, |name| base.fields.get(name))
}

/// Returns the fields with other hashes than those.
fn different_fields<'a>(
    hashes: &BTreeMap<&'static str, String>,
    other: impl Fn(&str) -> Option<&'a String>,
) -> BTreeSet<&'static str> {
    hashes.iter().filter(|(name, hash)| other(name) != Some(hash)).map(|(name, _)| *name).collect()
}

/// Returns the skill that the server would have after a draft was published.
fn as_stored(ours: &SkillWrite, theirs: &StoredSkill) -> StoredSkill {
    let mut skill = theirs.clone();
    for field in field_hashes(theirs).keys() {
        take_field(field, ours, &mut skill);
    }
    skill
}

/// Replaces a field by that of a draft.
pub(super) fn take_field(field: &str, ours: &SkillWrite, skill: &mut StoredSkill) {
    match field {
        "name" => skill.name.clone_from(&ours.name),
        "description" => skill.description.clone_from(&ours.description),
        "category" => skill.category = ours.category.unwrap_or_default(),
        "prompt" => skill.prompt.clone_from(&ours.prompt),
        "handsReferenced" => skill.hands_referenced.clone_from(&ours.hands_referenced),
        "inputVariables" => skill.input_variables.clone_from(&ours.input_variables),
        "kidCallable" => skill.kid_callable = ours.kid_callable.unwrap_or_default(),
        "ageRange" => skill.age_range.clone_from(&ours.age_range),
        "canvasIds" => skill.canvas_ids.clone_from(&ours.canvas_ids),
        "responseModel" => skill.response_model = ours.response_model.clone().into(),
        _ => unreachable!("the fields are those of a skill"),
    }
}
