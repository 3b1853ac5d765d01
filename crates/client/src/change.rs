//! Writes on servers that do not recognise a call that is sent again.

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
    /// Calls a tool that changes something. `find` reads whether the change is made. What an earlier
    /// run has changed was compared before.
    pub(crate) async fn change_or_find<T: DeserializeOwned>(
        &self,
        call: (&str, &impl Serialize),
        operation: &Operation,
        find: impl AsyncFn() -> Result<Option<T>, ClientError>,
    ) -> Result<T, ClientError> {
        self.call_or_find(call, operation, false, &find).await
    }

    /// Calls a tool that changes something as [`Client::change_or_find`] does. An error in words alone
    /// says nothing of what was changed: `find` reads whether the change is made, and `is_unchanged`
    /// whether nothing was.
    pub(crate) async fn change_or_read<T: DeserializeOwned>(
        &self,
        call: (&str, &impl Serialize),
        operation: &Operation,
        find: impl AsyncFn() -> Result<Option<T>, ClientError>,
        is_unchanged: impl AsyncFn() -> Result<bool, ClientError>,
    ) -> Result<T, ClientError> {
        let message = match self.call_or_find(call, operation, false, &find).await {
            Err(ClientError::Failed { message, may_have_applied: true }) => message,
            answer => return answer,
        };
        // What cannot be read now is compared by the next run.
        match Box::pin(find()).await {
            Ok(Some(found)) => Ok(found),
            Ok(None) if Box::pin(is_unchanged()).await == Ok(true) => {
                Err(ClientError::NotApplied(message))
            }
            Ok(None) | Err(_) => Err(ClientError::Failed { message, may_have_applied: true }),
        }
    }

    /// Calls a tool that writes. A server of another make may not honour the key, so that a call that
    /// is sent again takes effect twice or is refused. So `find` looks for what an attempt without an
    /// answer has done before the call is sent again, and if it is refused then; with `may_be_done`,
    /// also before the first attempt.
    pub(crate) async fn call_or_find<T: DeserializeOwned>(
        &self,
        (tool, arguments): (&str, &impl Serialize),
        operation: &Operation,
        may_be_done: bool,
        find: &impl AsyncFn() -> Result<Option<T>, ClientError>,
    ) -> Result<T, ClientError> {
        let arguments = &object(arguments);
        let safety = RetrySafety::Keyed(operation.key());
        if self.is_server_of_dibber().await? {
            let answer = self.send(tool, arguments, Some(safety)).await?;
            return read_answer(tool, answer, safety);
        }
        let is_lost = &Cell::new(false);
        let attempt = |deadline| async move {
            let is_repeated = is_lost.get();
            if (is_repeated || may_be_done)
                && let Some(found) = look(find).await.map_err(Failure::permanent)?
            {
                return Ok(found);
            }
            match self.call_once(tool, arguments, Some(safety), deadline).await {
                Ok(answer) => read_answer(tool, answer, safety).map_err(Failure::permanent),
                Err(failure) => {
                    is_lost.set(is_repeated || failure.effect == Effect::MayHaveApplied);
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
async fn after_refusal<T>(
    failure: Failure,
    is_repeated: bool,
    find: &impl AsyncFn() -> Result<Option<T>, ClientError>,
) -> Result<T, Failure> {
    if !is_repeated || failure.next_attempt != NextAttempt::Never {
        return Err(failure);
    }
    let found = look(find).await.map_err(Failure::permanent)?;
    found.ok_or_else(|| Failure::permanent(failure.error.with_unknown_outcome()))
}

/// Looks for what an attempt without an answer has done.
pub(crate) async fn look<T>(
    find: &impl AsyncFn() -> Result<Option<T>, ClientError>,
) -> Result<Option<T>, ClientError> {
    Box::pin(find()).await.map_err(ClientError::with_unknown_outcome)
}
