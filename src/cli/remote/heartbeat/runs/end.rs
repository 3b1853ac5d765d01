//! `dibber heartbeat complete` and `dibber heartbeat fail`.

use serde_json::{Map, Value};

use super::arguments::{CompleteArgs, FailArgs};
use super::find;
use super::json::{RunsV1, VERSION, masked};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::inputs::ObjectFile;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::{HeartbeatDue, HeartbeatDueAnswer, RunId, RunState};
use dibber_text::{Message, message, quote_in_full};

/// The file of `--result-file`.
const RESULT_FILE: ObjectFile =
    ObjectFile { noun: "results", example: r#"{"summary": "Told the story."}"#, mebibytes_max: 1 };

pub(in crate::cli::remote::heartbeat) fn complete(
    typed: &CompleteArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let result = match (&typed.summary, &typed.result_file) {
        (Some(summary), _) => {
            Map::from_iter([("summary".to_owned(), Value::String(summary.clone()))])
        }
        (None, Some(file)) => RESULT_FILE.read(file)?,
        (None, None) => unreachable!("clap requires one of them"),
    };
    let attempt = attempt(typed.attempt, &typed.run, session)?;
    let end = HeartbeatDue::Complete { run_id: typed.run.clone(), attempt, result };
    let answer = find::change(&end, session)?;
    show(answer, |_| message!["done: ", quote_in_full(typed.run.as_str())], typed.json, ui)
}

pub(in crate::cli::remote::heartbeat) fn fail(
    typed: &FailArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let attempt = attempt(typed.attempt, &typed.run, session)?;
    let end = HeartbeatDue::Fail {
        run_id: typed.run.clone(),
        attempt,
        message: typed.message.clone(),
        retry: typed.no_retry.then_some(false),
    };
    let answer = find::change(&end, session)?;
    let line = |again: Option<&str>| match again {
        Some(at) => message!["failed; it is tried again at ", quote_in_full(at)],
        None => message!["failed: ", quote_in_full(typed.run.as_str())],
    };
    show(answer, line, typed.json, ui)
}

/// Returns the attempt that is ended: the one that was typed, or the last one.
fn attempt(typed: Option<i64>, run: &RunId, session: &Session) -> Result<i64, CommandError> {
    match typed {
        Some(attempt) => Ok(attempt),
        // A run that was never claimed is refused by the server.
        None => Ok(find::run(run, session)?.attempt.max(1)),
    }
}

/// Shows a run that has ended, or when it is tried again.
fn show(
    answer: HeartbeatDueAnswer,
    line: impl FnOnce(Option<&str>) -> Message,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    let run = answer.run.map(|run| masked(run, &roster));
    if json {
        let items = run.into_iter().collect();
        ui.print_json(&RunsV1 { version: VERSION, items, next_cursor: None, prompt: None })?;
        return Ok(Exit::Done);
    }
    let waits = run.filter(|run| run.state == RunState::Due).and_then(|run| run.due_at);
    ui.eprintln(line(waits.as_deref()));
    Ok(Exit::Done)
}
