//! `dibber heartbeat members`.

use serde::Serialize;

use super::arguments::MembersArgs;
use super::json::VERSION;
use super::{change, find};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::remote::damaged::warn_of_damaged;
use crate::cli::remote::session::Session;
use crate::cli::term::style::Ink;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::{
    FamilyOverview, HeartbeatChange, HeartbeatId, HeartbeatUpdate, Parent, UserId, Whoami,
};
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// Who could take part.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GrownUpsV1 {
    version: u32,
    heartbeat_id: HeartbeatId,
    items: Vec<Parent>,
}

pub(super) fn run(
    typed: &MembersArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let heartbeats = find::Heartbeats::load(session)?;
    let named = heartbeats.find(&typed.one.heartbeat, session)?;
    let remove = |user| HeartbeatChange::RemoveMember { target_user_id: user };
    let grown_up = |typed| grown_up(typed, &named.id, session);
    let (change, done) = match (&typed.add, &typed.remove, &typed.promote) {
        (Some(user), ..) => {
            (HeartbeatChange::AddMember { target_user_id: grown_up(user)? }, "takes part")
        }
        (_, Some(user), _) => (remove(grown_up(user)?), "no longer takes part"),
        (.., Some(user)) => {
            (HeartbeatChange::PromoteAdmin { target_user_id: grown_up(user)? }, "may edit it")
        }
        _ if typed.leave => {
            let own: Whoami = session.wait(session.client.ask("mcp_whoami"))?;
            (remove(own.user_id), "no longer takes part")
        }
        _ => return show(named.id, typed.one.json, session, ui),
    };
    let user = change.target_user_id().map_or("", UserId::as_str);
    let done = message![quote_in_full(user), " ", done];
    let change = [change];
    let named = heartbeats.find_to_change(&typed.one.heartbeat, &change, session)?;
    let [change] = change;
    let update = HeartbeatUpdate { heartbeat_id: named.id.clone(), change };
    if typed.dry_run.is_set() {
        return change::show_plan(update, &named, typed.one.json, ui);
    }
    change::make(&[update], &named, done, typed.one.json, session, ui)
}

/// Returns the id of a grown-up of the family who was typed by name or id. A server that does not
/// show the family is asked with what was typed.
fn grown_up(
    typed: &UserId,
    heartbeat: &HeartbeatId,
    session: &Session,
) -> Result<UserId, CommandError> {
    let family = session.wait(session.client.ask("family_query_overview"));
    let Ok(FamilyOverview { parents, .. }) = family else { return Ok(typed.clone()) };
    if parents.iter().any(|parent| parent.user_id == *typed) {
        return Ok(typed.clone());
    }
    let name = typed.as_str().to_lowercase();
    let is_meant = |parent: &&Parent| parent.name.to_lowercase() == name;
    let meant: Vec<_> = parents.iter().filter(is_meant).collect();
    match &meant[..] {
        [] => {}
        [parent] => return Ok(parent.user_id.clone()),
        several => return Err(ambiguous(typed.as_str(), several)),
    }
    let error = CommandError::new(message!["unknown grown-up `", quote(typed.as_str()), "`"]);
    let error = error.exit(Exit::NotFound);
    let names: Vec<_> = parents.iter().map(|parent| parent.name.to_lowercase()).collect();
    Err(match closest_match(&name, names.iter().map(String::as_str)) {
        Some(close) => error.help(message!["did you mean `", quote(close), "`?"]),
        None => error.help(message![
            "`dibber heartbeat members ",
            quote_in_full(heartbeat.as_str()),
            "` lists the grown-ups; `dibber family add-member` adds one"
        ]),
    })
}

/// Returns the error of a name that several grown-ups have.
fn ambiguous(typed: &str, several: &[&Parent]) -> CommandError {
    let lines = several.iter().map(|parent| {
        message!["  ", quote_in_full(parent.user_id.as_str()), "  ", quote(&parent.name)]
    });
    CommandError::new(message![several.len(), " grown-ups are named `", quote(typed), "`"])
        .excerpt(Message::join(lines, "\n"))
        .help("write the id of one of them")
}

/// Shows the grown-ups of the family: the server does not say which of them take part.
fn show(id: HeartbeatId, json: bool, session: &Session, ui: &mut Ui) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    let family: FamilyOverview = session.wait(session.client.ask("family_query_overview"))?;
    warn_of_damaged(family.damaged_items.unwrap_or_default(), ui);
    let mut parents = family.parents;
    for parent in &mut parents {
        parent.name = mask(&parent.name, &roster);
    }
    if json {
        ui.print_json(&GrownUpsV1 { version: VERSION, heartbeat_id: id, items: parents })?;
    } else {
        let mut sheet = ui.sheet();
        sheet.wrap(0, "Who could take part", Some(Ink::Strong));
        for parent in &parents {
            sheet.row("", &format!("{}  {}", parent.user_id, parent.name));
        }
        let page = sheet.finish();
        ui.print(page.as_bytes())?;
    }
    ui.eprintln(
        "`dibber heartbeat list --json` shows who takes part already; adding the same grown-up again changes nothing",
    );
    Ok(Exit::Done)
}
