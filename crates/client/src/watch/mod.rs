//! Watching what changes on a server: a workflow of several calls, which goes on after the connection
//! was lost.

mod call;
mod change;
mod interruption;
mod subject;
mod watcher;

pub use change::{ResourceChange, ResourceNews, WatchEvent};
pub use watcher::Watcher;
