//! The Skills Protocol, version 0.1: typed calls of its eight methods at any server.
//!
//! A call is one request of JSON-RPC 2.0 over HTTP, and its answer is bounded. What other servers
//! leave out or write in another way is read as far as its meaning is certain; anything else is a
//! protocol error. A call that reads is repeated if its answer is lost; one that runs or creates
//! something is sent again only if nothing of it can have reached the server.
//!
//! A call that is refused is a [`ClientError`](crate::ClientError); a run that failed is a
//! [`RemoteRun`] like any other.

mod answers;
mod client;
mod envelope;
mod exact_output;
mod fields;
mod post;
mod rpc_address;
mod run_answer;
mod whole_blob;

pub use answers::{RemoteBlob, RemoteFile, RemoteSkill, RemoteSkillsPage};
pub use client::{RpcServer, SkillsProtocolClient};
pub use run_answer::{RemoteRun, RunEnd};
