//! `dibber family grants`.

use jiff::Timestamp;
use serde::Serialize;

use super::arguments::GrantsArgs;
use super::open_server::{JSON_VERSION, OpenServer, failed, roster_of};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::remote::damaged::warn_of_damaged;
use crate::cli::term::ui::Ui;
use dibber_server::store::Grant;
use dibber_skill::contract::{FamilyId, Scope, UserId, WireEnum};
use dibber_text::{message, quote_in_full};

/// Described by `schemas/grants.schema.json`.
#[derive(Serialize)]
struct GrantsV1 {
    version: u32,
    items: Vec<GrantV1>,
}

/// What a client may do.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GrantV1 {
    grant_id: String,
    /// What the client calls itself.
    client: String,
    client_id: String,
    user_id: UserId,
    scopes: Vec<&'static str>,
    /// In UTC (RFC 3339).
    created_at: Option<String>,
    /// None if it has never got a token.
    used_at: Option<String>,
}

pub(super) fn run(
    typed: &GrantsArgs,
    open: &OpenServer,
    family: &str,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let family = open.family(family)?.id;
    if let Some(id) = &typed.narrow {
        let grant = open.0.narrow_grant(&family, id, &typed.scope).map_err(failed)?;
        let scopes = names(&grant.scopes).join(", ");
        ui.eprintln(message!["narrowed ", quote_in_full(id), " to ", quote_in_full(&scopes)]);
        return Ok(Exit::Done);
    }
    for id in &typed.revoke {
        open.0.revoke_grant(&family, id).map_err(failed)?;
        ui.eprintln(message!["revoked ", quote_in_full(id)]);
    }
    if typed.revoke.is_empty() { list(open, &family, typed.json, ui) } else { Ok(Exit::Done) }
}

fn list(
    open: &OpenServer,
    family: &FamilyId,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let private = ui.names()?;
    let roster = roster_of(&open.0.household(family).map_err(failed)?);
    let grants = open.0.grants(family).map_err(failed)?;
    warn_of_damaged(grants.damaged.len() as u64, ui);
    let shown = |text: &str| mask(&mask(text, &roster), &private);
    let items: Vec<_> = grants.rows.iter().map(|grant| described(grant, &shown)).collect();
    if json {
        ui.print_json(&GrantsV1 { version: JSON_VERSION, items })?;
        return Ok(Exit::Done);
    }
    for item in &items {
        let line = ui.shown(&line(item)).in_full().to_string();
        ui.print(format!("{line}\n  {}: {}\n", item.user_id, item.scopes.join(", ")).as_bytes())?;
    }
    if items.is_empty() {
        ui.eprintln("no agent is connected; one asks for it when it connects to `dibber serve`");
    }
    Ok(Exit::Done)
}

fn described(grant: &Grant, shown: &dyn Fn(&str) -> String) -> GrantV1 {
    GrantV1 {
        grant_id: grant.id.clone(),
        client: shown(&grant.client_name),
        client_id: shown(&grant.client_id),
        user_id: grant.user_id.clone(),
        scopes: names(&grant.scopes),
        created_at: time(grant.created_at),
        used_at: grant.used_at.and_then(time),
    }
}

fn names(scopes: &[Scope]) -> Vec<&'static str> {
    scopes.iter().copied().map(Scope::name).collect()
}

fn time(milliseconds: i64) -> Option<String> {
    Timestamp::from_millisecond(milliseconds).ok().map(|at| format!("{at:.0}"))
}

fn line(grant: &GrantV1) -> String {
    let GrantV1 { grant_id, client, created_at, used_at, .. } = grant;
    let allowed = created_at.as_ref().map(|at| format!("allowed {at}")).unwrap_or_default();
    let used = used_at.as_ref().map(|at| format!(", used {at}")).unwrap_or_default();
    format!("{grant_id}  {client}  {allowed}{used}")
}
