//! One write, which is done once however often it is tried.

use std::future::Future;

use serde::Serialize;

use crate::cli::CommandError;
use crate::cli::session::{Session, shown};
use crate::client::{ClientError, Key};

/// Writes something under a key, and keeps what came of it.
pub(super) fn write<T, F: Future<Output = Result<T, ClientError>>>(
    session: &Session,
    _tool: &str,
    _arguments: &impl Serialize,
    send: impl FnOnce(Key) -> F,
    keep: impl FnOnce(&T) -> Result<(), CommandError>,
) -> Result<T, CommandError> {
    let answer = session.block_on(send(Key::new())).map_err(|error| shown(&error))?;
    keep(&answer)?;
    Ok(answer)
}
