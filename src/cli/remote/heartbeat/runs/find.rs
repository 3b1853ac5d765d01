//! Finds runs of heartbeats on a server.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::heartbeat::find;
use crate::cli::remote::session::Session;
use dibber_client::{ClientError, Intent};
use dibber_skill::contract::{
    HEARTBEAT_DUE, HeartbeatDue, HeartbeatDueAnswer, HeartbeatId, HeartbeatRun, RunId,
};
use dibber_text::{message, quote_in_full};

/// Returns the id of the heartbeat that was typed.
pub(super) fn heartbeat(
    typed: Option<&str>,
    session: &Session,
) -> Result<Option<HeartbeatId>, CommandError> {
    typed.map(|typed| find::named(typed, session).map(|named| named.id)).transpose()
}

/// Asks for runs.
pub(super) fn ask(
    list: &HeartbeatDue,
    session: &Session,
) -> Result<HeartbeatDueAnswer, CommandError> {
    let answer = session.block_on(session.client.heartbeat_runs(list));
    answer.map_err(|error| without_runs(&error).unwrap_or_else(|| session.command_error(&error)))
}

/// Returns the error of a server that has no runs.
fn without_runs(error: &ClientError) -> Option<CommandError> {
    let ClientError::NoTool(_) = error else { return None };
    Some(CommandError::new("the server does not show its runs").help(
        "only a dibber server has them; `dibber heartbeat list` shows when each heartbeat ran last",
    ))
}

/// Claims a run or ends it.
pub(super) fn change(
    change: &HeartbeatDue,
    session: &Session,
) -> Result<HeartbeatDueAnswer, CommandError> {
    let arguments = serde_json::to_value(change).expect("arguments are an object");
    let intent = Intent::new(session.recorded()?, HEARTBEAT_DUE, &arguments);
    session.write(
        &intent,
        async |operation| session.client.change_run(change, operation).await,
        async |_| Ok(true),
    )
}

/// Returns a run by its id.
pub(super) fn run(id: &RunId, session: &Session) -> Result<HeartbeatRun, CommandError> {
    let run_id = Some(id.clone());
    let list = HeartbeatDue::History { run_id, heartbeat_id: None, cursor: None, limit: None };
    let mut items = ask(&list, session)?.items.into_iter().flatten();
    let found = items.find(|run| run.run_id == *id);
    found.ok_or_else(|| {
        let message = message!["unknown run ", quote_in_full(id.as_str())];
        let help = "`dibber heartbeat history` lists the runs";
        CommandError::new(message).help(help).exit(Exit::NotFound)
    })
}
