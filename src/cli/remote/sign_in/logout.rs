//! `dibber logout`.

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::error::command_error;
use super::login::{runtime, url_of};
use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::server_options;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_text::{message, quote_display, quote_in_full};

pub(in crate::cli::remote) const COMMAND: Command = Command { name: "logout", define, run };

/// Sign out of a server
///
/// Revokes the token that `dibber login` has got, if the server can do that, and removes it from this
/// computer. A token in `DIBBER_TOKEN` or a file stays as it is.
#[derive(Args)]
struct LogoutArgs {}

fn define(command: ClapCommand) -> ClapCommand {
    server_options::define(LogoutArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let server = server_options::select(matches)?;
    let (url, authority) = url_of(&server)?;
    Interrupt::watch()?;
    let store = server.state.sign_ins();
    // What is damaged cannot be revoked, but removed.
    let stored = match store.get(url) {
        Ok(Some(stored)) => Some(stored),
        Ok(None) => {
            ui.eprintln(message!["you are not signed in to ", quote_in_full(server.name())]);
            return Ok(Exit::Done);
        }
        Err(error) => {
            ui.warning(message![quote_display(error)]);
            None
        }
    };
    store.remove(url).map_err(|error| command_error(&error))?;
    if let Some(stored) = stored {
        let revoked = runtime()?.block_on(stored.revoke(authority.cloned(), server.timeout));
        match revoked {
            Ok(true) => {}
            Ok(false) => {
                ui.warning("the server cannot revoke tokens; this one works until it expires");
            }
            Err(error) => ui.warning(message![
                "the token is not revoked, and works until it expires: ",
                quote_display(error)
            ]),
        }
    }
    ui.eprintln(message!["signed out of ", quote_in_full(server.name())]);
    Ok(Exit::Done)
}
