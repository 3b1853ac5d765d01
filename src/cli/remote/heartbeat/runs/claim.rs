//! `dibber heartbeat run`: takes over what is due, and prints its prompt.

use super::arguments::RunArgs;
use super::find;
use super::json::{RunsV1, VERSION, masked};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::remote::session::Session;
use crate::cli::render;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::{HeartbeatDue, RunId};
use dibber_text::{message, quote_in_full};

pub(in crate::cli::remote::heartbeat) fn run(
    typed: &RunArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    let run_id = typed.what.parse::<RunId>().ok();
    let heartbeat = run_id.is_none().then_some(typed.what.as_str());
    let heartbeat_id = find::heartbeat(heartbeat, session)?;
    let claim = HeartbeatDue::Claim { run_id, heartbeat_id, lease_seconds: typed.lease };
    let answer = find::change(&claim, session)?;
    let Some(run) = answer.run else {
        return Err(CommandError::new("nothing is due")
            .exit(Exit::NotFound)
            .help("`dibber heartbeat list` shows when each heartbeat runs next"));
    };
    let run = masked(run, &roster);
    let Some(prompt) = answer.prompt.map(|prompt| mask(&prompt, &roster)) else {
        let reason = run.reason.as_deref().unwrap_or("it has ended");
        return Err(CommandError::new(message!["cannot run it: ", quote_in_full(reason)])
            .help("`dibber heartbeat history` shows it")
            .exit(Exit::BadInput));
    };
    if typed.json {
        let items = vec![run];
        let prompt = Some(prompt);
        ui.print_json(&RunsV1 { version: VERSION, items, next_cursor: None, prompt })?;
        return Ok(Exit::Done);
    }
    let id = quote_in_full(run.run_id.as_str());
    render::print(&prompt, ui)?;
    ui.eprintln(message!["When it is done: `dibber heartbeat complete ", id, " --summary \"…\"`"]);
    let id = quote_in_full(run.run_id.as_str());
    ui.eprintln(message!["If it fails: `dibber heartbeat fail ", id, " --message \"…\"`"]);
    Ok(Exit::Done)
}
