//! The linter: rules, levels, reports and fixes.

pub(crate) mod baseline;
pub(crate) mod config;
pub(crate) mod fuzz;
pub(crate) mod hostile;
pub(crate) mod limits;
pub(crate) mod one_fault;
pub(crate) mod repairs;
pub(crate) mod reports;
pub(crate) mod reports_of_hostile_text;
pub(crate) mod rules;
pub(crate) mod second_opinion;
pub(crate) mod secrets;
pub(crate) mod waivers;
mod workspace;
