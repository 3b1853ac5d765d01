//! `dibber heartbeat due` and `dibber heartbeat history`.

use super::arguments::{DueArgs, HistoryArgs};
use super::find;
use super::json::{RunsV1, VERSION, masked};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::term::style::Ink;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::{
    HeartbeatDue, HeartbeatDueAnswer, HeartbeatRun, PAGE_ITEMS_MAX, RunState,
};

pub(in crate::cli::remote::heartbeat) fn due(
    typed: &DueArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let heartbeat_id = find::heartbeat(typed.heartbeat.as_deref(), session)?;
    let list = HeartbeatDue::List { heartbeat_id, limit: Some(PAGE_ITEMS_MAX) };
    let answer = find::ask(&list, session)?;
    show(answer, "nothing is due", typed.json, ui)
}

pub(in crate::cli::remote::heartbeat) fn history(
    typed: &HistoryArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let heartbeat_id = find::heartbeat(typed.heartbeat.as_deref(), session)?;
    let mut all = HeartbeatDueAnswer { items: Some(Vec::new()), ..HeartbeatDueAnswer::default() };
    let mut cursor = None;
    loop {
        let shown = all.items.as_ref().map_or(0, Vec::len);
        let limit = typed.limit.saturating_sub(shown).min(PAGE_ITEMS_MAX);
        if limit == 0 {
            break;
        }
        let heartbeat_id = heartbeat_id.clone();
        let limit = Some(limit);
        let list = HeartbeatDue::History { run_id: None, heartbeat_id, cursor, limit };
        let page = find::ask(&list, session)?;
        all.items.get_or_insert_default().extend(page.items.unwrap_or_default());
        cursor = page.next_cursor;
        all.next_cursor.clone_from(&cursor);
        if cursor.is_none() {
            break;
        }
    }
    show(all, "nothing has run yet", typed.json, ui)
}

fn show(
    answer: HeartbeatDueAnswer,
    none: &'static str,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    let items = answer.items.unwrap_or_default().into_iter();
    let items: Vec<_> = items.map(|run| masked(run, &roster)).collect();
    if json {
        let next_cursor = answer.next_cursor;
        ui.print_json(&RunsV1 { version: VERSION, items, next_cursor, prompt: None })?;
        return Ok(Exit::Done);
    }
    if items.is_empty() {
        ui.eprintln(none);
        return Ok(Exit::Done);
    }
    let mut sheet = ui.sheet();
    for run in &items {
        sheet.wrap(0, &title(run), Some(Ink::Strong));
        sheet.wrap(2, &state(run), None);
        for line in [&run.reason, &summary(run)].into_iter().flatten() {
            sheet.wrap(2, line, None);
        }
        sheet.wrap(2, run.run_id.as_str(), None);
    }
    let page = sheet.finish();
    ui.print(page.as_bytes())?;
    if answer.next_cursor.is_some() {
        ui.eprintln("there are earlier runs; `--limit` shows more");
    }
    Ok(Exit::Done)
}

/// Returns the name of the heartbeat, and when it was to run.
fn title(run: &HeartbeatRun) -> String {
    let name = run.name.as_deref().unwrap_or(run.heartbeat_id.as_str());
    format!("{name}, {}", run.planned_at)
}

/// Returns what became of a run, in words.
fn state(run: &HeartbeatRun) -> String {
    let at = |time: &Option<String>, word: &str| {
        time.as_ref().map_or_else(|| word.to_owned(), |time| format!("{word} {time}"))
    };
    let mut words = match run.state {
        RunState::Due if run.attempt > 0 => at(&run.due_at, "failed, and is tried again at"),
        RunState::Due => "waits to be run".to_owned(),
        RunState::Claimed | RunState::Running => at(&run.started_at, "running since"),
        RunState::Completed => at(&run.ended_at, "done at"),
        RunState::Failed => at(&run.ended_at, "failed at"),
        RunState::Skipped => "did not run".to_owned(),
    };
    if run.attempt > 1 {
        words += &format!(", attempt {}", run.attempt);
    }
    if run.may_have_repeated {
        words += "; an earlier attempt was interrupted, so something may have happened twice";
    }
    words
}

/// Returns the sentence of a result.
fn summary(run: &HeartbeatRun) -> Option<String> {
    Some(run.result.as_ref()?.get("summary")?.as_str()?.to_owned())
}
