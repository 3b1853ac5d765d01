//! What an engine implements: running work in transactions.
//!
//! An engine runs its jobs on threads of its own, so that no caller has to wait on its own thread:
//! an asynchronous task awaits the result, and another caller blocks for it.

use std::sync::Arc;

use super::changes::Changes;
use super::error::StoreResult;
use super::transaction::{Ending, Reader, Writer};

/// Where the server stores everything.
///
/// An engine implements this trait, and on its transactions the traits of each subject that
/// [`Reader`] and [`Writer`] are made of. With results of any type it is used by
/// [`StoreExt`](super::StoreExt).
pub trait Store: Send + Sync {
    /// Runs a job on one consistent state, soon, on another thread. It sees every change that had
    /// ended before, and does not wait for those that have not.
    fn submit_read(&self, job: ReadJob);

    /// Runs a job in a transaction, soon, on another thread. Jobs that are submitted one after the
    /// other may run at the same time, but each as if it were alone: what it reads stays true until
    /// it ends.
    ///
    /// When too many jobs are waiting, or the store is closed, the job ends at once with an error.
    fn submit_write(&self, job: Box<dyn WriteJob>);

    /// Returns who waits for changes of this store.
    fn changes(&self) -> &Arc<Changes>;

    /// Wakes the subscribers for what other processes have changed after a version, and for what they
    /// change from now on, as long as there is a subscriber.
    fn follow(&self, after: i64);

    /// Waits for the jobs that were submitted, and closes. Later ones end with an error.
    fn close(&self);
}

/// Work that looks at the store. It is called once, with a consistent state or with the reason why
/// there is none.
pub type ReadJob = Box<dyn FnOnce(StoreResult<&dyn Reader>) + Send>;

/// Work that changes the store, in one transaction.
pub trait WriteJob: Send {
    /// Runs the changes. It is called once, or not at all if the job cannot be run.
    fn run(&mut self, store: &dyn Writer) -> Ending;

    /// Reports the end of the job: `Ok` if it ended as [`run`](Self::run) returned, so after
    /// [`Ending::Commit`] the changes are durable; after an error nothing was changed, unless the
    /// connection to the server of a database was lost during the commit: then it is not known.
    fn finish(self: Box<Self>, ended: StoreResult<()>);
}
