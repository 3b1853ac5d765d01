//! `dibber family token --list`.

use jiff::Timestamp;
use serde::Serialize;

use super::open_server::{JSON_VERSION, OpenServer, failed, roster_of};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::remote::damaged::warn_of_damaged;
use crate::cli::term::ui::Ui;
use dibber_server::store::Token;
use dibber_skill::contract::{FamilyId, Scope, UserId, WireEnum};

/// Described by `schemas/tokens.schema.json`.
#[derive(Serialize)]
struct TokensV1 {
    version: u32,
    items: Vec<TokenV1>,
}

/// A token without its secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TokenV1 {
    token_id: String,
    name: Option<String>,
    user_id: UserId,
    scopes: Vec<&'static str>,
    /// In UTC (RFC 3339); none for a token from before this was stored.
    created_at: Option<String>,
    /// None if it does not expire.
    expires_at: Option<String>,
    expired: bool,
}

pub(super) fn run(
    open: &OpenServer,
    family: &FamilyId,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let private = ui.names()?;
    let roster = roster_of(&open.0.household(family).map_err(failed)?);
    let now = Timestamp::now();
    let tokens = open.0.tokens(family).map_err(failed)?;
    warn_of_damaged(tokens.damaged.len() as u64, ui);
    let items = tokens.rows.iter().map(|token| TokenV1 {
        name: token.name.as_deref().map(|name| mask(&mask(name, &roster), &private)),
        ..described(token, now)
    });
    let items: Vec<_> = items.collect();
    if json {
        ui.print_json(&TokensV1 { version: JSON_VERSION, items })?;
        return Ok(Exit::Done);
    }
    let lines: String = items.iter().map(line).collect();
    ui.print(lines.as_bytes())?;
    if items.is_empty() {
        ui.eprintln("no tokens; `dibber family token --output FILE` issues one");
    }
    Ok(Exit::Done)
}

fn described(token: &Token, now: Timestamp) -> TokenV1 {
    TokenV1 {
        token_id: token.id(),
        name: None,
        user_id: token.user_id.clone(),
        scopes: token.scopes.iter().copied().map(Scope::name).collect(),
        created_at: token.created_at.and_then(time),
        expires_at: token.expires_at.and_then(time),
        expired: token.expires_at.is_some_and(|at| at <= now.as_millisecond()),
    }
}

fn time(milliseconds: i64) -> Option<String> {
    Timestamp::from_millisecond(milliseconds).ok().map(|at| format!("{at:.0}"))
}

/// Two lines: which token it is, and what it allows.
fn line(token: &TokenV1) -> String {
    let TokenV1 { token_id, name, user_id, scopes, created_at, expires_at, expired } = token;
    let name = name.as_deref().unwrap_or("(no name)");
    let issued = created_at.as_ref().map(|at| format!("issued {at}, ")).unwrap_or_default();
    let end = match expires_at {
        Some(at) if *expired => format!("expired {at}"),
        Some(at) => format!("expires {at}"),
        None => "does not expire".to_owned(),
    };
    format!("{token_id}  {name}  {issued}{end}\n  {user_id}: {}\n", scopes.join(", "))
}
