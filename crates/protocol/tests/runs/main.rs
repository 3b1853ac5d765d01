//! Planning runs, and judging what became of them, without running anything.

mod outcome;
mod plan;
mod secrets;
mod skills;
