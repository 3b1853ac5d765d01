//! Carrying out a plan: journal, call, record.

mod heartbeats;
mod observer;
mod pull;
mod skills;

pub use heartbeats::{
    HeartbeatOutcome, apply_heartbeat, heartbeat_subject, is_cancel_unfinished, update_heartbeat,
};
pub use observer::Observer;
pub use pull::apply_pull;
pub use skills::{AppliedSkills, SkillResult, apply_skills, record_recovered, record_unchanged};
