//! Runs of heartbeats: those that are due, those that were, and executing one by hand.

pub(super) mod arguments;
pub(super) mod claim;
pub(super) mod end;
mod find;
mod json;
pub(super) mod list;
