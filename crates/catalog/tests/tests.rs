//! The catalogue through its public surface.

mod contents;
