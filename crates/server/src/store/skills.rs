//! Skills, and the results that were posted of their runs.

use serde_json::{Map, Value};

use dibber_skill::contract::{Category, ChatId, ResultId, SkillId, SkillWrite, UserId};

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

/// A result that was posted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The id.
    pub id: ResultId,
    /// The skill whose result it is.
    pub skill_id: SkillId,
    /// The chat in which it is shown.
    pub thread_id: ChatId,
    /// The user who posted it.
    pub user_id: UserId,
    /// When it was posted.
    pub posted_at: i64,
    /// The result.
    pub result: Map<String, Value>,
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
    /// Adds a result, and deletes the oldest ones of the family beyond so many.
    fn add_result(&self, family: &FamilyId, posted: &Posted, kept: usize) -> StoreResult<()>;
}
