//! Skills in the Agent Client Protocol: what an agent announces to an editor.
//!
//! An agent announces commands with `available_commands_update`; skills have a proposal of their own,
//! Agent Skills List, with `available_skills_update`. Both are written here and read leniently, and a
//! [`Proxy`] adds skills to an agent that does not know them.

mod announce;
mod browse;
mod proxy;
mod read;
mod types;
mod version;

pub use announce::{Form, SKILL_KEY, is_announced, update, update_of};
pub use browse::{
    Collector, CollectorError, Difference, LicenseMatch, Need, OfferedKind, OfferedSkill,
    differences, license_match, needs_of,
};
pub use proxy::{AgentLines, Conductor, LINE_BYTES_MAX, Proxy, ProxySkill, ReadBody};
pub use read::{Announced, ITEMS_MAX, ReadProblem, ReadUpdate, read_update};
pub use types::{
    AvailableCommand, AvailableCommandsUpdate, AvailableSkill, AvailableSkillsUpdate, CommandInput,
    METADATA_KEY, SESSION_UPDATE, SKILLS_CAPABILITY, SessionUpdate, UpdateNotification,
    UpdateParams, schema,
};
pub use version::Version;
