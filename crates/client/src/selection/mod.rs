//! The selection of a server: which one a program connects to, why, and with which token.
//!
//! The caller passes what the command line and the environment contain, and where the files of
//! configuration are, in a [`ServerRequest`]; nothing here reads the environment. A project comes
//! from elsewhere, so its `dibber.toml` may name a server, but neither which of the user's files is
//! sent there nor, unless the user trusts that server, that a token is sent at all.

mod client_files;
mod config_file;
mod configured;
mod error;
mod jsonc;
mod named_server;
mod request;
mod server;
mod server_name;
mod trust;

pub use client_files::{ClientFile, ClientServerProblem, FileOwner};
pub use configured::{ConfiguredServer, ConfiguredTransport};
pub use error::{ConfigProblem, ConfigProblemKind, SelectionError};
pub use request::ServerRequest;
pub use server::{SERVER_VARIABLE, ServerSelection, ServerSource, ServerTarget};
pub use server_name::{LOCAL_SERVER, ServerNameCause, ServerNameError, ServerSuggestion};
