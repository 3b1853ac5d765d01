//! One skill: what its manifest says, and where its files are.

mod error;
mod protocol_skill;
mod read;

pub use error::{LoadError, LoadErrorKind};
pub use protocol_skill::ProtocolSkill;
pub(crate) use protocol_skill::SkillSource;
pub(crate) use read::{load_instructions, load_protocol, manifest_of, read_manifest};
