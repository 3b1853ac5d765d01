//! From a skill and its `sprout.yaml` to the exact arguments of `skill_write`, and what the
//! safety checks say of them.
//!
//! The analyzers judge arguments, because that is all that a server sees. A [`Draft`] remembers
//! which bytes of which file each argument came from, so that one [`Verdict`] is an error with a
//! path on the wire and a finding with a span in an editor.

mod analyze;
mod build;
mod hands;
mod heartbeats;
mod origins;
mod preview;
mod render;

pub use analyze::{
    AGE_MAX, Gate, REPORTED_MAX, Reason, Verdict, analyze, is_age_range, is_canvas_id,
};
pub use build::{Draft, is_authored};
pub use heartbeats::{HeartbeatReason, HeartbeatVerdict, analyze_heartbeats, cadence};
pub use origins::Argument;
pub use preview::{next_step, policy_decision, preview};
pub use render::{MissingInputs, Rendered, render};
