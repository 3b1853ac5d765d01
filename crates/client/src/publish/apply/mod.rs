//! Carrying out a plan: journal, call, record.

mod archive;
mod archived_heartbeats;
mod ended_creation;
mod heartbeat_creation;
mod heartbeat_replacement;
mod heartbeat_update;
mod heartbeats;
mod lost_creation;
mod observer;
mod pull;
mod skill_update;
mod skills;
mod stored_result;
mod written_skill;

pub use archive::{
    ArchivedSkill, CancelledHeartbeat, PruneOutcome, PrunedSkill, archive_skill, check_can_archive,
    prune_skill, set_archival,
};
pub use heartbeat_creation::HeartbeatOutcome;
pub use heartbeat_update::{ChangedHeartbeat, update_heartbeat};
pub use heartbeats::apply_heartbeat;
pub use observer::Observer;
pub use pull::apply_pull;
pub use skill_update::{find_renamed_skill, skill_subject, update_skill};
pub use skills::{AppliedSkills, apply_skills, record_recovered, record_unchanged};
pub use stored_result::SkillResult;
