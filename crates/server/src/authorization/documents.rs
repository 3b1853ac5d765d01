//! The documents that describe clients, at the addresses that are their ids.

use futures_util::future::BoxFuture;

/// Fetches the documents of clients.
pub trait FetchClientDocument: Send + Sync {
    /// Returns the document at an `https` address, which a stranger has chosen, or why it cannot be
    /// fetched.
    fn fetch<'a>(&'a self, address: &'a str) -> BoxFuture<'a, Result<Vec<u8>, String>>;
}
