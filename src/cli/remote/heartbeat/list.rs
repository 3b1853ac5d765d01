//! `dibber heartbeat list`.

use super::arguments::ListArgs;
use super::json::{ListV1, VERSION};
use super::page;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::remote::damaged::warn_of_damaged;
use crate::cli::remote::session::Session;
use crate::cli::term::style::{Ink, Style, paint};
use crate::cli::term::ui::Ui;
use dibber_client::Listed;
use dibber_lint::report::layout::{columns, truncate, wrap};
use dibber_skill::contract::HeartbeatListItem;
use dibber_text::escape_line;

/// The columns of the word for whether a heartbeat fires.
const STATE_COLUMNS: usize = 6;
/// The fewest columns of a name.
const NAME_COLUMNS_MIN: usize = 12;
/// The indentation of the second line of a heartbeat.
const INDENT: &str = "  ";

pub(super) fn run(typed: &ListArgs, session: &Session, ui: &mut Ui) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    let Listed { mut items, damaged } = session.wait(session.client.all_heartbeats())?;
    warn_of_damaged(damaged, ui);
    for item in &mut items {
        let HeartbeatListItem { name, cron, cadence_text, tz, next_run_at, last_run_at, .. } = item;
        let optional = [tz, next_run_at, last_run_at].into_iter().flatten();
        for text in [name, cron, cadence_text].into_iter().chain(optional) {
            *text = mask(text, &roster);
        }
    }
    if typed.json {
        ui.print_json(&ListV1 { version: VERSION, items })?;
        return Ok(Exit::Done);
    }
    if items.is_empty() {
        ui.eprintln("no heartbeats; `dibber heartbeat create` makes one");
        return Ok(Exit::Done);
    }
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    ui.print(table(&items, style).as_bytes())?;
    Ok(Exit::Done)
}

/// Two lines for each heartbeat: name, state and id; then when it fires.
fn table(items: &[HeartbeatListItem], style: Style) -> String {
    let id_columns =
        items.iter().map(|item| columns(&escape_line(item.heartbeat_id.as_str()))).max();
    let beside = STATE_COLUMNS + id_columns.unwrap_or_default() + 4;
    let room = style.width.saturating_sub(beside).max(NAME_COLUMNS_MIN);
    let mut out = String::new();
    for item in items {
        let name = truncate(&escape_line(&item.name), room);
        let blanks = " ".repeat(room.saturating_sub(columns(&name)) + 2);
        paint(&mut out, style.color, Ink::Strong, &name);
        let (state, ink) = if item.enabled { ("on", Ink::Good) } else { ("paused", Ink::Warning) };
        out.push_str(&blanks);
        paint(&mut out, style.color, ink, state);
        out.push_str(&" ".repeat(STATE_COLUMNS - state.len() + 2));
        out.push_str(&escape_line(item.heartbeat_id.as_str()));
        out.push('\n');
        let next = match &item.next_run_at {
            Some(at) => format!("; next {}", page::next(Some(at))),
            None => String::new(),
        };
        let when = format!("{}{}", item.cadence_text, next);
        let room = style.width.saturating_sub(INDENT.len());
        for line in wrap(&escape_line(&when), room) {
            out.push_str(INDENT);
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}
