//! The catalogue through its public surface.

mod acp;
mod added;
mod archives;
mod contents;
mod folders;
mod git_source;
mod offer;
mod properties;
mod review;
mod well_known;
