//! The messages of sign-ins that do not succeed.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors::call_error;
use dibber_client::sign_in::SignInError;
use dibber_text::quote_display;

/// The code of OAuth for a person who says no.
const REFUSED_BY_PERSON: &str = "access_denied";

/// Converts an error.
pub(super) fn command_error(error: &SignInError) -> CommandError {
    let shown = CommandError::new(quote_display(error));
    match error {
        SignInError::Request(error) => call_error(error),
        SignInError::NotOffered => shown.exit(Exit::Failed).help(
            "it may not need a token, which `dibber status` shows; or its owner gives one, for \
             DIBBER_TOKEN or `--token-file`",
        ),
        SignInError::Metadata(_) => {
            shown.exit(Exit::Failed).help("this is wrong at the server; nothing secret was sent")
        }
        SignInError::Unsupported(_) => shown
            .exit(Exit::Failed)
            .help("leave `--device` out, or name a registered client with `--client-id`"),
        SignInError::Refused { code, .. } if code == REFUSED_BY_PERSON => shown
            .with_message("the request was refused in the browser")
            .exit(Exit::PermissionDenied)
            .help("run the same command again to be asked again"),
        SignInError::Refused { .. } => shown.exit(Exit::PermissionDenied).help(
            "this message is from the authorization server; if it does not know this program any \
             more, `dibber logout` and then `dibber login` registers it again",
        ),
        SignInError::WrongAnswer(_) => shown
            .exit(Exit::PermissionDenied)
            .help("run the same command again, and use the address that it shows"),
        SignInError::NoAnswer => shown
            .exit(Exit::PermissionDenied)
            .help("run the same command again, and open the address that it shows"),
        SignInError::Ended => {
            shown.exit(Exit::PermissionDenied).help("`dibber login` signs in again")
        }
        SignInError::Listen(_) => {
            shown.exit(Exit::Failed).help("`--device` needs no port, if the server offers it")
        }
        SignInError::Random => shown.exit(Exit::Failed),
        SignInError::File { .. } => {
            shown.help("make it readable and writable; `dibber logout` removes it")
        }
    }
}
