//! Packing a skill for those who accept archives, and their rules, which are checked first.

mod destination;
mod pack_plan;
mod rules;

pub use destination::Destination;
pub use pack_plan::{PackLayout, PackOptions, PackPlan, archive_problems, plan_pack};
pub use rules::{PackProblem, pack_problems};
