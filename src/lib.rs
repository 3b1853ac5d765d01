//! dibber, the hand tool for Agent Skills, as a library.
//!
//! # The house
//!
//! A module imports only from floors below its own. A test reads this table and fails on any
//! import that climbs.
//!
//! | floor | module | what lives there | never |
//! |---|---|---|---|
//! | 0 | `text` | byte spans, source files, line index, escaping of untrusted text | I/O |
//! | 1 | `skill` | `SKILL.md` and its folder as data; parsing never fails, it returns the value and the faults | I/O, serde |
//! | 1 | `diagnostic` | rule metadata, finding, labels, fix | printing |
//! | 2 | `config` | `dibber.toml` as data with spans | I/O |
//! | 2 | `report` | findings to bytes, one file per format | knowing `lint` |
//! | 3 | `discover` | paths to skill folders; the only reader of skill trees | |
//! | 4 | `lint` | the runner, levels, waivers, fixes, and `rules` with a file per rule | I/O, printing |
//! | 6 | `cli` | a file per command; the only place with clap, stdout, exit codes and the clock | logic another caller would want |
//!
//! # How data flows
//!
//! Paths → [`discover`] → bytes → [`skill`] → [`lint`] → findings → levels and waivers →
//! [`report`] → stdout.

pub mod cli;
pub mod config;
pub mod diagnostic;
pub mod discover;
pub mod lint;
pub mod report;
pub mod skill;
pub mod text;
