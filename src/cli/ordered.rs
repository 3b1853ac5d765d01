//! Work done by several threads, with results in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Condvar, Mutex};
use std::thread;

/// How many results may be finished and not consumed yet, per thread; it bounds the memory.
const AHEAD_MAX: usize = 64;
/// The most threads.
const THREADS_MAX: usize = 16;

/// Does `work` on every item and hands the results to `consume` in the order of the items.
///
/// `consume` runs on the calling thread and may end it all early.
pub(super) fn for_each_ordered<'a, T: Sync, R: Send, B>(
    items: &'a [T],
    work: impl Fn(&'a T) -> R + Sync,
    mut consume: impl FnMut(R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.iter().try_for_each(|item| consume(work(item)));
    }
    let gate = Gate::new(threads * AHEAD_MAX);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(threads * AHEAD_MAX);
        for _ in 0..threads {
            let (sender, gate, next, work) = (sender.clone(), &gate, &next, &work);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if !gate.wait_for(index) || sender.send((index, work(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, result) in receiver {
            early.insert(index, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                if let ControlFlow::Break(value) = consume(result) {
                    gate.close();
                    return ControlFlow::Break(value);
                }
            }
            gate.open_to(due);
        }
        ControlFlow::Continue(())
    })
}

/// Keeps fast threads from running far ahead of the result that is due.
struct Gate {
    ahead: usize,
    due: Mutex<usize>,
    moved: Condvar,
    closed: AtomicBool,
}

impl Gate {
    fn new(ahead: usize) -> Self {
        Self { ahead, due: Mutex::new(0), moved: Condvar::new(), closed: AtomicBool::new(false) }
    }

    /// Waits until the work of that index may begin; false when nobody wants it any more.
    fn wait_for(&self, index: usize) -> bool {
        let due = self.due.lock().expect("no thread panics while it holds this lock");
        let _due = self
            .moved
            .wait_while(due, |due| {
                !self.closed.load(Ordering::Relaxed) && index >= *due + self.ahead
            })
            .expect("no thread panics while it holds this lock");
        !self.closed.load(Ordering::Relaxed)
    }

    fn open_to(&self, due: usize) {
        *self.due.lock().expect("no thread panics while it holds this lock") = due;
        self.moved.notify_all();
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.open_to(usize::MAX - self.ahead);
    }
}
