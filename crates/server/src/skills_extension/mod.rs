//! The extension `io.modelcontextprotocol/skills` (SEP-2640): skills with their files as resources of MCP.
//!
//! Two kinds of skills are offered: those of directories of the server, and those that a family has
//! published. Both need the scope `skill:read`.

mod answers;
mod folders;
mod model;
mod page;
mod published;

pub(crate) use answers::may_read_skills;
pub use folders::FolderSkills;
pub(crate) use model::{skill_template, with_skills};
