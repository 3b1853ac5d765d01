//! What has to be done to publish: the server is asked, and nothing is written.

mod heartbeats;
mod pull;
mod recover;
mod skills;
mod step;

pub use heartbeats::{
    HeartbeatCreation, HeartbeatDraft, HeartbeatEdit, HeartbeatKey, HeartbeatStep,
    HeartbeatUnchanged, plan_heartbeats, recover_heartbeats,
};
pub use pull::{PullError, PullPlan, PullTarget, PulledFile, PulledFileState, plan_pull};
pub use skills::{
    ForeignChanges, PendingWrites, PlannedSkill, PushPolicy, Records, SkillBlocked, SkillChange,
    SkillCreation, SkillDraft, SkillRecord, SkillStep, SkillUnchanged, plan_skills,
};
pub use step::Step;
