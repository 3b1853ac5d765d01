//! Writes on servers that do not recognise a call that is sent again.

use std::cell::Cell;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::client::Client;
use super::error::ClientError;
use super::failure::{Effect, Failure, NextAttempt};
use super::journal::Operation;
use super::late_effect::seconds_in_flight;
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
        self.send_change(call, operation, &find).await
    }

    /// Calls a tool as [`Client::call_or_find`] does, and records when it is sent: it is not expected to
    /// take effect long after that. An entry without that only ends later.
    async fn send_change<T: DeserializeOwned>(
        &self,
        call: (&str, &impl Serialize),
        operation: &Operation,
        find: &impl AsyncFn() -> Result<Option<T>, ClientError>,
    ) -> Result<T, ClientError> {
        drop(operation.mark_sent());
        let answer = self.call_or_find(call, operation, false, find).await;
        if answer.as_ref().is_err_and(ClientError::may_have_applied) {
            // It may have waited for an answer for long.
            drop(operation.mark_sent());
        }
        answer
    }

    /// Calls a tool that changes something as [`Client::change_or_find`] does. An error in words alone
    /// says nothing of what was changed: `find` reads whether the change is made, and `is_unchanged`
    /// whether nothing was. What an earlier run has sent may arrive even after that.
    pub(crate) async fn change_or_read<T: DeserializeOwned>(
        &self,
        call: (&str, &impl Serialize),
        operation: &Operation,
        find: impl AsyncFn() -> Result<Option<T>, ClientError>,
        is_unchanged: impl AsyncFn() -> Result<bool, ClientError>,
    ) -> Result<T, ClientError> {
        if self.is_server_of_dibber().await? {
            // It does not answer in words.
            return self.change_or_find(call, operation, find).await;
        }
        let earlier = seconds_since_earlier_run(operation)?;
        mark_sent(operation)?;
        let message = match self.call_or_find(call, operation, false, &find).await {
            Err(ClientError::Failed { message, may_have_applied: true }) => message,
            Err(error) if error.may_have_applied() => {
                // It may have waited for an answer for long.
                mark_sent(operation)?;
                return Err(error);
            }
            Err(error) => {
                // Then the next run asks for what was sent before, as if this one had sent nothing.
                drop(operation.unmark_sent());
                return Err(error);
            }
            answer => return answer,
        };
        // What cannot be read now is compared by the next run.
        match Box::pin(find()).await {
            Ok(Some(found)) => Ok(found),
            Ok(None) if Box::pin(is_unchanged()).await == Ok(true) => {
                drop(operation.unmark_sent());
                Err(earlier.map_or_else(
                    || ClientError::NotApplied(message.clone()),
                    |seconds| may_be_in_flight(seconds, &message),
                ))
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
        let honours_keys = self.honours_keys(tool).await?;
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
                    let failure = if honours_keys { failure } else { failure.without_promises() };
                    is_lost.set(is_repeated || failure.effect == Effect::MayHaveApplied);
                    after_refusal(failure, is_repeated, find).await
                }
            }
        };
        self.until_done(attempt).await
    }
}

/// Returns how many seconds ago an earlier run has sent the call, if that may still take effect.
fn seconds_since_earlier_run(operation: &Operation) -> Result<Option<i64>, ClientError> {
    if !operation.is_resumed() {
        return Ok(None);
    }
    Ok(seconds_in_flight(operation.time_since_sent().map_err(|error| unknown(&error))?))
}

fn mark_sent(operation: &Operation) -> Result<(), ClientError> {
    operation.mark_sent().map_err(|error| unknown(&error))
}

/// Returns the error of a change that a tool refuses in words, while what an earlier run has sent may
/// still take effect.
fn may_be_in_flight(seconds: i64, message: &str) -> ClientError {
    unknown(&format!(
        "what was sent {seconds} s ago may still make the change; now the tool answered with an \
         error: {message}"
    ))
}

fn unknown(cause: &impl ToString) -> ClientError {
    ClientError::OutcomeUnknown(cause.to_string())
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
