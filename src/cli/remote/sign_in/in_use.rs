//! The sign-in that a command uses.

use jiff::Timestamp;

use super::error::command_error;
use crate::cli::error::CommandError;
use crate::cli::remote::server_options::SelectedServer;
use dibber_client::ServerTarget;
use dibber_client::sign_in::SignedIn;

/// The header of a token.
const AUTHORIZATION: &str = "authorization";

/// Returns the sign-in to the server of a command. A token that is set comes before it.
pub(in crate::cli::remote) fn signed_in(
    server: &SelectedServer,
) -> Result<Option<SignedIn>, CommandError> {
    let ServerTarget::Url { url, credential: None, headers, authority } = &server.selection.target
    else {
        return Ok(None);
    };
    if headers.iter().any(|header| header.name().eq_ignore_ascii_case(AUTHORIZATION)) {
        return Ok(None);
    }
    let (store, authority) = (server.state.sign_ins(), authority.clone());
    SignedIn::load(store, url, authority, server.timeout, Timestamp::now)
        .map_err(|error| command_error(&error))
}

/// Returns the error of a server that wants a token, where none is set.
pub(in crate::cli::remote) fn not_signed_in(
    error: CommandError,
    was_signed_in: bool,
) -> CommandError {
    if was_signed_in {
        return error
            .with_message("the server does not accept the sign-in any more, or not for this")
            .help("`dibber login` signs in again");
    }
    error.with_message("the server requires a token, and none is set").help(
        "`dibber login` signs in with a browser; for a script, set DIBBER_TOKEN, or name a file with \
         `--token-file`; on the computer of a dibber server, `dibber family token --output token.txt` \
         makes a new token",
    )
}
