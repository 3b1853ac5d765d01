//! Carrying out a plan: journal, call, record.

mod observer;
mod skills;

pub use observer::Observer;
pub use skills::{SkillResult, apply_skills, record_recovered, record_unchanged};
