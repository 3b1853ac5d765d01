//! What the connections of a server are allowed.

use std::time::Duration;

/// The limits of a server's connections.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most connections at once that have shown a token that the server knows.
    pub authenticated_max: usize,
    /// The most connections at once that have not, or not yet; at least 1. They have places of their own, so
    /// that no number of them keeps a client with a token from being served.
    pub unauthenticated_max: usize,
    /// How long the head of a request may take to arrive, and how long a connection may be idle.
    pub head_time: Duration,
    /// How long an answer may wait for its reader to take any of it.
    pub write_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            authenticated_max: 256,
            unauthenticated_max: 256,
            head_time: Duration::from_secs(15),
            write_time: Duration::from_secs(30),
        }
    }
}
