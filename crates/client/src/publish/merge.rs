//! Merging the changes that were made here and on the server since a skill was published.
//!
//! Two changes collide if both sides have changed the same field, in another way. Changes of
//! different lines of the prompt do not, if it is known what was published.

use super::conflict::{ChangedBy, MergeBase, differences, take_field};
use super::line_merge::merge_lines;
use crate::stored_form::in_form_of;
use dibber_skill::contract::{SkillWrite, StoredSkill};

/// The field that is merged by lines.
const PROMPT: &str = "prompt";

/// The changes of two sides since a skill was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// It is not known what was published.
    NoBase,
    /// Both sides have changed these fields, in another way.
    Conflict(Vec<&'static str>),
    /// The skill with the changes of both sides.
    Merged {
        /// The skill, under the id of the stored one.
        skill: Box<StoredSkill>,
        /// Whether it has changes that the server does not have.
        has_own_changes: bool,
    },
}

impl Merge {
    /// Merges a draft and a stored skill.
    pub fn new(base: &MergeBase, ours: &SkillWrite, theirs: &StoredSkill) -> Self {
        let base = &base.in_form_of(ours, theirs);
        let mut skill = in_form_of(ours, theirs);
        let (mut has_own_changes, mut conflicts) = (false, Vec::new());
        for field in differences(base, ours, theirs) {
            match field.changed_by {
                ChangedBy::Unknown => return Self::NoBase,
                ChangedBy::Them => {}
                ChangedBy::Us => {
                    take_field(field.name, ours, &mut skill);
                    has_own_changes = true;
                }
                ChangedBy::Both => match merged_prompt(field.name, base, ours, &skill) {
                    Some(prompt) => {
                        has_own_changes |= prompt != skill.prompt;
                        skill.prompt = prompt;
                    }
                    None => conflicts.push(field.name),
                },
            }
        }
        if conflicts.is_empty() {
            Self::Merged { skill: Box::new(skill), has_own_changes }
        } else {
            Self::Conflict(conflicts)
        }
    }
}

/// Returns the prompt with the changes of both sides, if it is that field and their changes are of
/// different lines.
fn merged_prompt(
    field: &str,
    base: &MergeBase,
    ours: &SkillWrite,
    theirs: &StoredSkill,
) -> Option<String> {
    let base = base.content().filter(|_| field == PROMPT)?;
    merge_lines(&base.prompt, &ours.prompt, &theirs.prompt)
}
