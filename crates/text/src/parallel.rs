//! The same work for many items, in a few threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The most threads; more do not help, since the work is the system's.
const THREADS_MAX: usize = 8;

/// The most items that a thread takes at a time.
const ITEMS_PER_STEP_MAX: usize = 16;

/// Returns the result of `work` for each item, in the order of the items. Another thread is started for
/// every `items_per_thread` of them: that is more than the items that take as long as starting one.
pub fn map<T: Sync, R: Send>(
    items: &[T],
    items_per_thread: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let step = (items_per_thread / 4).clamp(1, ITEMS_PER_STEP_MAX);
    let mut threads = (items.len() / items_per_thread.max(1)).min(THREADS_MAX);
    if threads > 1 {
        threads = threads.min(thread::available_parallelism().map_or(1, usize::from));
    }
    if threads <= 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut parts = Vec::new();
        loop {
            let start = next.fetch_add(step, Ordering::Relaxed);
            let Some(rest) = items.get(start..).filter(|rest| !rest.is_empty()) else { break };
            let part = &rest[..rest.len().min(step)];
            parts.push((start, part.iter().map(&work).collect::<Vec<_>>()));
        }
        parts
    };
    let mut parts = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut parts = take();
        for other in others {
            parts.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        parts
    });
    parts.sort_unstable_by_key(|(start, _)| *start);
    parts.into_iter().flat_map(|(_, results)| results).collect()
}
