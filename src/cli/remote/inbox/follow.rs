//! Following the inbox: the server is asked for what has happened, as soon as it reports a change. One
//! that does not is asked every few seconds.

use std::time::Duration;

use serde::Serialize;

use super::cards;
use super::json::{InboxV1, VERSION};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_client::ClientError;
use dibber_skill::contract::{
    ACTIVITY_URI, ActivityType, ErrorCode, InboxCard, OpenEnum, ResourceWaitArguments, ResultId,
    WAIT_MILLISECONDS_MAX, WatchedResource,
};

/// How long to wait between two questions, of a server that does not report changes.
const INTERVAL: Duration = Duration::from_secs(2);
/// The event before the first one.
const BEFORE_ALL: &str = "ev_0";

/// Returns the id of the newest event.
pub(super) fn newest_event(session: &Session) -> Result<String, CommandError> {
    let newest = session.wait(session.client.latest_activity(1))?;
    let id = newest.items.first().map(|event| event.event_id.as_str().to_owned());
    Ok(id.unwrap_or_else(|| BEFORE_ALL.to_owned()))
}

/// Shows each card that is posted after an event, until the program ends.
pub(super) fn follow(
    mut seen: String,
    is_json: bool,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    ui.eprintln("waiting for new cards; Ctrl-C ends");
    let can_wait = session.wait(session.client.can_wait_for_changes())?;
    let mut version = None;
    loop {
        if can_wait {
            version = Some(session.wait(next_version(session, version))?);
        } else {
            session.block_on(async { tokio::time::sleep(INTERVAL).await });
        }
        let events = session.wait(session.client.activity_since(&seen))?.items;
        if let Some(last) = events.last() {
            last.event_id.as_str().clone_into(&mut seen);
        }
        let is_post =
            |kind: &OpenEnum<ActivityType>| *kind == OpenEnum::Known(ActivityType::ResultPosted);
        let posted = events.into_iter().filter(|event| is_post(&event.kind));
        let mut items = Vec::new();
        for id in posted.filter_map(|event| event.refs.result_id) {
            items.extend(card(&id, session)?);
        }
        if items.is_empty() {
            continue;
        }
        if is_json {
            let server = ui.masked(session.server.name()).into_owned();
            print_line(&InboxV1 { version: VERSION, server, items, next_cursor: None }, ui)?;
            continue;
        }
        let names = cards::skill_names(session);
        let style = Style { color: ui.stdout_color(), width: ui.width() };
        for card in &items {
            ui.print(format!("\n{}", cards::listed(card, &names, style)).as_bytes())?;
        }
    }
}

/// Waits for another version of the activity than is known, for some seconds at most. The call has to be
/// answered before the timeout of the client.
async fn next_version(session: &Session, known: Option<String>) -> Result<String, ClientError> {
    let most = Duration::from_millis(WAIT_MILLISECONDS_MAX).min(session.server.timeout / 2);
    let resource = WatchedResource { uri: ACTIVITY_URI.to_owned(), since_version: known };
    let wait = ResourceWaitArguments {
        resources: vec![resource],
        timeout_ms: u64::try_from(most.as_millis()).ok(),
        include_state: None,
    };
    let answer = session.client.resource_wait(&wait).await?;
    Ok(answer.resources.into_iter().map(|resource| resource.version).collect())
}

/// Returns a card, unless it is gone by now.
fn card(id: &ResultId, session: &Session) -> Result<Option<InboxCard>, CommandError> {
    match session.block_on(session.client.card(id)) {
        Ok(card) => Ok(Some(card)),
        Err(ClientError::Refused(error)) if error.code == ErrorCode::DomainNotFound => Ok(None),
        Err(error) => Err(session.command_error(&error)),
    }
}

/// Writes JSON on one line.
pub(super) fn print_line(value: &impl Serialize, ui: &mut Ui) -> Result<(), CommandError> {
    let line = serde_json::to_string(value).expect("keys are strings");
    ui.print(format!("{line}\n").as_bytes())
}
