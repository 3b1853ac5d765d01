//! `dibber heartbeat list`.

use std::collections::BTreeMap;

use super::arguments::ListArgs;
use super::json::{ListV1, ListedV1, VERSION};
use super::page;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::{mask, masked_object};
use crate::cli::remote::damaged::warn_of_missing;
use crate::cli::remote::local_schedules;
use crate::cli::remote::session::Session;
use crate::cli::term::style::{Ink, Style, paint};
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::Listed;
use dibber_client::publish::SKILLS_MAX;
use dibber_lint::report::layout::{columns, truncate, wrap};
use dibber_skill::contract::{HeartbeatListItem, OpenEnum, SkillId, SkillListArguments};
use dibber_text::{escape_line, message, quote_in_full};

/// The columns of the word for whether a heartbeat fires.
const STATE_COLUMNS: usize = 6;
/// The fewest columns of a name.
const NAME_COLUMNS_MIN: usize = 12;
/// The indentation of the other lines of a heartbeat.
const INDENT: &str = "  ";

pub(super) fn run(typed: &ListArgs, session: &Session, ui: &mut Ui) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    let listed = session.wait(session.client.all_heartbeats())?;
    warn_of_missing(&listed, ui);
    let Listed { items, unreadable, damaged, .. } = listed;
    let unreadable = unreadable.len();
    let names = if items.is_empty() { BTreeMap::new() } else { skill_names(session) };
    let masked = |mut item: HeartbeatListItem| {
        let skill_name = item.run_skill_id.as_ref().and_then(|id| names.get(id));
        let skill_name = skill_name.map(|name| mask(name, &roster));
        let HeartbeatListItem { name, cron, cadence_text, tz, next_run_at, last_run_at, .. } =
            &mut item;
        let optional = [tz, next_run_at, last_run_at].into_iter().flatten();
        for text in [name, cron, cadence_text].into_iter().chain(optional) {
            *text = mask(text, &roster);
        }
        for member in &mut item.members {
            if let OpenEnum::Other(role) = &mut member.role {
                *role = mask(role, &roster);
            }
        }
        item.skill_input = item.skill_input.map(|input| masked_object(&input, &roster));
        ListedV1 { item, skill_name }
    };
    let items: Vec<_> = items.into_iter().map(masked).collect();
    if typed.json {
        ui.print_json(&ListV1 { version: VERSION, items, unreadable, damaged })?;
        return Ok(Exit::Done);
    }
    if items.is_empty() && unreadable == 0 && damaged == 0 {
        ui.eprintln("no heartbeats (schedules of skills); `dibber heartbeat create` makes one");
        return Ok(Exit::Done);
    }
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    ui.print(table(&items, style).as_bytes())?;
    if unreadable > 0 {
        let count = quantity(items.len(), "heartbeat", "heartbeats");
        let server = quote_in_full(session.server.name());
        let more = message!["; ", unreadable, " more cannot be read"];
        ui.eprintln(message![quote_in_full(&count), " on ", server, more]);
    }
    if let Some(note) = local_schedules::note(&session.server) {
        ui.eprintln(note);
    }
    Ok(Exit::Done)
}

/// Returns the labels of the skills of a server, by their ids; none if it does not list them.
fn skill_names(session: &Session) -> BTreeMap<SkillId, String> {
    let all = SkillListArguments { include_archived: Some(true), ..SkillListArguments::default() };
    let listed = session.block_on(session.client.all_skills(&all, SKILLS_MAX));
    let items = listed.map(|listed| listed.items).unwrap_or_default();
    items.into_iter().map(|item| (item.skill_id, item.name)).collect()
}

/// Three lines for each heartbeat: name, state and id; when it fires; and what it runs for whom, if
/// that is known.
fn table(items: &[ListedV1], style: Style) -> String {
    let ids = items.iter().map(|it| columns(&escape_line(it.item.heartbeat_id.as_str())));
    let id_columns = ids.max();
    let beside = STATE_COLUMNS + id_columns.unwrap_or_default() + 4;
    let room = style.width.saturating_sub(beside).max(NAME_COLUMNS_MIN);
    let mut out = String::new();
    for ListedV1 { item, skill_name } in items {
        let name = truncate(&escape_line(&item.name), room);
        let blanks = " ".repeat(room.saturating_sub(columns(&name)) + 2);
        paint(&mut out, style.color, Ink::Strong, &name);
        let (state, ink) = if item.enabled { ("on", Ink::Good) } else { ("paused", Ink::Warning) };
        out.push_str(&blanks);
        paint(&mut out, style.color, ink, state);
        out.push_str(&" ".repeat(STATE_COLUMNS - state.len() + 2));
        out.push_str(&escape_line(item.heartbeat_id.as_str()));
        out.push('\n');
        let room = style.width.saturating_sub(INDENT.len());
        for text in page::listed_lines(item, skill_name.as_deref()) {
            for line in wrap(&escape_line(&text), room) {
                out.push_str(INDENT);
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}
