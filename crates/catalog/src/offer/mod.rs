//! Skills as a server of MCP offers them with the extension `io.modelcontextprotocol/skills` (SEP-2640):
//! with a URI for each file, and every digest and size.

mod addresses;
mod directory;
mod offered;
mod skills;

pub use directory::DirectoryEntry;
pub use offered::{OfferedFile, OfferedSkill, ReadOfferedError};
pub use skills::{Offer, OfferProblem};
