//! A store that counts the changes that are made in it, and that fails them in the way a test sets.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use dibber_server::store::sqlite::SqliteStore;
use dibber_server::store::{
    Changes, Ending, ReadJob, Store, StoreError, StoreResult, WriteJob, Writer,
};

/// What happens to changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fault {
    /// They are made.
    #[default]
    None,
    /// They are undone, as when the disk is full.
    Undone,
    /// Those that end the last open run are undone.
    EndsUndone,
    /// They are made, and the answer is lost, as when a connection ends at the commit.
    AnswersLost,
    /// They wait for the next [`FaultyStore::set`].
    Held,
}

/// The store.
pub(crate) struct FaultyStore {
    inner: SqliteStore,
    fault: Mutex<Fault>,
    held: Mutex<Vec<Box<dyn WriteJob>>>,
    writes: AtomicUsize,
}

impl FaultyStore {
    /// Wraps a store; its changes are made until a fault is set.
    pub(crate) fn new(inner: SqliteStore) -> Arc<Self> {
        let (fault, held, writes) = (Mutex::default(), Mutex::default(), AtomicUsize::default());
        Arc::new(Self { inner, fault, held, writes })
    }

    /// Creates a store that is gone after the test.
    pub(crate) fn temporary() -> Arc<Self> {
        Self::new(SqliteStore::temporary().expect("a database"))
    }

    /// Sets what happens to changes from now on, and to those that were held.
    pub(crate) fn set(&self, fault: Fault) {
        *self.fault.lock().expect("a lock") = fault;
        let held: Vec<_> = self.held.lock().expect("a lock").drain(..).collect();
        for job in held {
            self.submit(job);
        }
    }

    /// Returns `true` if a change is held.
    pub(crate) fn holds_change(&self) -> bool {
        !self.held.lock().expect("a lock").is_empty()
    }

    /// Returns the number of changes since they were taken last, whatever happened to them.
    pub(crate) fn writes(&self) -> usize {
        self.writes.load(Ordering::SeqCst)
    }

    /// Returns the same number, and begins again at 0.
    pub(crate) fn take_writes(&self) -> usize {
        self.writes.swap(0, Ordering::SeqCst)
    }

    fn submit(&self, job: Box<dyn WriteJob>) {
        match *self.fault.lock().expect("a lock") {
            Fault::None => self.inner.submit_write(job),
            Fault::Held => self.held.lock().expect("a lock").push(job),
            fault => self.inner.submit_write(Box::new(FaultyJob { job, fault, fails: false })),
        }
    }
}

/// A change that fails.
struct FaultyJob {
    job: Box<dyn WriteJob>,
    fault: Fault,
    fails: bool,
}

impl WriteJob for FaultyJob {
    fn run(&mut self, store: &dyn Writer) -> Ending {
        let ending = self.job.run(store);
        let is_open = store.next_work().is_ok_and(|next| next.claim_at.is_some());
        self.fails = !(self.fault == Fault::EndsUndone && is_open);
        if self.fails && self.fault != Fault::AnswersLost { Ending::RollBack } else { ending }
    }

    fn finish(self: Box<Self>, ended: StoreResult<()>) {
        let error = StoreError::new("the disk is full");
        self.job.finish(if self.fails { Err(error) } else { ended });
    }
}

impl Store for FaultyStore {
    fn submit_read(&self, job: ReadJob) {
        self.inner.submit_read(job);
    }

    fn submit_write(&self, job: Box<dyn WriteJob>) {
        self.writes.fetch_add(1, Ordering::SeqCst);
        self.submit(job);
    }

    fn changes(&self) -> &Arc<Changes> {
        self.inner.changes()
    }

    fn follow(&self, after: i64) {
        self.inner.follow(after);
    }

    fn close(&self) {
        self.inner.close();
    }
}
