//! What is reported of skills that are the same as one that a folder is linked to.

use super::session::Session;
use dibber_client::publish::{
    DuplicateSkill, ListedSkills, LockFiles, LockKey, find_duplicate_skills,
};
use dibber_skill::contract::{SkillId, SkillWrite};
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_text::{Message, message, quote_in_full};

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
    found.iter().map(|duplicate| report(duplicate, linked, session)).collect()
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

fn report(duplicate: &DuplicateSkill, linked: &[Linked], session: &Session) -> (Message, Message) {
    let path = linked.iter().find(|(_, id)| *id == duplicate.linked);
    let path = path.map_or("", |(path, _)| path);
    let id = quote_in_full(duplicate.skill_id.as_str());
    let message = message![
        quote_in_full(session.server.name()),
        " also has ",
        id,
        ", a duplicate of ",
        quote_in_full(path),
        " (",
        quote_in_full(duplicate.linked.as_str()),
        ")"
    ];
    let options = quote_in_full(&session.server.typed_options);
    let help = message![
        "if no other folder is linked to it, run `dibber skill archive ",
        id,
        options,
        "`"
    ];
    (message, help)
}
