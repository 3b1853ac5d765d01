//! What to do where a server lists no skills, and a folder was published as one: it was removed there,
//! or the server is that of another account, which must not get a second skill without being asked.

use crate::cli::error::CommandError;
use crate::cli::remote::server_options::SelectedServer;
use dibber_client::ClientError;
use dibber_text::{Message, message, quote_argument, quote_in_full};

/// What the help begins with.
const WHICH_ACCOUNT: &str = "`dibber status` shows the server and the account, which may be another \
                             one; if the skill was removed there, ";

/// Returns the help for a folder whose path is not known here.
pub(super) fn help() -> Message {
    message![WHICH_ACCOUNT, "`dibber skill unlink PATH` removes its folder from dibber.lock"]
}

/// Adds the help for a folder, if the server lists no skills.
pub(super) fn with_help(
    shown: CommandError,
    error: &ClientError,
    path: &str,
    selected: &SelectedServer,
) -> CommandError {
    if !matches!(error, ClientError::NoSkills { .. }) {
        return shown;
    }
    let options = || quote_in_full(&selected.typed_options);
    shown.help(message![
        WHICH_ACCOUNT,
        "`dibber push --new ",
        quote_argument(path),
        options(),
        "` publishes it as another one, and `dibber skill unlink ",
        quote_argument(path),
        options(),
        "` removes the folder from dibber.lock"
    ])
}

/// Adds the help for a folder that is gone, if the server lists no skills.
pub(super) fn with_help_to_unlink(
    shown: CommandError,
    error: &ClientError,
    path: &str,
    selected: &SelectedServer,
) -> CommandError {
    if !matches!(error, ClientError::NoSkills { .. }) {
        return shown;
    }
    shown.help(message![
        WHICH_ACCOUNT,
        "`dibber skill unlink ",
        quote_argument(path),
        quote_in_full(&selected.typed_options),
        "` removes the folder that is gone from dibber.lock"
    ])
}
