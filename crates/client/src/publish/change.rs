//! What of a stored skill has to change to be what a draft says.

use dibber_skill::content_hash::{normal_hands, normal_inputs};
use dibber_skill::contract::{SkillUpdate, SkillWrite, StoredSkill};

/// What has to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Nothing: it is that already.
    Nothing,
    /// An update.
    Update(Box<SkillUpdate>),
    /// There is no update that does it: every argument that stands against it.
    Impossible(Vec<Unchangeable>),
}

/// An argument that an update cannot change, or not in that way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unchangeable {
    /// Which agent it is for.
    Category,
    /// The tools that it uses.
    HandsReferenced,
    /// The placeholders.
    InputVariables,
    /// The ages, which can be changed and not be taken away.
    AgeRange,
}

impl Unchangeable {
    /// The name of the argument.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::HandsReferenced => "handsReferenced",
            Self::InputVariables => "inputVariables",
            Self::AgeRange => "ageRange",
        }
    }
}

/// Compares a stored skill with the arguments that a folder has now.
///
/// Hands, inputs and canvases are sets: their order says nothing. What a draft does not give is
/// what a new skill would have without it.
pub fn change_of(stored: &StoredSkill, new: &SkillWrite) -> Change {
    let impossible = impossible(stored, new);
    if !impossible.is_empty() {
        return Change::Impossible(impossible);
    }
    let changed = |old: &str, new: &str| (old != new).then(|| new.to_owned());
    let kid_callable = new.kid_callable.unwrap_or_default();
    let (add_canvas_ids, remove_canvas_ids) = canvases(stored, new);
    let update = SkillUpdate {
        skill_id: stored.skill_id.clone(),
        name: changed(&stored.name, &new.name),
        description: changed(&stored.description, &new.description),
        instructions: changed(&stored.prompt, &new.prompt),
        kid_callable: (stored.kid_callable != kid_callable).then_some(kid_callable),
        age_range: new.age_range.clone().filter(|_| stored.age_range != new.age_range),
        add_canvas_ids,
        remove_canvas_ids,
        expected_hash: None,
    };
    if update == (SkillUpdate { skill_id: stored.skill_id.clone(), ..SkillUpdate::default() }) {
        Change::Nothing
    } else {
        Change::Update(Box::new(update))
    }
}

fn impossible(stored: &StoredSkill, new: &SkillWrite) -> Vec<Unchangeable> {
    let facts = [
        (Unchangeable::Category, stored.category != new.category.unwrap_or_default()),
        (
            Unchangeable::HandsReferenced,
            normal_hands(&stored.hands_referenced) != normal_hands(&new.hands_referenced),
        ),
        (
            Unchangeable::InputVariables,
            normal_inputs(&stored.input_variables) != normal_inputs(&new.input_variables),
        ),
        (Unchangeable::AgeRange, stored.age_range.is_some() && new.age_range.is_none()),
    ];
    facts.into_iter().filter_map(|(argument, differs)| differs.then_some(argument)).collect()
}

/// The canvases to link, and those to unlink. The letters of an id may be capitals.
fn canvases(stored: &StoredSkill, new: &SkillWrite) -> (Vec<String>, Vec<String>) {
    let missing = |of: &[String], from: &[String]| -> Vec<String> {
        let is_missing = |id: &&String| !from.iter().any(|other| other.eq_ignore_ascii_case(id));
        of.iter().filter(is_missing).cloned().collect()
    };
    let (old, new) = (&stored.canvas_ids, &new.canvas_ids);
    (missing(new, old), missing(old, new))
}
