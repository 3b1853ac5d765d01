//! What has to be done to publish: the server is asked, and nothing is written.

mod heartbeat_step;
mod heartbeats;
mod moved_directories;
mod moves;
mod prune;
mod pull;
mod recover;
mod skill_step;
mod skills;
mod step;

pub use heartbeat_step::{
    HeartbeatBlocked, HeartbeatCreation, HeartbeatDraft, HeartbeatEdit, HeartbeatKey,
    HeartbeatPolicy, HeartbeatStep, HeartbeatUnchanged, PlannedHeartbeat, RemovedHeartbeat,
    RemovedHeartbeats, UnrecordedHeartbeats,
};
pub use heartbeats::plan_heartbeats;
pub(crate) use heartbeats::published;
pub use moved_directories::{MovedDirectory, find_moved_directories};
pub use prune::{PlannedPrune, PruneBlocked, plan_prunes};
pub use pull::{
    LocalChanges, PullError, PullPlan, PullTarget, PulledFile, PulledFileState, plan_pull,
};
pub use recover::{RecoveredHeartbeat, recover_heartbeats};
pub use skill_step::{
    ChangedSides, ForeignChanges, MoveEvidence, MovedSkill, Moves, PendingWrites, Permission,
    PlannedSkill, Previews, PushPolicy, Records, ServerPreview, SkillBlocked, SkillChange,
    SkillCreation, SkillDraft, SkillRecord, SkillStep, SkillUnchanged,
};
pub use skills::plan_skills;
pub use step::Step;
