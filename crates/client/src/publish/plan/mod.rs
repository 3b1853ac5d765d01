//! What has to be done to publish: the server is asked, and nothing is written.

mod recover;
mod skills;
mod step;

pub use skills::{
    ForeignChanges, PendingWrites, PlannedSkill, PushPolicy, Records, SkillBlocked, SkillChange,
    SkillCreation, SkillDraft, SkillStep, SkillUnchanged, plan_skills,
};
pub use step::Step;
