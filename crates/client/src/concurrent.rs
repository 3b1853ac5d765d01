//! Concurrent calls of a server, limited in number.

use std::future::Future;

use futures_util::stream::{self, StreamExt};

/// The most concurrent calls.
const CONCURRENT_CALLS_MAX: usize = 16;

/// Runs `work` for every item, for a limited number of them concurrently, and passes each result to
/// `done` as soon as it is available.
pub(crate) async fn for_each_concurrent<T, R, F: Future<Output = R>>(
    items: impl IntoIterator<Item = T>,
    work: impl FnMut(T) -> F,
    mut done: impl FnMut(R),
) {
    let calls = stream::iter(items.into_iter().map(work)).buffer_unordered(CONCURRENT_CALLS_MAX);
    let mut calls = std::pin::pin!(calls);
    while let Some(result) = calls.next().await {
        done(result);
    }
}
