//! Reading and writing with results of any type.

use std::sync::mpsc;

use tokio::sync::oneshot;

use super::engine::{Store, WriteJob};
use super::error::{StoreError, StoreResult};
use super::transaction::{Ending, Reader, Writer};
use dibber_text::isolation::isolated;

/// Reads and writes with results of any type. A panic in the work becomes an error.
pub trait StoreExt: Store {
    /// Runs `work` on one consistent state.
    fn read<T, E>(
        &self,
        work: impl FnOnce(&dyn Reader) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (done, result) = oneshot::channel();
        read_then(self, work, move |result| drop(done.send(result)));
        async move { result.await.unwrap_or_else(|_| Err(StoreError::Dropped.into())) }
    }

    /// Does the same as [`read`](Self::read), and blocks this thread until there is a result.
    fn read_blocking<T, E>(
        &self,
        work: impl FnOnce(&dyn Reader) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (done, result) = mpsc::channel();
        read_then(self, work, move |result| drop(done.send(result)));
        result.recv().unwrap_or_else(|_| Err(StoreError::Dropped.into()))
    }

    /// Runs `work` in one transaction, and returns its result once the transaction has ended. If it
    /// fails, nothing was changed. The transaction goes on if the future is dropped.
    fn write<T, E>(
        &self,
        work: impl FnOnce(&dyn Writer) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (done, result) = oneshot::channel();
        self.write_then(work, move |result| drop(done.send(result)));
        async move { result.await.unwrap_or_else(|_| Err(StoreError::Dropped.into())) }
    }

    /// Does the same as [`write`](Self::write), and blocks this thread until there is a result.
    fn write_blocking<T, E>(
        &self,
        work: impl FnOnce(&dyn Writer) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (done, result) = mpsc::channel();
        self.write_then(work, move |result| drop(done.send(result)));
        result.recv().unwrap_or_else(|_| Err(StoreError::Dropped.into()))
    }

    /// Does the same as [`write`](Self::write), and calls `done` with the result, on another thread.
    fn write_then<T, E>(
        &self,
        work: impl FnOnce(&dyn Writer) -> Result<T, E> + Send + 'static,
        done: impl FnOnce(Result<T, E>) + Send + 'static,
    ) where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.submit_write(Box::new(TypedJob { work: Some(work), result: None, done }));
    }
}

impl<S: Store + ?Sized> StoreExt for S {}

fn read_then<T, E: From<StoreError>>(
    store: &(impl Store + ?Sized),
    work: impl FnOnce(&dyn Reader) -> Result<T, E> + Send + 'static,
    done: impl FnOnce(Result<T, E>) + Send + 'static,
) {
    store.submit_read(Box::new(move |state| {
        done(state.map_err(E::from).and_then(|state| {
            isolated(|| work(state)).unwrap_or_else(|panic| Err(StoreError::new(panic).into()))
        }));
    }));
}

/// A job that holds its result until the end of the transaction is known.
struct TypedJob<T, E, W, D> {
    work: Option<W>,
    result: Option<Result<T, E>>,
    done: D,
}

impl<T, E, W, D> WriteJob for TypedJob<T, E, W, D>
where
    T: Send,
    E: From<StoreError> + Send,
    W: FnOnce(&dyn Writer) -> Result<T, E> + Send,
    D: FnOnce(Result<T, E>) + Send,
{
    fn run(&mut self, store: &dyn Writer) -> Ending {
        let Some(work) = self.work.take() else { return Ending::RollBack };
        let result =
            isolated(|| work(store)).unwrap_or_else(|panic| Err(StoreError::new(panic).into()));
        Ending::after(self.result.insert(result))
    }

    fn finish(self: Box<Self>, ended: StoreResult<()>) {
        let Self { result, done, .. } = *self;
        done(match (result, ended) {
            // An error of the work says more than that of the transaction, which often follows.
            (Some(Err(error)), _) => Err(error),
            (_, Err(error)) => Err(error.into()),
            (Some(result), Ok(())) => result,
            (None, Ok(())) => Err(StoreError::Dropped.into()),
        });
    }
}
