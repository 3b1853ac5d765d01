//! Why a skill whose folder is gone is not archived, for people.

use super::page;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors;
use crate::cli::remote::no_skills;
use crate::cli::remote::running_heartbeats;
use crate::cli::remote::session::Session;
use dibber_client::ClientError;
use dibber_client::publish::{MissingRecord, PruneBlocked};
use dibber_text::{message, quote_argument, quote_in_full};

/// Returns the reason in a few words.
pub(super) fn in_words(reason: &PruneBlocked, server: &str) -> String {
    match reason {
        PruneBlocked::SkillChanged => format!("changed on {server}"),
        PruneBlocked::HeartbeatsChanged(_) => format!("heartbeats changed on {server}"),
        PruneBlocked::InUse(_) => "a heartbeat runs it".to_owned(),
        PruneBlocked::Call(ClientError::MayBeDamaged(_)) => "a heartbeat may be damaged".to_owned(),
        PruneBlocked::Call(ClientError::NoSkills { .. }) => "the server lists no skills".to_owned(),
        PruneBlocked::Call(_) => "the server was not asked".to_owned(),
    }
}

/// Converts the reason to the error that is shown.
pub(super) fn shown(
    record: &MissingRecord,
    reason: PruneBlocked,
    session: &Session,
) -> CommandError {
    let (typed, id) = (page::path_of(&record.key), record.published.skill_id.as_str());
    let (argument, path, id) = (quote_argument(&typed), quote_in_full(&typed), quote_in_full(id));
    let server = quote_in_full(session.server.name());
    let options = quote_in_full(&session.server.typed_options);
    let (reason, help) = match reason {
        PruneBlocked::Call(error) => {
            let shown = call_errors::command_error(&error).with_context(path);
            return no_skills::with_help_to_unlink(shown, &error, &typed, &session.server);
        }
        PruneBlocked::SkillChanged => (
            message!["it was changed on ", server, " since it was last published or pulled here"],
            message![
                "`dibber pull ",
                id,
                options,
                "` restores the folder with that change, `dibber push --prune --force ",
                argument,
                options,
                "` archives it anyway"
            ],
        ),
        PruneBlocked::HeartbeatsChanged(changed) => (
            message![
                running_heartbeats::named("its heartbeat", &changed),
                if changed.len() == 1 { " was changed on " } else { " were changed on " },
                server,
                " since it was last set from here"
            ],
            message![
                "`dibber pull ",
                id,
                options,
                "` restores the folder; `dibber push --prune --force ",
                argument,
                options,
                "` cancels ",
                if changed.len() == 1 { "the heartbeat" } else { "the heartbeats" },
                " for good and archives the skill"
            ],
        ),
        PruneBlocked::InUse(running) => (
            running_heartbeats::reason(&running),
            message![
                running_heartbeats::cancel_commands(&running, options),
                ", then `dibber push --prune ",
                argument,
                options,
                "` archives the skill"
            ],
        ),
    };
    CommandError::new(message!["cannot archive ", id, " of ", path, ": ", reason])
        .help(help)
        .exit(Exit::BadInput)
}
