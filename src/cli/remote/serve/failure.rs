//! Failures of the server, as errors of the command.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_server::Failure;

/// Converts a failure of the server.
pub(super) fn failed(failure: Failure) -> CommandError {
    let error = failure.into_tool_error();
    CommandError::new(error.message).help(error.fix).exit(Exit::Failed)
}
