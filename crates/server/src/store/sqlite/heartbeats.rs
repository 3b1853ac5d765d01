//! Heartbeats, their members and their chats.

use rusqlite::{Row, params};

use super::families;
use super::session::{Session, from_json, from_word, json};
use crate::store::{
    FamilyId, Heartbeat, HeartbeatList, HeartbeatState, Member, MemberRole, Stored,
};

/// The beginning of every statement that reads heartbeats.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, id, name, cron, tz, run_skill_id, assignment_skill_id, child_id, \
             skill_input, post_result_notify, state, chat_id, created_at, last_run_at \
             FROM heartbeats WHERE family_id = ?1 AND ",
            $rest
        )
    };
}

/// The statement that lists heartbeats. It finds the first one of a page by an index.
pub const LISTING: &str = select!("state <> 'cancelled' AND seq > ?2 ORDER BY seq LIMIT ?3");

pub(super) fn one(session: &Session<'_>, family: &FamilyId, id: &str) -> Stored<Option<Heartbeat>> {
    session.one(select!("id = ?2"), [&family.0, id], heartbeat)
}

pub(super) fn page(
    session: &Session<'_>,
    family: &FamilyId,
    list: HeartbeatList,
) -> Stored<Vec<Heartbeat>> {
    let limit = i64::try_from(list.limit).unwrap_or(i64::MAX);
    session.all(LISTING, (&family.0, list.after, limit), heartbeat)
}

pub(super) fn add(
    session: &Session<'_>,
    family: &FamilyId,
    heartbeat: &Heartbeat,
    members: &[Member],
) -> Stored<()> {
    let statement = "INSERT INTO heartbeats (family_id, id, name, cron, tz, run_skill_id,
         assignment_skill_id, child_id, skill_input, post_result_notify, state, chat_id,
         created_at, last_run_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";
    write(session, statement, family, heartbeat)?;
    members.iter().try_for_each(|member| put_member(session, family, &heartbeat.id, member))
}

pub(super) fn put(session: &Session<'_>, family: &FamilyId, heartbeat: &Heartbeat) -> Stored<()> {
    let statement = "UPDATE heartbeats SET name = ?3, cron = ?4, tz = ?5, run_skill_id = ?6,
         assignment_skill_id = ?7, child_id = ?8, skill_input = ?9, post_result_notify = ?10,
         state = ?11, chat_id = ?12, created_at = ?13, last_run_at = ?14
         WHERE family_id = ?1 AND id = ?2";
    write(session, statement, family, heartbeat)
}

fn write(
    session: &Session<'_>,
    statement: &str,
    family: &FamilyId,
    heartbeat: &Heartbeat,
) -> Stored<()> {
    session.change_one(
        statement,
        params![
            family.0,
            heartbeat.id,
            heartbeat.name,
            heartbeat.cron,
            heartbeat.tz,
            heartbeat.run_skill_id,
            heartbeat.assignment_skill_id,
            heartbeat.child_id,
            json(&heartbeat.skill_input)?,
            heartbeat.post_result_notify,
            state_word(heartbeat.state),
            heartbeat.chat_id,
            heartbeat.created_at,
            heartbeat.last_run_at,
        ],
    )
}

pub(super) fn members(
    session: &Session<'_>,
    family: &FamilyId,
    heartbeat: &str,
) -> Stored<Vec<Member>> {
    let statement = "SELECT user_id, role FROM heartbeat_members
         WHERE family_id = ?1 AND heartbeat_id = ?2 ORDER BY seq";
    let mut members = session.all(statement, [&family.0, heartbeat], |row| {
        Ok(Member { user_id: row.get(0)?, role: from_word(row, 1, role_of)? })
    })?;
    members.sort_by_key(|member| member.role);
    Ok(members)
}

pub(super) fn put_member(
    session: &Session<'_>,
    family: &FamilyId,
    heartbeat: &str,
    member: &Member,
) -> Stored<()> {
    session.change_one(
        "INSERT INTO heartbeat_members (family_id, heartbeat_id, user_id, role)
         VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (family_id, heartbeat_id, user_id) DO UPDATE SET role = excluded.role",
        [&family.0, heartbeat, &member.user_id, role_word(member.role)],
    )
}

pub(super) fn remove_member(
    session: &Session<'_>,
    family: &FamilyId,
    heartbeat: &str,
    user: &str,
) -> Stored<()> {
    let statement = "DELETE FROM heartbeat_members
         WHERE family_id = ?1 AND heartbeat_id = ?2 AND user_id = ?3";
    session.change(statement, [&family.0, heartbeat, user]).map(drop)
}

pub(super) fn has_chat(session: &Session<'_>, family: &FamilyId, chat: &str) -> Stored<bool> {
    Ok(is_of_everybody(session, family, chat)? || heartbeat_of(session, family, chat)?.is_some())
}

pub(super) fn participants(
    session: &Session<'_>,
    family: &FamilyId,
    chat: &str,
) -> Stored<Vec<String>> {
    if is_of_everybody(session, family, chat)? {
        let users = families::users(session, family)?;
        return Ok(users.into_iter().map(|user| user.id).collect());
    }
    let Some(heartbeat) = heartbeat_of(session, family, chat)? else { return Ok(Vec::new()) };
    let members = members(session, family, &heartbeat)?;
    Ok(members.into_iter().map(|member| member.user_id).collect())
}

fn is_of_everybody(session: &Session<'_>, family: &FamilyId, chat: &str) -> Stored<bool> {
    Ok(families::one(session, family)?.is_some_and(|family| family.chat_id == chat))
}

fn heartbeat_of(session: &Session<'_>, family: &FamilyId, chat: &str) -> Stored<Option<String>> {
    let statement = "SELECT id FROM heartbeats WHERE family_id = ?1 AND chat_id = ?2";
    session.one(statement, [&family.0, chat], |row| row.get(0))
}

fn heartbeat(row: &Row<'_>) -> rusqlite::Result<Heartbeat> {
    Ok(Heartbeat {
        seq: row.get(0)?,
        id: row.get(1)?,
        name: row.get(2)?,
        cron: row.get(3)?,
        tz: row.get(4)?,
        run_skill_id: row.get(5)?,
        assignment_skill_id: row.get(6)?,
        child_id: row.get(7)?,
        skill_input: from_json(row, 8)?,
        post_result_notify: row.get(9)?,
        state: from_word(row, 10, state_of)?,
        chat_id: row.get(11)?,
        created_at: row.get(12)?,
        last_run_at: row.get(13)?,
    })
}

const fn state_word(state: HeartbeatState) -> &'static str {
    match state {
        HeartbeatState::Active => "active",
        HeartbeatState::Paused => "paused",
        HeartbeatState::Cancelled => "cancelled",
    }
}

fn state_of(word: &str) -> Option<HeartbeatState> {
    let states = [HeartbeatState::Active, HeartbeatState::Paused, HeartbeatState::Cancelled];
    states.into_iter().find(|state| state_word(*state) == word)
}

const fn role_word(role: MemberRole) -> &'static str {
    match role {
        MemberRole::Owner => "owner",
        MemberRole::Admin => "admin",
        MemberRole::Member => "member",
    }
}

fn role_of(word: &str) -> Option<MemberRole> {
    let roles = [MemberRole::Owner, MemberRole::Admin, MemberRole::Member];
    roles.into_iter().find(|role| role_word(*role) == word)
}
