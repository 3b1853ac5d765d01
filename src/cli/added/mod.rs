//! Skills of others: adding, listing, verifying, updating and removing them.

pub(super) mod add;
mod carry_out;
mod choose;
mod document;
mod edits;
mod frozen;
mod install;
pub(super) mod list;
mod offered;
mod open;
mod page;
mod prepared;
pub(super) mod remove;
mod scope;
pub(super) mod update;
pub(super) mod verify;
