//! Merging the changes that were made here and on the server since a skill was published.
//!
//! What was published is not kept, but a hash of each of its fields is: a field that has another
//! one has changed. Two changes collide if both sides have changed the same field, in another way.

use std::collections::BTreeMap;

use dibber_skill::content_hash::field_hashes;
use dibber_skill::contract::{SkillWrite, StoredSkill};

/// The changes of two sides since a skill was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// It is not known what was published.
    NoBase,
    /// Both sides have changed these fields, in another way.
    Collision(Vec<&'static str>),
    /// The skill with the changes of both sides.
    Merged {
        /// The skill, under the id of the stored one.
        skill: Box<StoredSkill>,
        /// Whether it has changes that the server does not have.
        has_own_changes: bool,
    },
}

impl Merge {
    /// Merges a draft and a stored skill. `base` has the hashes of the fields that were published.
    pub fn new(base: &BTreeMap<String, String>, ours: &SkillWrite, theirs: &StoredSkill) -> Self {
        if base.is_empty() {
            return Self::NoBase;
        }
        let here = field_hashes(&as_stored(ours, theirs));
        let there = field_hashes(theirs);
        let is_changed = |hashes: &BTreeMap<&'static str, String>, field: &str| {
            hashes.get(field) != base.get(field)
        };
        let differ = here.keys().copied().filter(|field| here[field] != there[field]);
        let (mut own, mut collisions) = (Vec::new(), Vec::new());
        for field in differ {
            match (is_changed(&here, field), is_changed(&there, field)) {
                (true, true) => collisions.push(field),
                (true, false) => own.push(field),
                (false, _) => {}
            }
        }
        if !collisions.is_empty() {
            return Self::Collision(collisions);
        }
        let mut skill = theirs.clone();
        for field in &own {
            take(field, ours, &mut skill);
        }
        Self::Merged { skill: Box::new(skill), has_own_changes: !own.is_empty() }
    }
}

/// Returns the skill that the server would have after a draft was published.
fn as_stored(ours: &SkillWrite, theirs: &StoredSkill) -> StoredSkill {
    let mut skill = theirs.clone();
    for field in field_hashes(theirs).keys() {
        take(field, ours, &mut skill);
    }
    skill
}

/// Replaces a field by that of a draft.
fn take(field: &str, ours: &SkillWrite, skill: &mut StoredSkill) {
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
        _ => unreachable!("the fields are those of a skill"),
    }
}
