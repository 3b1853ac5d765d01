//! Skills that are published once more, with `push --new`, although they are recorded: what was
//! published first stays on the server, and so do its heartbeats.

use super::plan::PushItem;
use crate::cli::error::CommandError;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{ListedSkills, LockFiles};
use dibber_skill::contract::SkillId;
use dibber_text::{Message, message, quote, quote_in_full};

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

/// Returns `true` unless a server says that a skill is archived or does not exist any more.
fn is_active(id: &SkillId, session: &Session) -> bool {
    match session.block_on(ListedSkills::new(&session.client).find(id)) {
        Ok(found) => found.is_some_and(|found| !found.skill.archived),
        Err(_) => true,
    }
}
