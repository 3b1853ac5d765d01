//! Carrying out a plan: journal, call, record.

mod heartbeats;
mod observer;
mod pull;
mod skills;

pub use heartbeats::{
    HeartbeatOutcome, apply_heartbeat, heartbeat_subject, is_cancel_unfinished, update_heartbeat,
};
pub use observer::Observer;
pub use pull::record_pulled;
pub use skills::{SkillResult, apply_skills, record_recovered, record_unchanged};
