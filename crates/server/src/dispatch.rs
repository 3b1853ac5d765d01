//! Dispatch of one call: from the name of its tool and its arguments to its answer.

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::time::Instant;

use super::arguments;
use super::caller::Caller;
use super::failure::Failure;
use super::idempotency::{CallKey, decode_answer, encode_answer, replayed};
use super::roster::{self, FamilyMask};
use super::server::Server;
use super::store::{FamilyId, StoreExt, Writer, attempt};
use super::tool::{Call, ReadFn, Run, Tool};
use dibber_skill::contract::IDEMPOTENCY_ARGUMENT;
use dibber_skill::names::Roster;

/// The most times that one call is judged by the safety check: what it publishes may depend on what
/// others write in the meantime.
const SAFETY_CHECKS_MAX: usize = 3;

/// Fails if an answer that is to be repeated does not hold any more.
type Check = Box<dyn FnOnce(&dyn Writer, &Value) -> Result<(), Failure> + Send>;

impl Server {
    /// Calls a tool. A call with a key takes effect once, however often it is sent; `keys` has a key
    /// for each place that the request names one in, except for its arguments.
    pub(super) async fn call(
        &self,
        tool: &'static Tool,
        caller: Caller,
        arguments: Map<String, Value>,
        mut keys: Vec<String>,
    ) -> Result<Value, Failure> {
        if let Some(scope) = tool.scope {
            caller.needs(scope)?;
        }
        let mut arguments = match arguments::check(arguments, tool.input.parsed()) {
            Ok(arguments) => arguments,
            Err(invalid) => {
                let roster = &self.roster(caller.family).await?;
                return Err(invalid.into_failure(&FamilyMask { roster }));
            }
        };
        // It is no part of what the call does: neither the spec-hash nor the fingerprint has it.
        if let Some(Value::String(key)) = arguments.remove(IDEMPOTENCY_ARGUMENT) {
            keys.push(key);
        }
        let safety = self.unchecked();
        let mut call = Arc::new(Call { caller, arguments, now: (self.clock)(), safety });
        let key = CallKey::parse(&keys, tool, &call)?;
        let began = Instant::now();
        for _ in 0..SAFETY_CHECKS_MAX {
            match self.run(tool, Arc::clone(&call), key.clone()).await {
                Err(Failure::NeedsSafetyCheck(subject)) => {
                    let safety = self.check_safety(&call.caller, subject, began).await?;
                    Arc::make_mut(&mut call).safety = safety;
                }
                ended => return ended,
            }
        }
        self.run(tool, call, key).await
    }

    /// Returns the names of the children of a family.
    pub(super) async fn roster(&self, family: FamilyId) -> Result<Roster, Failure> {
        self.store.read(move |store| roster::load(store, &family)).await
    }

    async fn run(
        &self,
        tool: &'static Tool,
        call: Arc<Call>,
        key: Option<CallKey>,
    ) -> Result<Value, Failure> {
        let now = call.millisecond();
        match (tool.run, key) {
            (Run::Read(read), _) => self.read(read, call).await,
            (Run::Wait, _) => self.wait_for_change(&call).await,
            (Run::TwoStep { preview, record, .. }, _) if call.is_dry_run() => {
                let answer = self.read(preview, Arc::clone(&call)).await?;
                if call.safety.asks_for_review() {
                    self.store.write(move |store| record(&call, store)).await?;
                }
                Ok(answer)
            }
            (Run::Write(write) | Run::TwoStep { commit: write, .. }, key) => {
                self.write_once(move |store| write(&call, store), now, key, None).await
            }
            (Run::WriteForAWhile { write, check }, key) => {
                let (again, call) = (Arc::clone(&call), call);
                let check: Check = Box::new(move |store, answer| check(&again, store, answer));
                self.write_once(move |store| write(&call, store), now, key, Some(check)).await
            }
            (Run::ReadThenRecord { read, record }, None) => {
                let answer = self.read(read, Arc::clone(&call)).await?;
                self.write_detached(move |store| record(&call, store));
                Ok(answer)
            }
            (Run::ReadThenRecord { read, record }, key) => {
                let read_and_record = move |store: &dyn Writer| {
                    let answer = read(&call, store)?;
                    record(&call, store).map(|()| answer)
                };
                self.write_once(read_and_record, now, key, None).await
            }
        }
    }

    async fn read(&self, read: ReadFn, call: Arc<Call>) -> Result<Value, Failure> {
        self.store.read(move |store| read(&call, store)).await
    }

    /// Writes without waiting for the outcome.
    fn write_detached(
        &self,
        record: impl FnOnce(&dyn Writer) -> Result<(), Failure> + Send + 'static,
    ) {
        self.store.write_then(record, |recorded| {
            if let Err(Failure::Internal(cause)) = recorded {
                tracing::warn!(%cause, "an invocation was not recorded");
            }
        });
    }

    /// Writes, once for each key. What was answered to the key is answered again unless `check` fails.
    async fn write_once(
        &self,
        write: impl FnOnce(&dyn Writer) -> Result<Value, Failure> + Send + 'static,
        now: i64,
        key: Option<CallKey>,
        check: Option<Check>,
    ) -> Result<Value, Failure> {
        let Some(key) = key else { return self.store.write(write).await };
        let guard = self.in_flight.begin(&key)?;
        let envelope = self.store.write(move |store| -> Result<_, Failure> {
            // The key is in flight until the write has run, even if the caller has hung up.
            let _guard = guard;
            if let Some(answered) = key.claim(store, now)? {
                check.map_or(Ok(()), |check| check(store, &answered))?;
                return Ok(replayed(answered));
            }
            // Of a refused write, only the record of its refusal remains.
            let envelope = encode_answer(attempt(store, || write(store)))?;
            key.record(&envelope, store, now)?;
            Ok(envelope)
        });
        decode_answer(envelope.await?)
    }
}
