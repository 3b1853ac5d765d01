//! The resources of a family whose state changes: reading them, waiting for a change, and watching
//! them for as long as a client is connected.
//!
//! That a resource has changed is only said, not how: a client that is notified reads the resource again. A
//! version says whether that is needed.

mod access;
mod day;
mod list;
mod state;
mod wait;
mod watch;

pub(super) use access::{RefusedResource, may_watch};
pub(super) use list::{STATE_MIME_TYPE, TEMPLATES, WATCHED};
pub(super) use watch::{WATCHED_MAX, Watch};
