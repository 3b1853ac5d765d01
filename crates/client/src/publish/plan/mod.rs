//! What has to be done to publish: the server is asked, and nothing is written.

mod heartbeats;
mod moves;
mod pull;
mod recover;
mod skill_step;
mod skills;
mod step;

pub use heartbeats::{
    HeartbeatCreation, HeartbeatDraft, HeartbeatEdit, HeartbeatKey, HeartbeatStep,
    HeartbeatUnchanged, plan_heartbeats, recover_heartbeats,
};
pub use pull::{
    LocalChanges, PullError, PullPlan, PullTarget, PulledFile, PulledFileState, plan_pull,
};
pub use skill_step::{
    ChangedSides, ForeignChanges, MoveEvidence, MovedSkill, Moves, PendingWrites, PlannedSkill,
    PushPolicy, Records, SkillBlocked, SkillChange, SkillCreation, SkillDraft, SkillRecord,
    SkillStep, SkillUnchanged,
};
pub use skills::plan_skills;
pub use step::Step;
