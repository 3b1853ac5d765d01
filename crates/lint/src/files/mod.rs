//! The files of a skill, and the references to them in its text: links and bare mentions.
//!
//! Nothing here reads a disk: only the list of files in the skill's bundle is used.

pub(super) mod context;
pub(super) mod links;
pub(super) mod mentions;
pub(super) mod paths;
pub(super) mod spellings;
pub(super) mod unreferenced;
