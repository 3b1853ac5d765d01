//! The server: families, skills and heartbeats behind MCP.
//!
//! A call comes in by a connection ([`Server::serve`] for a pair of pipes, `http` for the
//! network) → its tool is looked up and its arguments are checked against the tool's fields →
//! the tool looks at the [`store`] or changes it → the envelope.

mod arguments;
mod call;
mod caller;
mod calls;
mod canvases;
mod cursor;
mod failure;
pub mod families;
mod fields;
pub mod guides;
mod heartbeats;
pub mod http;
mod id;
mod idempotency;
mod inventory;
mod label;
mod log;
mod mcp;
mod roster;
mod shape;
mod skills;
pub mod store;
mod times;
mod tools;

use std::sync::Arc;

use jiff::Timestamp;

pub use caller::Caller;
pub use failure::Failure;
pub use inventory::Inventory;

use idempotency::InFlight;
use store::Store;

/// What answers, and its version.
pub const SERVER: &str = concat!("dibber ", env!("CARGO_PKG_VERSION"));

/// Tells the time.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// A server. Its copies share everything.
#[derive(Clone)]
pub struct Server {
    store: Arc<dyn Store>,
    clock: Clock,
    in_flight: InFlight,
}

impl Server {
    /// A server over a store.
    pub fn new(store: Arc<dyn Store>, clock: Clock) -> Self {
        Self { store, clock, in_flight: InFlight::default() }
    }

    /// The store.
    pub fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }
}
