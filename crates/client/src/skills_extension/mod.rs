//! The skills of any server with the extension `io.modelcontextprotocol/skills` (SEP-2640), whose files are
//! resources of MCP.
//!
//! Nothing of a server is believed: a file has the size and the digest that the list promises, the
//! frontmatter of `SKILL.md` is the one that was listed, no file is outside of its skill, and there are
//! limits for all of it. Files are read only when they are asked for.

mod error;
mod frontmatter;
mod read;
mod requests;
mod served;

pub use error::ServedSkillError;
pub use served::{ServedFile, ServedFiles, ServedSkill, ServedSkillProblem, ServedSkills};
