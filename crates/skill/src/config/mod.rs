//! `dibber.toml` as data: levels, overrides, waivers, what to leave out, servers, and programs.
//!
//! Every value keeps its bytes, so that an error, or a waiver that is no longer needed, is shown
//! in the file itself. Parsing never stops at the first fault: [`parse`] returns the
//! configuration and all errors. Nothing here knows which rules there are, and nothing reads a
//! file.

mod directory;
mod error;
mod model;
mod pattern;
mod read;
mod runner;
mod sandbox;
mod servers;
mod value;

use std::sync::Arc;

pub use directory::ConfigDirectory;
pub use error::ConfigError;
pub use model::{
    CONFIG_BYTES_MAX, CONFIG_FILE_NAME, Config, ContainerEntry, ContainerRuntime, LevelEntry,
    NamedServer, Override, RunnerCommand, RunnerEntry, RunnerTarget, SafetyEntry, SandboxEntry,
    SandboxMode, ServerEntry, SpannedNumber, SpannedString, Waiver,
};
pub use pattern::PathPattern;

use dibber_text::Source;

/// Parses a `dibber.toml`; returns what could be read and everything that is wrong with it, in the
/// order of the file.
pub fn parse(source: Source) -> (Config, Vec<ConfigError>) {
    read::config(&Arc::new(source))
}
