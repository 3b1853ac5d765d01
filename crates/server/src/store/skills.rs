//! Skills.

use dibber_skill::contract::{Category, SkillId, SkillWrite};

use super::error::StoreResult;
use super::families::FamilyId;
use super::listed::Listed;

/// A skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The id.
    pub id: SkillId,
    /// What was written, with later updates.
    pub written: SkillWrite,
    /// Whether it is archived.
    pub is_archived: bool,
    /// When it was created.
    pub created_at: i64,
    /// When it was last invoked.
    pub last_triggered_at: Option<i64>,
}

/// Which skills to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillList {
    /// The id of the skill after which the page begins; none for the first page.
    pub after: Option<SkillId>,
    /// The most skills.
    pub limit: usize,
    /// Whether archived skills are listed, too.
    pub include_archived: bool,
    /// Only skills of this category; one without a category is generic.
    pub category: Option<Category>,
}

/// Looks up skills.
pub trait ReadSkills {
    /// Returns the skill with this id.
    fn skill(&self, family: &FamilyId, id: &SkillId) -> StoreResult<Option<Skill>>;
    /// Returns a page of skills in [listing order](super#listing-order).
    fn skills(&self, family: &FamilyId, list: &SkillList) -> StoreResult<Listed<Skill>>;
    /// Returns the number of skills of a family, archived ones included.
    fn skill_count(&self, family: &FamilyId) -> StoreResult<usize>;
}

/// Changes skills.
pub trait WriteSkills: ReadSkills {
    /// Adds a skill.
    fn add_skill(&self, family: &FamilyId, skill: &Skill) -> StoreResult<()>;
    /// Replaces a skill.
    fn put_skill(&self, family: &FamilyId, skill: &Skill) -> StoreResult<()>;
    /// Records when a skill was invoked; a time before the recorded one changes nothing.
    fn touch_skill(&self, family: &FamilyId, id: &SkillId, at: i64) -> StoreResult<()>;
}
