//! What is reported of skills that are the same as one that a folder is linked to.

use super::session::Session;
use dibber_client::publish::{
    DuplicateSkill, ListedSkills, LockFiles, LockKey, find_duplicate_skills,
};
use dibber_skill::contract::{SkillId, SkillWrite};
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_text::{Message, message, quote_argument, quote_in_full};

/// A folder and the skill that it is linked to.
pub(super) type Linked = (String, SkillId);

/// Returns a message for each skill of the server that is the same as one of these, with what to do.
/// Nothing is found on a server that does not list its skills.
pub(super) fn find(
    linked: &[Linked],
    sent: &[SkillWrite],
    (session, skills, locks): (&Session, &ListedSkills<'_>, &LockFiles),
) -> Vec<(Message, Message)> {
    let ids: Vec<_> = linked.iter().map(|(_, id)| id.clone()).collect();
    let found = session.block_on(find_duplicate_skills(&ids, sent, (skills, locks)));
    let found = found.unwrap_or_default();
    let report = |duplicate: &DuplicateSkill| {
        let linked = linked.iter().find(|(_, id)| *id == duplicate.linked)?;
        let same = found.iter().filter(|other| other.linked == duplicate.linked);
        let kept = same.map(|other| &other.skill_id).fold(&linked.1, Ord::min);
        Some(report(&duplicate.skill_id, linked, kept, session))
    };
    found.iter().filter_map(report).collect()
}

/// Does the same for everything that is recorded in the project of the current directory. A lock file
/// that cannot be read is reported where it is checked.
pub(super) fn find_recorded(session: &Session) -> Vec<(Message, Message)> {
    let (Ok(mut locks), Ok(publisher)) = (session.locks(), session.publisher()) else {
        return Vec::new();
    };
    let recorded = locks.recorded_skills(&LockKey::below_current_directory()).unwrap_or_default();
    if recorded.is_empty() {
        return Vec::new();
    }
    let path = |key: &LockKey| shown_path(&from_current_directory(key.skill_directory()));
    let linked: Vec<_> = recorded.into_iter().map(|(key, id)| (path(&key), id)).collect();
    let skills = ListedSkills::new(&session.client);
    find(&linked, &publisher.repeated_creations(), (session, &skills, &locks))
}

fn report(
    other: &SkillId,
    linked: &Linked,
    kept: &SkillId,
    session: &Session,
) -> (Message, Message) {
    let (path, id) = linked;
    let message = message![
        quote_in_full(session.server.name()),
        " also has ",
        quote_in_full(other.as_str()),
        ", a duplicate of ",
        quote_in_full(path),
        " (",
        quote_in_full(id.as_str()),
        ")"
    ];
    let archived = if other == kept { id } else { other };
    (message, keep_help(linked, (kept, archived), session))
}

/// Returns how to keep one of several skills that are the same, where a folder is linked to one of
/// them. The one that is kept is always that with the smallest id, so that every machine keeps the same.
pub(super) fn keep_help(
    (path, linked): &Linked,
    (kept, archived): (&SkillId, &SkillId),
    session: &Session,
) -> Message {
    let options = quote_in_full(&session.server.typed_options);
    let path = quote_argument(path);
    let kept = quote_in_full(kept.as_str());
    message![
        "keep ",
        kept,
        ": run `dibber skill archive --cancel-heartbeats ",
        quote_in_full(archived.as_str()),
        options,
        if linked == archived {
            "`, and then `"
        } else {
            "`, and where a folder is linked to it, `"
        },
        "dibber skill unlink ",
        path,
        options,
        "` and `dibber skill link ",
        path,
        " ",
        kept,
        options,
        "`"
    ]
}
