//! The server: families, skills and heartbeats over MCP.
//!
//! A call arrives on a connection ([`Server::serve`] for a pair of pipes, [`http`] for the
//! network) → its tool is looked up, and its arguments are checked against the tool's schema →
//! the tool reads the [`store`] or changes it → the answer is put into the envelope.

mod argument_table;
mod arguments;
mod caller;
mod canvases;
mod cursor;
mod dispatch;
mod failure;
pub mod families;
mod family_limits;
pub mod guides;
mod heartbeats;
pub mod http;
mod id;
mod idempotency;
mod input_schema;
mod inventory;
mod label;
mod log;
mod mcp;
mod mutex;
mod problems;
mod roster;
mod safety;
mod server;
mod skills;
pub mod store;
mod times;
mod tool;
mod tool_arguments;
mod tools;
mod type_words;

pub use caller::Caller;
pub use failure::Failure;
pub use family_limits::{
    FAMILY_CANCELLED_MAX, FAMILY_HEARTBEATS_MAX, FAMILY_RESULTS_MAX, FAMILY_SKILLS_MAX,
};
pub use inventory::Inventory;
pub use safety::{
    SafetyCommand, SafetyDecision, SafetyKind, SafetyOutput, SafetyReason, SafetySubject,
    safety_input_schema, safety_output_schema,
};
pub use server::{Clock, SERVER, Server};
pub use tool_arguments::{ToolArguments, tool_arguments};
