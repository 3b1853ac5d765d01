//! The files of a skill, and how its texts speak of them: by links, or by bare mentions.
//!
//! Nothing is looked up on a disk: the list of files in the skill's bundle is all that counts.

pub(super) mod links;
pub(super) mod mentions;
pub(super) mod paths;
pub(super) mod spellings;
pub(super) mod surroundings;
pub(super) mod unreferenced;
