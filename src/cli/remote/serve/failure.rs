//! Failures of the server, as errors of the command.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_server::Failure;
use dibber_text::quote_in_full;

/// Converts a failure of the server.
pub(super) fn failed(failure: Failure) -> CommandError {
    let error = failure.into_tool_error();
    CommandError::new(quote_in_full(&error.message))
        .help(quote_in_full(&error.fix))
        .exit(Exit::Failed)
}
