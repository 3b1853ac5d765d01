//! One write, which is done once however often it is tried.

use std::future::Future;

use serde::Serialize;

use crate::cli::CommandError;
use crate::cli::refusal::shown;
use crate::cli::session::{Session, not_begun};
use crate::client::{ClientError, Key};

/// Writes something under the key of the journal, and keeps what came of it before the journal
/// forgets it.
pub(super) fn write<T, F: Future<Output = Result<T, ClientError>>>(
    session: &Session,
    tool: &str,
    arguments: &impl Serialize,
    send: impl FnOnce(Key) -> F,
    keep: impl FnOnce(&T) -> Result<(), CommandError>,
) -> Result<T, CommandError> {
    let operation = session.begin(tool, arguments)?;
    match session.block_on(send(operation.key().clone())) {
        Ok(answer) => {
            keep(&answer)?;
            operation.finish().map_err(|error| not_begun(&error))?;
            Ok(answer)
        }
        Err(error) => {
            operation.failed(&error).map_err(|error| not_begun(&error))?;
            Err(shown(&error))
        }
    }
}
