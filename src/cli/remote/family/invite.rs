//! `dibber family invite`.

use super::arguments::InviteArgs;
use super::open_server::{OpenServer, failed};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;

/// Prints a link with which a grown-up signs in.
pub(super) fn run(
    typed: &InviteArgs,
    open: &OpenServer,
    family: &str,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let family = open.family(family)?;
    let member = match &typed.member {
        Some(member) => member.clone(),
        None => open.0.owner_of(&family.id).map_err(failed)?.user_id,
    };
    let secret = open.0.create_sign_in_link(&family.id, &member).map_err(failed)?;
    ui.print(
        format!("{}\n", dibber_server::sign_in_address(&typed.public_url, &secret)).as_bytes(),
    )?;
    ui.eprintln("open it in a browser within 15 minutes; it works once");
    Ok(Exit::Done)
}
