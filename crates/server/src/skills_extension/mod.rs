//! The extension `io.modelcontextprotocol/skills` (SEP-2640): skills with their files as resources of MCP.
//!
//! The skills of directories can also be found at `/.well-known/agent-skills`.
//!
//! Two kinds of skills are offered: those of directories of the server, and those that a family has
//! published. Both need the scope `skill:read`.

mod answers;
pub(crate) mod folders;
mod model;
mod page;
mod published;
mod site;

pub(crate) use answers::{list_templates, may_read_skills};
pub use folders::{FolderSkillProblem, FolderSkills};
pub(crate) use model::with_skills;
