//! A parallel map whose results come in order.
//!
//! It streams: results are consumed on the calling thread while later items are still worked on,
//! and a gate bounds how many wait, so that a run over a large tree holds few of them in memory
//! and prints the first findings at once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;

/// The most items that a thread takes at once, so that threads seldom have to wake each other.
const BATCH_ITEMS_MAX: usize = 32;
/// The most batches per thread that are finished and not consumed yet; it bounds the memory.
const BATCHES_AHEAD_MAX: usize = 4;
/// The most threads.
const THREADS_MAX: usize = 16;

/// Does `work` on every item, in parallel, and passes the results to `consume` in the order of
/// the items.
///
/// `consume` runs on the calling thread. If it breaks, no further batch is started.
pub fn for_each_ordered<'a, T: Sync, R: Send, B>(
    items: &'a [T],
    work: impl Fn(&'a T) -> R + Sync,
    mut consume: impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let batch_items = (items.len() / threads / BATCHES_AHEAD_MAX).clamp(1, BATCH_ITEMS_MAX);
    let threads = threads.min(items.len().div_ceil(batch_items));
    if threads <= 1 {
        return items.iter().try_for_each(|item| consume(work(item)));
    }
    let gate = Gate::new(threads * BATCHES_AHEAD_MAX);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let _closer = CloseOnPanic(&gate);
        let (sender, receiver) = sync_channel(threads * BATCHES_AHEAD_MAX);
        for _ in 0..threads {
            let (sender, gate, next, work) = (sender.clone(), &gate, &next, &work);
            scope.spawn(move || {
                let _closer = CloseOnPanic(gate);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(batch) = items.chunks(batch_items).nth(index) else { break };
                    if !gate.wait_for(index) {
                        break;
                    }
                    let results: Vec<R> = batch.iter().map(work).collect();
                    if sender.send((index, results)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let ended = consume_in_order(&receiver, &gate, &mut consume);
        gate.close();
        ended
    })
}

fn consume_in_order<R, B>(
    receiver: &Receiver<(usize, Vec<R>)>,
    gate: &Gate,
    consume: &mut impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    // Batches that finished before an earlier one wait here for it.
    let mut early = BTreeMap::new();
    let mut due = 0;
    for (index, results) in receiver {
        early.insert(index, results);
        while let Some(results) = early.remove(&due) {
            due += 1;
            results.into_iter().try_for_each(&mut *consume)?;
        }
        gate.open_to(due);
    }
    ControlFlow::Continue(())
}

/// Keeps fast threads from running far ahead of the batch that is due.
struct Gate {
    ahead: usize,
    /// The batch that is due; none if no more are consumed.
    due: Mutex<Option<usize>>,
    moved: Condvar,
}

impl Gate {
    fn new(ahead: usize) -> Self {
        Self { ahead, due: Mutex::new(Some(0)), moved: Condvar::new() }
    }

    /// Waits until work on a batch may begin. Returns `false` if it is not needed any more.
    fn wait_for(&self, index: usize) -> bool {
        let is_far_ahead =
            |due: &mut Option<usize>| due.is_some_and(|due| index >= due + self.ahead);
        let due = self.moved.wait_while(self.lock(), is_far_ahead);
        due.is_ok_and(|due| due.is_some())
    }

    /// Lets threads continue up to the batches ahead of `due`; a closed gate stays closed.
    fn open_to(&self, due: usize) {
        let mut gate = self.lock();
        *gate = gate.map(|_| due);
        drop(gate);
        self.moved.notify_all();
    }

    fn close(&self) {
        *self.lock() = None;
        self.moved.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Option<usize>> {
        self.due.lock().expect("no thread panics while it holds this lock")
    }
}

/// Closes the gate if its thread panics: the batch that is due will then never come, and all
/// others would wait for it instead of letting the panic end the program.
struct CloseOnPanic<'a>(&'a Gate);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_with(work: impl Fn(usize) -> usize + Sync) -> Vec<usize> {
        let items: Vec<usize> = (0..10_000).collect();
        let mut results = Vec::new();
        let ended: ControlFlow<()> = for_each_ordered(
            &items,
            |item| work(*item),
            |result| {
                results.push(result);
                ControlFlow::Continue(())
            },
        );
        assert!(ended.is_continue());
        results
    }

    #[test]
    fn results_come_in_order() {
        assert_eq!(run_with(|item| item), (0..10_000).collect::<Vec<_>>());
    }

    #[test]
    #[should_panic(expected = "panicked")]
    fn a_panic_in_a_thread_ends_it_all() {
        run_with(|item| if item == 0 { panic!("the work has panicked") } else { item });
    }
}
