//! Many calls of a server, a few at a time.

use std::future::Future;

use futures_util::stream::{self, StreamExt};

/// The most calls that are under way at once.
const CALLS_AT_ONCE_MAX: usize = 16;

/// Runs `work` for every item, for a few of them at once, and passes on each result as soon as it
/// is there.
pub(crate) async fn for_each_concurrent<T, R, F: Future<Output = R>>(
    items: impl IntoIterator<Item = T>,
    work: impl FnMut(T) -> F,
    mut done: impl FnMut(R),
) {
    let calls = stream::iter(items.into_iter().map(work)).buffer_unordered(CALLS_AT_ONCE_MAX);
    let mut calls = std::pin::pin!(calls);
    while let Some(result) = calls.next().await {
        done(result);
    }
}
