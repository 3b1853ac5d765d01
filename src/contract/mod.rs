//! The wire types of the systems that dibber speaks with, one file per tool family, and their
//! limits.
//!
//! The names are the wire's. Nothing here decides anything.

mod heartbeat;
mod skill;
mod tools;

pub use heartbeat::{HEARTBEAT_NAME_CHARACTERS_MAX, TIME_ZONE_DEFAULT};
pub use skill::{
    CANVASES_MAX, Category, Decision, InputVariable, PolicyDecision, PolicyReason, SKILL_WRITE,
    Shape, SkillPreview, SkillWrite,
};
pub use tools::{HEARTBEAT_CREATE, PUBLIC_TOOLS, PublicTool, Sensitivity, TASK_CREATE, wire_name};
