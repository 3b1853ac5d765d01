//! From a skill and its `sprout.yaml` to the exact arguments of `skill_write`, and what the
//! analyzers report about them.
//!
//! The analyzers see only arguments, because that is all that a server sees. A [`Draft`] remembers
//! which bytes of which file each argument came from, so that one [`DraftProblem`] is an error
//! with a path on the wire and a finding with a span in an editor.

mod analyze;
mod analyzed;
mod build;
mod hands;
mod heartbeats;
mod include;
mod origins;
mod preview;
mod render;
mod unpublished;

pub use analyze::{
    ArgumentPart, DraftProblem, Gate, REPORTED_MAX, Reason, analyze, child_name_message,
};
pub use analyzed::AnalyzedDraft;
pub use build::{Draft, UncertainDraft, is_authored};
pub use heartbeats::{
    HeartbeatProblem, HeartbeatReason, RunSkillRejection, analyze_heartbeats, cadence,
    check_heartbeat_name, check_misleading_name, check_run_skill, comparable_heartbeat_name,
    is_publishable_heartbeat,
};
pub use include::{IncludedFile, JoinedPrompt, find_included, join_included, split_included};
pub use origins::Argument;
pub use preview::{next_step, policy_decision, preview};
pub use render::{MissingInputs, Rendered, ignored_inputs, missing_inputs, render};
pub use unpublished::unpublished_files;
