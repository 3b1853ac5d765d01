//! Looking at the store and changing it for callers that wait, with results of any type.

use std::sync::mpsc;

use serde_json::Value;

use super::failure::Failure;
use super::store::{Reader, Store, Writer};

/// Looks at one consistent state.
pub(super) fn read<T>(
    store: &dyn Store,
    work: impl Fn(&dyn Reader) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut found = None;
    store.read(&mut |reader| {
        found = Some(work(reader)?);
        Ok(Value::Null)
    })?;
    found.ok_or_else(|| Failure::Internal("the store did not look".into()))
}

/// Makes a change, and waits until it is durable. Not for asynchronous tasks, since it holds up
/// its thread.
pub(super) fn write<T: Send + 'static>(
    store: &dyn Store,
    work: impl FnOnce(&dyn Writer) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let (made, result) = mpsc::channel();
    let (done, outcome) = mpsc::channel();
    let change = move |writer: &dyn Writer| {
        // Both ends wait below, so nobody has gone away.
        drop(made.send(work(writer)?));
        Ok(Value::Null)
    };
    store.write(Box::new(change), Box::new(move |outcome| drop(done.send(outcome))));
    outcome.recv().map_err(|gone| Failure::Internal(gone.into()))??;
    result.recv().map_err(|gone| Failure::Internal(gone.into()))
}
