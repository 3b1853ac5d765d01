//! One call of a tool, from its name and arguments to its answer.

use std::sync::{MutexGuard, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::oneshot;

use super::call::{Call, ReadFn, Run, Tool};
use super::caller::Caller;
use super::failure::Failure;
use super::idempotency::{InFlight, Key, begin, envelope, open, replayed};
use super::store::Writer;
use super::{Server, arguments};
use dibber_text::isolation::isolated;

impl Server {
    /// Calls a tool. `key` makes the call happen once, however often it is sent.
    pub(super) async fn call(
        &self,
        tool: &'static Tool,
        caller: Caller,
        arguments: Map<String, Value>,
        key: Option<&str>,
    ) -> Result<Value, Failure> {
        if let Some(scope) = tool.scope {
            caller.needs(scope)?;
        }
        arguments::check(&arguments, tool.input)?;
        let call = Call { caller, arguments, now: (self.clock)() };
        let now = call.millisecond();
        let key = key.map(|key| Key::new(key, tool, &call)).transpose()?;
        match (tool.run, key) {
            (Run::Read(read), _) => self.read(read, &call),
            (Run::TwoStep { preview, .. }, _) if call.is_dry_run() => self.read(preview, &call),
            (Run::Write(write) | Run::TwoStep { commit: write, .. }, key) => {
                self.write_once(move |store| write(&call, store), now, key).await
            }
            (Run::ReadThenRecord { read, record }, None) => {
                let answer = self.read(read, &call)?;
                self.write_detached(move |store| record(&call, store));
                Ok(answer)
            }
            (Run::ReadThenRecord { read, record }, key) => {
                let read_and_record = move |store: &dyn Writer| {
                    let answer = read(&call, store)?;
                    record(&call, store).map(|()| answer)
                };
                self.write_once(read_and_record, now, key).await
            }
        }
    }

    fn read(&self, read: ReadFn, call: &Call) -> Result<Value, Failure> {
        isolated(|| self.store.read(&mut |store| read(call, store)))
            .unwrap_or_else(|error| Err(Failure::Internal(error.into())))
    }

    /// Writes without waiting for the outcome.
    fn write_detached(
        &self,
        record: impl FnOnce(&dyn Writer) -> Result<(), Failure> + Send + 'static,
    ) {
        let record = move |store: &dyn Writer| record(store).map(|()| Value::Null);
        self.store.write(
            Box::new(record),
            Box::new(|recorded| {
                if let Err(Failure::Internal(cause)) = recorded {
                    tracing::warn!(%cause, "an invocation was not recorded");
                }
            }),
        );
    }

    /// Writes, once for each key.
    async fn write_once(
        &self,
        change: impl Fn(&dyn Writer) -> Result<Value, Failure> + Send + 'static,
        now: i64,
        key: Option<Key>,
    ) -> Result<Value, Failure> {
        let Some(key) = key else { return self.commit(change).await };
        begin(&mut self.in_flight(), &key)?;
        let ends = Ends { server: self.clone(), key: key.clone() };
        let envelope = self.commit(move |store| {
            // It lives until the change is made, also when nobody waits for the answer any more.
            let _ends = ends;
            if let Some(answered) = key.answered(store, now)? {
                return Ok(replayed(answered));
            }
            let envelope = envelope(store.attempt(&mut || change(store)))?;
            key.remember(&envelope, store, now)?;
            Ok(envelope)
        });
        open(envelope.await?)
    }

    async fn commit(
        &self,
        change: impl FnOnce(&dyn Writer) -> Result<Value, Failure> + Send + 'static,
    ) -> Result<Value, Failure> {
        let (done, wait) = oneshot::channel();
        // Whoever asked may have gone away; the change stands all the same.
        self.store.write(Box::new(change), Box::new(|result| drop(done.send(result))));
        wait.await.unwrap_or_else(|gone| Err(Failure::Internal(gone.into())))
    }

    fn in_flight(&self) -> MutexGuard<'_, InFlight> {
        self.in_flight.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Frees a key when its call has ended, however it ended.
struct Ends {
    server: Server,
    key: Key,
}

impl Drop for Ends {
    fn drop(&mut self) {
        self.server.in_flight().remove(&self.key.name());
    }
}
