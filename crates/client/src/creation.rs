//! Calls that create something, and take effect once on servers that do not recognise a call that is
//! sent again.

use std::cell::Cell;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::client::Client;
use super::error::ClientError;
use super::failure::{Effect, Failure};
use super::journal::Operation;
use super::retry_safety::RetrySafety;
use super::typed::{object, read_answer};

impl Client {
    /// Calls a tool that creates something. A server of another make may not honour the key, so
    /// `find` looks for what an attempt without an answer has created before the call is sent again.
    pub(crate) async fn create_or_find<T: DeserializeOwned>(
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
        let may_exist = &Cell::new(operation.is_resumed());
        let attempt = |deadline| async move {
            if may_exist.get() {
                let found = Box::pin(find()).await;
                let found = found.map_err(|error| Failure::permanent(error.with_unknown_outcome()));
                if let Some(found) = found? {
                    return Ok(found);
                }
            }
            let connection = self.connection(deadline).await?;
            let answer = connection.call(tool, arguments.clone(), Some(safety), deadline).await;
            if answer.as_ref().is_err_and(|failure| failure.effect == Effect::MayHaveApplied) {
                may_exist.set(true);
            }
            let answer = self.drop_if_broken(&connection, answer)?;
            read_answer(tool, answer, safety).map_err(Failure::permanent)
        };
        self.until_done(attempt).await
    }
}
