//! A run of the linter over many skills.
//!
//! A [`Workspace`] holds the settings and the unsaved files. [`Workspace::run`] finds the skills,
//! loads and lints them in parallel, and passes an [`Event`] for each to the caller, in the order
//! of their paths whatever the number of threads. A skill is dropped as soon as it is linted, so
//! few are in memory. Fixes are planned here and written by the caller.

mod configuration;
mod event;
mod input;
mod run;

pub use configuration::{ConfigChoice, ConfigurationError, Environment, load_settings};
pub use event::{Event, SkillFixes, SkillReport};
pub use input::{Input, PathsWithoutSkill, RunOptions, SkillChange, Workspace};
