//! Calls that change something that exists, on servers that do not recognise a call that is sent
//! again.

use std::cell::Cell;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::client::Client;
use super::error::ClientError;
use super::failure::{Effect, Failure, NextAttempt};
use super::journal::Operation;
use super::retry_safety::RetrySafety;
use super::typed::{object, read_answer};

impl Client {
    /// Calls a tool that changes something. A server of another make may not honour the key, and
    /// refuse a change that an attempt without an answer has made. So `find` reads whether it is made
    /// before the call is sent again, and if it is refused then.
    pub(crate) async fn change_or_find<T: DeserializeOwned>(
        &self,
        (tool, arguments): (&str, &impl Serialize),
        operation: &Operation,
        find: impl AsyncFn() -> Result<Option<T>, ClientError>,
    ) -> Result<T, ClientError> {
        let arguments = &object(arguments);
        let safety = RetrySafety::Keyed(operation.key());
        if self.is_server_of_dibber().await? {
            let answer = self.send(tool, arguments, Some(safety)).await?;
            return read_answer(tool, answer, safety);
        }
        let find = &find;
        let may_be_made = &Cell::new(false);
        let attempt = |deadline| async move {
            let is_repeated = may_be_made.get();
            if is_repeated && let Some(found) = look(find).await? {
                return Ok(found);
            }
            match self.call_once(tool, arguments, Some(safety), deadline).await {
                Ok(answer) => read_answer(tool, answer, safety).map_err(Failure::permanent),
                Err(failure) => {
                    may_be_made.set(is_repeated || failure.effect == Effect::MayHaveApplied);
                    after_refusal(failure, is_repeated, find).await
                }
            }
        };
        self.until_done(attempt).await
    }
}

/// Returns what an attempt without an answer has done if the one after it was refused: the first may
/// have arrived after the look at what the server has. If that does not show it, the outcome is
/// unknown.
pub(crate) async fn after_refusal<T>(
    failure: Failure,
    is_repeated: bool,
    find: &impl AsyncFn() -> Result<Option<T>, ClientError>,
) -> Result<T, Failure> {
    if !is_repeated || failure.next_attempt != NextAttempt::Never {
        return Err(failure);
    }
    let found = look(find).await?;
    found.ok_or_else(|| Failure::permanent(failure.error.with_unknown_outcome()))
}

/// Looks for what an attempt without an answer has done.
pub(crate) async fn look<T>(
    find: &impl AsyncFn() -> Result<Option<T>, ClientError>,
) -> Result<Option<T>, Failure> {
    let found = Box::pin(find()).await;
    found.map_err(|error| Failure::permanent(error.with_unknown_outcome()))
}
