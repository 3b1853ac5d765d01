//! Skills that are published once more, with `push --new`, although they are recorded: what was
//! published first stays on the server, and so do its heartbeats.

use super::arguments::Options;
use super::plan::PushItem;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors::journal_error;
use crate::cli::remote::heartbeat::plan::HeartbeatItem;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::ClientError;
use dibber_client::publish::{InterruptedPush, ListedSkills, LockFiles, LockKey, Records};
use dibber_skill::contract::SkillId;
use dibber_skill::discover::FoundSkill;
use dibber_text::{Message, message, quote, quote_argument, quote_in_full};

/// Fails if an interrupted run may have published some of these skills: the same command, run again,
/// would publish them twice.
pub(super) fn check(
    found: &[FoundSkill],
    session: &Session,
    locks: &mut LockFiles,
) -> Result<(), CommandError> {
    let mut skills = Vec::new();
    for skill in found {
        let key = LockKey::new(&skill.directory);
        let recorded = locks.get(&key)?.map(|published| published.skill_id);
        skills.push((key, recorded));
    }
    let interrupted = session.publisher()?.find_interrupted_push(&skills);
    let Some(InterruptedPush { unfinished, published }) =
        interrupted.map_err(|error| journal_error(&error))?
    else {
        return Ok(());
    };
    let named = |indexes: &[usize]| {
        Message::join(indexes.iter().map(|index| quote_in_full(&found[*index].shown)), ", ")
    };
    let typed = |indexes: &[usize]| {
        Message::join(indexes.iter().map(|index| quote_argument(&found[*index].shown)), " ")
    };
    let message =
        message!["an interrupted push has published ", named(&published), " already, or may have"];
    let resumed = if unfinished.is_empty() {
        Message::default()
    } else {
        message!["`dibber push --new ", typed(&unfinished), "` publishes what is not; "]
    };
    Err(CommandError::new(message).exit(Exit::BadInput).help(message![
        resumed,
        "`dibber push ",
        typed(&published),
        "`, without `--new`, does the rest; after `dibber journal discard`, everything is published \
         once more"
    ]))
}

/// Warns of every skill of the plan that is recorded as one that stays active.
pub(super) fn warn(
    items: &[PushItem],
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let options = quote_in_full(&session.server.typed_options);
    for item in items {
        let Some(draft) = &item.draft else { continue };
        let Some(mut former) = locks.get(&draft.key)? else { continue };
        if !is_active(&former.skill_id, session) {
            continue;
        }
        if !former.heartbeats.is_empty()
            && let Ok(listed) = session.block_on(session.client.all_heartbeats())
            && listed.unreadable.is_empty()
            && listed.damaged == 0
        {
            former.heartbeats.retain(|_, known| {
                listed.items.iter().any(|item| item.heartbeat_id == known.heartbeat_id)
            });
        }
        let path = quote_in_full(&item.review.path);
        let id = quote_in_full(former.skill_id.as_str());
        let names = former.heartbeats.keys().map(|name| message!["`", quote(name), "`"]);
        let names = Message::join(names, ", ");
        let running = if former.heartbeats.is_empty() {
            Message::default()
        } else {
            message![" with its heartbeats ", names]
        };
        ui.warning(message![
            path,
            " was published as ",
            id,
            ", which stays active",
            running,
            "; `dibber skill archive ",
            id,
            options,
            "` archives it"
        ]);
    }
    Ok(())
}

/// Returns `true` unless a server says that a skill is archived or does not exist any more, or lists no
/// skills at all.
fn is_active(id: &SkillId, session: &Session) -> bool {
    match session.block_on(ListedSkills::new(&session.client).is_active(id)) {
        Ok(is_active) => is_active,
        Err(ClientError::NoSkills { .. }) => false,
        Err(_) => true,
    }
}

/// Returns the error of a heartbeat with the command that makes it, now that its skill is published.
pub(super) fn with_next_command(
    error: CommandError,
    options: &Options,
    heartbeat: &HeartbeatItem,
) -> CommandError {
    match &heartbeat.path {
        Some(path) if options.records == Records::Ignore => error.more_help(message![
            "its skill is published: the next `dibber push ",
            quote_argument(path),
            "` is without `--new`"
        ]),
        _ => error,
    }
}
