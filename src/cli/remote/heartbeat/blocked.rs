//! Why a heartbeat is not published, for people.

use super::initiator::Initiator;
use super::page::next;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors::command_error;
use crate::cli::remote::session::Session;
use dibber_client::publish::HeartbeatBlocked;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem};
use dibber_skill::draft::cadence;
use dibber_text::{Message, message, quote, quote_in_full};

/// Converts the reason of a blocked heartbeat to the error that is shown.
pub(super) fn shown(
    name: &str,
    path: Option<&str>,
    reason: HeartbeatBlocked,
    initiator: Initiator,
    session: &Session,
) -> CommandError {
    let command = match initiator {
        Initiator::Create => "heartbeat create",
        Initiator::Push | Initiator::PushOfNew => "push",
    };
    let path = quote_in_full(path.unwrap_or("PATH"));
    let options = quote_in_full(&session.server.typed_options);
    let forced = message!["`dibber ", command, " --force ", path, options, "`"];
    let server = quote_in_full(session.server.name());
    let error = match reason {
        HeartbeatBlocked::Call(error) => return command_error(&error).with_context(quote(name)),
        HeartbeatBlocked::CancelledElsewhere { heartbeat_id } => {
            let id = quote_in_full(heartbeat_id.as_str());
            CommandError::new(message!["it was cancelled on ", server, " (", id, ")"])
                .help(message!["remove it from sprout.yaml, or make it again with ", forced])
        }
        HeartbeatBlocked::OtherChild { heartbeat_id } => {
            let id = quote_in_full(heartbeat_id.as_str());
            CommandError::new(message![
                "the heartbeat of this name, ",
                id,
                ", is for another child"
            ])
            .help("make one more with `--cron` and `--skill`, and another name")
        }
        HeartbeatBlocked::ChangedElsewhere { listed, wanted, is_recorded } => {
            let reason = if is_recorded {
                message!["it was changed on ", server, " since it was last set from here"]
            } else {
                message![server, " has another heartbeat of this name for the same skill"]
            };
            let here = wanted.as_deref().map_or_else(
                || Message::from("not in sprout.yaml any more"),
                |wanted| of_draft(wanted, &listed),
            );
            let there = of_listed(&listed);
            CommandError::new(message![reason, "\n  here     ", here, "\n  there    ", there]).help(
                match wanted {
                    Some(_) => message![
                        "write what is right into sprout.yaml; ",
                        forced,
                        " sets the heartbeat of the server to it"
                    ],
                    None => {
                        message!["write it into sprout.yaml to keep it; ", forced, " cancels it"]
                    }
                },
            )
        }
    };
    error.with_context(quote(name)).exit(Exit::BadInput)
}

/// Returns when a heartbeat of `sprout.yaml` fires, and whether only what cannot be seen there
/// differs.
fn of_draft(wanted: &HeartbeatCreate, listed: &HeartbeatListItem) -> Message {
    let words = cadence(&wanted.cron, wanted.tz.as_deref()).unwrap_or_default();
    let is_same = wanted.cron == listed.cron && words == listed.cadence_text;
    let inputs = if is_same { ", with other inputs" } else { "" };
    message![quote(&words), " (`", quote(&wanted.cron), "`)", inputs]
}

/// Returns what a server lists of a heartbeat.
fn of_listed(listed: &HeartbeatListItem) -> Message {
    let HeartbeatListItem { heartbeat_id, name, cron, cadence_text, next_run_at, .. } = listed;
    let next = match next_run_at {
        Some(at) => message!["next ", quote_in_full(&next(Some(at)))],
        None => "paused".into(),
    };
    message![
        quote(cadence_text),
        " (`",
        quote(cron),
        "`), `",
        quote(name),
        "`, ",
        quote_in_full(heartbeat_id.as_str()),
        ", ",
        next
    ]
}
