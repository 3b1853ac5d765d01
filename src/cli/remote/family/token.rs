//! `dibber family token`: issues and revokes tokens.

use std::io::{self, Write};
use std::path::Path;

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::arguments::TokenArgs;
use super::open_server::{OpenServer, failed};
use super::token_list;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::output::Output;
use crate::cli::term::ui::Ui;
use dibber_server::families::{IssueError, TokenGrant};
use dibber_skill::contract::{FamilyId, Scope, UserId, WireEnum};
use dibber_text::atomic_file::{self, Access};
use dibber_text::{message, quote_display, quote_in_full, quote_path};

pub(super) fn run(
    typed: &TokenArgs,
    open: &OpenServer,
    family: &str,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let family = open.family(family)?;
    if typed.list {
        return token_list::run(open, &family.id, typed.json, ui);
    }
    if !typed.revoke.is_empty() {
        return revoke(&typed.revoke, open, &family.id, ui);
    }
    let member = match &typed.member {
        Some(member) => member.clone(),
        None => open.0.owner_of(&family.id).map_err(failed)?.user_id,
    };
    let Some(output) = &typed.output else {
        let count = open.0.revoke_tokens(&family.id, &member).map_err(failed)?;
        let tokens = if count == 1 { "token" } else { "tokens" };
        ui.eprintln(message!["revoked ", count, " ", tokens, " of ", quote_display(member)]);
        return Ok(Exit::Done);
    };
    issue(typed, output, &member, open, &family.id, ui)
}

fn revoke(
    ids: &[String],
    open: &OpenServer,
    family: &FamilyId,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    for id in ids {
        open.0.revoke_token(family, id).map_err(|failure| {
            let error = failed(failure);
            if error.exit_code() == Exit::NotFound {
                error.help("`dibber family token --list` lists the tokens")
            } else {
                error
            }
        })?;
        ui.eprintln(message!["revoked ", quote_in_full(id)]);
    }
    Ok(Exit::Done)
}

fn issue(
    typed: &TokenArgs,
    output: &Output,
    member: &UserId,
    open: &OpenServer,
    family: &FamilyId,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let scopes = if typed.scope.is_empty() { Scope::all() } else { typed.scope.clone() };
    let expires_at = typed.expires.map(expiry).transpose()?;
    let name = typed.name.clone();
    let grant = TokenGrant { user_id: member.clone(), scopes: scopes.clone(), name, expires_at };
    let path = output.file().map(Path::to_owned);
    if let Some(path) = path.as_deref().filter(|path| !typed.force && path.exists()) {
        return Err(CommandError::new(message![quote_path(path), " exists already"]).help(
            "write the token to another file; `--force` replaces this one, and the token in it \
             stays valid until it is revoked",
        ));
    }
    let issued = match path.clone() {
        Some(path) => open.0.issue_token(family, grant, move |token| {
            atomic_file::replace(&path, format!("{token}\n").as_bytes(), Access::Private)
        }),
        // Another program may read it at any time, and must not hold up those who write meanwhile.
        None => open
            .0
            .issue_delivered_token(family, grant, |token| print(format!("{token}\n").as_bytes())),
    };
    let shown = path.as_deref().map_or_else(|| "standard output".into(), quote_path);
    let id = issued.map_err(|error| match error {
        IssueError::Failed(failure) => failed(failure),
        IssueError::Undelivered(error) => {
            CommandError::io(message!["cannot write ", shown.clone()], error)
                .help("no token was issued; write it to another file")
        }
    })?;
    if path.is_some() {
        ui.eprintln(message!["wrote the token ", quote_in_full(&id), " to ", shown]);
    }
    let names: Vec<_> = scopes.iter().map(|scope| scope.name()).collect();
    ui.eprintln(message![
        "it allows ",
        quote_in_full(&names.join(", ")),
        ", in the name of ",
        quote_display(member)
    ]);
    if let Some(at) = expires_at {
        ui.eprintln(message!["it expires on ", quote_display(format_args!("{at:.0}"))]);
    }
    Ok(Exit::Done)
}

/// Prints the token. It becomes valid only if that succeeds.
fn print(line: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(line)?;
    stdout.flush()
}

/// Returns when a token expires that is valid for so long from now on.
fn expiry(span: Span) -> Result<Timestamp, CommandError> {
    let now = Timestamp::now();
    let at = now.to_zoned(TimeZone::UTC).checked_add(span).map(|at| at.timestamp());
    at.ok().filter(|at| *at > now).ok_or_else(|| {
        CommandError::new("a token must expire in the future, before the year 9999")
            .help("write how long it is valid, such as `--expires 30d`")
    })
}
