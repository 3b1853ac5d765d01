//! Why a heartbeat is not published, for people.

use super::initiator::Initiator;
use super::sides::{both_changed, sides};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors::command_error;
use crate::cli::remote::session::Session;
use crate::cli::remote::withheld;
use dibber_client::publish::{HeartbeatBlocked, LockKey};
use dibber_skill::contract::HeartbeatId;
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_text::{Message, message, quote, quote_argument, quote_in_full};

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
    let argument = quote_argument(path.unwrap_or("PATH"));
    let options = quote_in_full(&session.server.typed_options);
    let pull = message!["`dibber pull ", argument, options, "`"];
    let forced_pull = message!["`dibber pull --force ", argument, options, "`"];
    let forced = message!["`dibber ", command, " --force ", argument, options, "`"];
    let server = quote_in_full(session.server.name());
    let error = match reason {
        HeartbeatBlocked::Call(error) => {
            return withheld::with_heartbeat(command_error(&error), name);
        }
        HeartbeatBlocked::CancelledElsewhere { heartbeat_id, is_changed_here, same_name } => {
            let id = quote_in_full(heartbeat_id.as_str());
            let (changed, pull) =
                if is_changed_here { (", and was changed here", forced_pull) } else { ("", pull) };
            let cancelled = message!["it was cancelled on ", server, " (", id, ")", changed];
            match same_name {
                Some(other) => replaced(cancelled, &other, forced, session),
                None => CommandError::new(cancelled).help(removes_or_makes(pull, forced)),
            }
        }
        HeartbeatBlocked::Unlisted(id) => unlisted(&id, session),
        HeartbeatBlocked::MayExist { heartbeat_id, has_same_schedule } => {
            let found = (&heartbeat_id, has_same_schedule);
            may_exist(found, forced, (initiator, path), session)
        }
        HeartbeatBlocked::MayBeRenamed(other) => {
            may_be_renamed(&other, forced, forced_pull, session)
        }
        HeartbeatBlocked::OfOtherDirectory(other) => of_other_directory(&other, path),
        HeartbeatBlocked::OtherChild { heartbeat_id } => of_other_child(&heartbeat_id),
        HeartbeatBlocked::ChangedElsewhere { listed, wanted, is_recorded, colliding } => {
            let reason = if colliding.is_some() {
                message!["it was changed on ", server, " and here"]
            } else if is_recorded {
                message!["it was changed on ", server, " since it was last set from here"]
            } else {
                message![server, " has another heartbeat of this name for the same skill"]
            };
            let sides = sides(wanted.as_deref(), Some(&listed));
            CommandError::new(message![reason, sides]).help(match (wanted, colliding) {
                (_, Some(parts)) => both_changed(&parts, forced_pull, forced),
                (Some(_), None) if is_recorded => message![
                    pull,
                    " takes the one there; ",
                    forced,
                    " sets the one here; `dibber push --merge ",
                    argument,
                    options,
                    "` merges changes of the name and of the schedule"
                ],
                (Some(_), None) => message![
                    forced_pull,
                    " writes it to sprout.yaml, ",
                    forced,
                    " sets it to the one here"
                ],
                (None, None) => message![
                    forced_pull,
                    " writes it to sprout.yaml again, ",
                    forced,
                    " cancels it"
                ],
            })
        }
    };
    error.with_context(quote(name)).exit(Exit::BadInput)
}

/// Returns the error for a change of a heartbeat that the server does not list.
fn unlisted(id: &HeartbeatId, session: &Session) -> CommandError {
    let (server, id) = (quote_in_full(session.server.name()), quote_in_full(id.as_str()));
    let options = quote_in_full(&session.server.typed_options);
    let message = message!["it was changed here, and ", server, " does not list it (", id, ")"];
    CommandError::new(message).help(message![
        "undo the change, or `dibber heartbeat cancel ",
        id,
        options,
        "` ends it, so that the next push makes it as it is here"
    ])
}

/// Returns the error for a heartbeat that is not recorded, and that the server may have already.
fn may_exist(
    (id, has_same_schedule): (&HeartbeatId, bool),
    forced: Message,
    (initiator, path): (Initiator, Option<&str>),
    session: &Session,
) -> CommandError {
    let (server, id) = (quote_in_full(session.server.name()), quote_in_full(id.as_str()));
    let options = quote_in_full(&session.server.typed_options);
    let skips = match initiator {
        Initiator::Create => Message::default(),
        Initiator::Push | Initiator::PushOfNew => message![
            ", `dibber push --no-heartbeats ",
            quote_argument(path.unwrap_or("PATH")),
            options,
            "` publishes the skill alone"
        ],
    };
    CommandError::new(message![
        "it was not made: ",
        server,
        " has ",
        id,
        " of the same ",
        if has_same_schedule { "name and schedule" } else { "name" },
        ", and does not list which skill that runs"
    ])
    .help(message![
        "if it runs this skill, too, `dibber heartbeat cancel ",
        id,
        options,
        "` ends it, so that the next push makes this one; ",
        forced,
        " makes both run",
        skips
    ])
}

/// Returns the error for a heartbeat that another directory has for the same skill.
fn of_other_directory(other: &LockKey, path: Option<&str>) -> CommandError {
    let other = shown_path(&from_current_directory(other.skill_directory()));
    let (other, argument) = (quote_in_full(&other), quote_argument(path.unwrap_or("PATH")));
    CommandError::new(message!["it is the heartbeat of ", other, ", which is the same skill"]).help(
        message![
            "delete one of the two folders; or, if this one is to be another skill, `dibber skill \
             unlink ",
            argument,
            "`"
        ],
    )
}

/// Returns the error for a heartbeat whose name the one of another child has.
fn of_other_child(id: &HeartbeatId) -> CommandError {
    let id = quote_in_full(id.as_str());
    CommandError::new(message!["the heartbeat of this name, ", id, ", is for another child"])
        .help("make one more with `--schedule` and `--skill`, and another name")
}

/// Returns the error for a new heartbeat that may be another one under another name.
fn may_be_renamed(
    other: &str,
    forced: Message,
    forced_pull: Message,
    session: &Session,
) -> CommandError {
    let (other, server) = (quote(other), quote_in_full(session.server.name()));
    CommandError::new(message![
        "it was not made: it may be `",
        other,
        "` under another name, which was changed on ",
        server
    ])
    .help(message![
        forced,
        " cancels `",
        other,
        "` and makes this one, ",
        forced_pull,
        " writes `",
        other,
        "` to sprout.yaml again"
    ])
}

/// Returns what there is to do about a heartbeat that was cancelled.
fn removes_or_makes(pull: Message, forced: Message) -> Message {
    message![pull, " removes it from sprout.yaml, ", forced, " makes it again"]
}

/// Returns the error for a heartbeat that an interrupted run has made, and that was cancelled since.
pub(super) fn cancelled_since(
    name: &str,
    path: Option<&str>,
    id: &HeartbeatId,
    session: &Session,
) -> CommandError {
    if path.is_some() {
        let (heartbeat_id, is_changed_here, same_name) = (id.clone(), false, None);
        let reason =
            HeartbeatBlocked::CancelledElsewhere { heartbeat_id, is_changed_here, same_name };
        return shown(name, path, reason, Initiator::Push, session);
    }
    let (id, server) = (quote_in_full(id.as_str()), quote_in_full(session.server.name()));
    let made = "it was made by an interrupted run";
    CommandError::new(message![made, ", and it was cancelled on ", server, " since (", id, ")"])
        .help("the same command with `--force` makes it again")
        .with_context(quote(name))
        .exit(Exit::BadInput)
}

/// Returns the error for a heartbeat in whose place there is one of the same name.
fn replaced(
    cancelled: Message,
    other: &HeartbeatId,
    forced: Message,
    session: &Session,
) -> CommandError {
    let server = quote_in_full(session.server.name());
    let options = quote_in_full(&session.server.typed_options);
    let other = quote_in_full(other.as_str());
    let place = message![", and another heartbeat of this name is on ", server, " (", other, ")"];
    CommandError::new(message![cancelled, place]).help(message![
        forced,
        " sets that one to the one here; `dibber heartbeat list",
        options,
        "` shows it"
    ])
}
