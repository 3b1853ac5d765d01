//! The extension `io.modelcontextprotocol/skills` (SEP-2640): skills with their files as resources of MCP.
//!
//! The skills of directories can also be found at [`/.well-known/agent-skills`](crate::http::SKILLS_SITE_PATH).
//!
//! Two kinds of skills are offered: those of directories of the server, and those that a family has
//! published. Both need the scope `skill:read`.

mod answers;
mod folders;
mod model;
mod page;
mod published;
mod site;

pub(crate) use answers::may_read_skills;
pub use folders::{FolderSkillProblem, FolderSkills};
pub(crate) use model::{skill_template, with_skills};
