//! The Skills Protocol: JSON-RPC 2.0 with eight methods, on skills in directories of the server.
//!
//! | step | module |
//! |---|---|
//! | a message is split into its calls, without parsing their parameters | `envelope` |
//! | the scope of the caller and the parameters are checked against the method | `dispatch`, `parameters` |
//! | a skill is found and read, on a thread that may block | `skills_protocol` |
//! | contents beside the calls are stored and read | [`blobs`] |
//! | a content that is too large for the memory is stored while it arrives | `upload`, `upload_slots`, `content_scanner` |
//! | code is planned, waits for its slot, runs in the sandbox, and is recorded, however it ends | `runs`, `run_slots`, `turns`, `started_run`, `sandbox_search`, `run_record` |
//! | what is too old is removed now and then | `maintenance` |

pub(crate) mod answer_rpc;
pub mod blobs;
mod content_scanner;
mod dispatch;
mod envelope;
mod maintenance;
mod mcp_tools;
mod parameters;
mod run_record;
mod run_slots;
mod runs;
mod sandbox_search;
mod scope;
mod skills_protocol;
mod started_run;
mod turns;
mod upload;
mod upload_slots;

pub use envelope::BATCH_CALLS_MAX;
pub use maintenance::{SweptRuns, sweep_runs};
pub(crate) use mcp_tools::{mcp_tool, mcp_tools, tool_error};
pub use skills_protocol::{OpenSandbox, RunOptions, SkillsProtocol};
pub(crate) use upload_slots::{UPLOADS_MAX, UPLOADS_OF_FAMILY_MAX, UPLOADS_OF_OWNER_MAX};
