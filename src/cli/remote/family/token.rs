//! `dibber family token`.

use super::arguments::TokenArgs;
use super::open_server::{OpenServer, failed};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use crate::cli::write;
use dibber_skill::contract::{Scope, WireEnum};
use dibber_text::escape_line;

/// The argument for standard output.
const STANDARD_OUTPUT: &str = "-";

pub(super) fn run(
    typed: TokenArgs,
    open: &OpenServer,
    family: &str,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let family = open.family(family)?;
    let member = match typed.member {
        Some(member) => member,
        None => open.0.owner_of(&family.id).map_err(failed)?.user_id,
    };
    let Some(output) = typed.output else {
        let count = open.0.revoke_tokens(&family.id, &member).map_err(failed)?;
        let tokens = if count == 1 { "token" } else { "tokens" };
        ui.eprintln(&format!("revoked {count} {tokens} of {member}"));
        return Ok(Exit::Done);
    };
    let scopes = if typed.scope.is_empty() { Scope::all() } else { typed.scope };
    let is_printed = output.as_os_str() == STANDARD_OUTPUT;
    let token = open.0.issue_token(&family.id, &member, &scopes).map_err(failed)?;
    let line = format!("{token}\n");
    if is_printed {
        ui.print(line.as_bytes())?;
    } else {
        write::replace_private(&output, line.as_bytes())?;
        let path = output.to_string_lossy();
        ui.eprintln(&format!("wrote the token to {}", escape_line(&ui.masked(&path))));
    }
    let names: Vec<_> = scopes.iter().map(|scope| scope.name()).collect();
    ui.eprintln(&format!("it allows {}, in the name of {member}", names.join(", ")));
    Ok(Exit::Done)
}
