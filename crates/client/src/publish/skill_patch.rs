//! The changes that make a stored skill the skill of a draft.

use dibber_skill::content_hash::{normal_hands, normal_inputs};
use dibber_skill::contract::{
    AgeRangeChange, CanvasId, ResponseModelChange, SkillUpdate, SkillWrite, StoredSkill,
};

/// The changes of a stored skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkillPatch {
    /// No change is needed.
    Nothing,
    /// This update.
    Update(Box<SkillUpdate>),
    /// No update can change these arguments.
    Impossible(Vec<Unchangeable>),
}

/// An argument that an update cannot change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unchangeable {
    /// The agent that runs it.
    Category,
    /// The tools that it uses.
    HandsReferenced,
    /// The placeholders.
    InputVariables,
}

impl Unchangeable {
    /// Returns the name of the argument.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::HandsReferenced => "handsReferenced",
            Self::InputVariables => "inputVariables",
        }
    }
}

impl SkillPatch {
    /// Returns the changes that make a stored skill the skill of these arguments.
    ///
    /// Hands, inputs and canvases are sets: their order has no meaning. An absent argument means its
    /// default.
    pub fn between(stored: &StoredSkill, new: &SkillWrite) -> Self {
        let impossible = impossible(stored, new);
        if !impossible.is_empty() {
            return Self::Impossible(impossible);
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
            age_range: (stored.age_range != new.age_range)
                .then(|| AgeRangeChange::to(new.age_range.as_deref())),
            add_canvas_ids,
            remove_canvas_ids,
            response_model: (stored.response_model.model() != new.response_model.as_ref())
                .then(|| ResponseModelChange::to(new.response_model.as_ref())),
            expected_hash: None,
        };
        if update == (SkillUpdate { skill_id: stored.skill_id.clone(), ..SkillUpdate::default() }) {
            Self::Nothing
        } else {
            Self::Update(Box::new(update))
        }
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
    ];
    facts.into_iter().filter_map(|(argument, differs)| differs.then_some(argument)).collect()
}

/// Returns the canvases to link, and those to unlink. Ids are compared without regard to case.
fn canvases(stored: &StoredSkill, new: &SkillWrite) -> (Vec<CanvasId>, Vec<CanvasId>) {
    let missing = |of: &[CanvasId], from: &[CanvasId]| -> Vec<CanvasId> {
        let is_missing = |id: &&CanvasId| !from.iter().any(|other| other.is_same(id));
        of.iter().filter(is_missing).cloned().collect()
    };
    let (old, new) = (&stored.canvas_ids, &new.canvas_ids);
    (missing(new, old), missing(old, new))
}

/// Returns the names of the fields that an update changes, as `skill_write` calls them.
pub fn updated_fields(update: &SkillUpdate) -> Vec<&'static str> {
    let canvases = update.add_canvas_ids.len() + update.remove_canvas_ids.len();
    let fields = [
        ("name", update.name.is_some()),
        ("description", update.description.is_some()),
        ("prompt", update.instructions.is_some()),
        ("kidCallable", update.kid_callable.is_some()),
        ("ageRange", update.age_range.is_some()),
        ("canvasIds", canvases > 0),
        ("responseModel", update.response_model.is_some()),
    ];
    fields.into_iter().filter_map(|(name, changes)| changes.then_some(name)).collect()
}

/// Returns the part of an update that differs from a stored skill, as an update of that skill.
pub fn without_stored(wanted: SkillUpdate, stored: &StoredSkill) -> SkillUpdate {
    let (mut add_canvas_ids, mut remove_canvas_ids) =
        (wanted.add_canvas_ids, wanted.remove_canvas_ids);
    add_canvas_ids.retain(|id| !links_canvas(stored, id));
    remove_canvas_ids.retain(|id| links_canvas(stored, id));
    let other = |text: Option<String>, old: &str| text.filter(|text| text != old);
    SkillUpdate {
        skill_id: stored.skill_id.clone(),
        expected_hash: stored.content_hash.clone(),
        name: other(wanted.name, &stored.name),
        description: other(wanted.description, &stored.description),
        instructions: other(wanted.instructions, &stored.prompt),
        kid_callable: wanted.kid_callable.filter(|may| *may != stored.kid_callable),
        age_range: wanted.age_range.filter(|change| change.ages() != stored.age_range.as_deref()),
        add_canvas_ids,
        remove_canvas_ids,
        response_model: wanted
            .response_model
            .filter(|change| change.model() != stored.response_model.model()),
    }
}

/// Returns `true` if a skill links a canvas.
pub fn links_canvas(skill: &StoredSkill, canvas: &CanvasId) -> bool {
    skill.canvas_ids.iter().any(|linked| linked.is_same(canvas))
}
