//! The catalogue through its public surface.

mod contents;
mod folders;
mod properties;
