//! The integration tests, as one binary. Directories mirror the packages, and a new file is a `mod`
//! line in the `mod.rs` of its directory.

mod architecture;
mod cli;
mod client;
mod documentation;
mod import_cycles;
mod lint;
mod schedule;
mod server;
mod skill;
mod support;
mod workflows;
