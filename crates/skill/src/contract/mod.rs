//! The wire types of the systems that dibber speaks with, one file per tool family, and their
//! limits.
//!
//! The names are the wire's. Nothing here decides anything.

mod envelope;
mod heartbeat;
mod session;
mod skill;
mod skill_tools;
mod tools;

pub use envelope::{ERROR, ErrorCode, Issue, NEXT_STEP, REPLAYED, ToolError};
pub use heartbeat::{
    HEARTBEAT_NAME_CHARACTERS_MAX, HeartbeatAction, HeartbeatCreate, HeartbeatCreated,
    HeartbeatDescription, HeartbeatListItem, HeartbeatPreview, HeartbeatUpdate, HeartbeatUpdated,
    HeartbeatWarning, TIME_ZONE_DEFAULT,
};
pub use session::{
    FamilyOverview, GUIDES, Health, IDEMPOTENCY_CAPABILITY, IDEMPOTENCY_CONFLICT,
    IDEMPOTENCY_HEADER, IDEMPOTENCY_HOURS, IDEMPOTENCY_KEY_CHARACTERS_MAX, IDEMPOTENCY_META, Kid,
    Parent, Scope, Whoami,
};
pub use skill::{
    CANVASES_MAX, Category, Decision, InputVariable, PolicyDecision, PolicyReason, SKILL_WRITE,
    Shape, SkillPreview, SkillWrite,
};
pub use skill_tools::{
    CanvasSummary, ListArguments, PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX, Page, ResultPosted,
    SKILL_CHANGED, SKILL_POST_RESULT, SKILL_UPDATE, SkillFound, SkillInvoke, SkillInvoked,
    SkillListItem, SkillPostResult, SkillUpdate, SkillUpdated, StoredSkill,
};
pub use tools::{
    HEARTBEAT_CREATE, HEARTBEAT_UPDATE, PUBLIC_TOOLS, PublicTool, Sensitivity, TASK_CREATE,
    wire_name,
};
