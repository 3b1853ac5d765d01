//! The server: families, skills and heartbeats over MCP, and folders of skills over the Skills Protocol.
//!
//! # A call
//!
//! | step | module |
//! |---|---|
//! | arrives on a connection: [`Server::serve`] for a pair of pipes, [`http`] for the network | `mcp`, `http` |
//! | the scope of its caller and its arguments are checked against its tool | `dispatch`, `caller`, `arguments` |
//! | a call that is sent again with its idempotency key gets the first answer | `idempotency` |
//! | the tool reads the [`store`] or changes it, in one transaction | `tools`, `skills`, `heartbeats` |
//! | what it publishes is judged by the operator's program, outside of the transaction, and the tool starts over | `safety`, `previews` |
//! | a person allows a client what it asks for, and the client gets tokens | [`authorization`] |
//! | what is due runs, by itself | [`firing`] |
//! | a call of the Skills Protocol reads a folder or runs its code in a sandbox | [`protocol`] |
//! | a request for Agent Skills as resources is answered from directories and the store | [`skills_extension`] |
//! | clients are notified when a resource has changed | `resources`, `subscriptions`, `sessions` |
//! | the answer, or the reason of a [`Failure`], is put into the envelope | `mcp`, `failure` |

mod activity;
mod argument_table;
mod arguments;
pub mod authorization;
mod caller;
mod canvases;
mod cursor;
mod dispatch;
mod failure;
pub mod families;
mod family_limits;
pub mod firing;
pub mod guides;
mod heartbeats;
pub mod http;
mod id;
mod idempotency;
mod inbox;
mod input_schema;
mod inventory;
mod label;
mod lifetime;
mod listed_resources;
mod listed_tools;
mod log;
mod mcp;
mod methods;
mod missing_scope;
mod mutex;
mod open_answer;
mod previews;
mod problems;
mod program_log;
pub mod protocol;
mod rendering;
mod resources;
mod response_model;
mod roster;
mod run_result;
mod running_program;
mod runs;
mod safety;
mod server;
mod sessions;
mod skill_runs;
mod skills;
pub mod skills_extension;
pub mod store;
mod subscriptions;
mod times;
mod tool;
mod tool_arguments;
mod tools;
mod type_words;
mod wrong_argument;

pub use caller::Caller;
pub use dibber_authorization::Issuer;
pub use failure::Failure;
pub use family_limits::{
    FAMILY_CANCELLED_MAX, FAMILY_EVENTS_MAX, FAMILY_HEARTBEATS_MAX, FAMILY_RESULTS_MAX,
    FAMILY_SKILLS_MAX,
};
pub use http::sign_in_address;
pub use inventory::Inventory;
pub use safety::{
    OnSafetyLine, SafetyCommand, SafetyDecision, SafetyKind, SafetyOutput, SafetyReason,
    SafetySubject, safety_input_schema, safety_output_schema,
};
pub use server::{Clock, SERVER, Server};
pub use tool_arguments::{ToolArguments, tool_arguments};
