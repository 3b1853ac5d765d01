//! Heartbeats, their members and their chats.

use postgres::Row;

use super::checked_table::{CheckedTable, id_column};
use super::session::Session;
use super::value::{
    DamagedColumn, Parsed, flag, from_json, from_word, id, integer, optional_id, optional_time,
    text, time, to_json, values,
};
use crate::store::cadence::{Cadence, InvalidCadence};
use crate::store::error::StoreResult;
use crate::store::families::{FamilyId, ReadFamilies};
use crate::store::heartbeats::{
    Heartbeat, HeartbeatList, HeartbeatState, Member, MemberRole, ReadHeartbeats, WriteHeartbeats,
};
use crate::store::listed::Listed;
use crate::store::versions::WriteVersions;
use dibber_skill::contract::{ChatId, HeartbeatId, MissedFires, SkillId, UserId, WireEnum};

/// The columns of a heartbeat, in the order of [`heartbeat`].
macro_rules! columns {
    () => {
        "id, name, cron, tz, run_skill_id, assignment_skill_id, child_id, skill_input, \
         post_result_notify, state, chat_id, created_at, last_run_at, missed_fires, \
         decided_until, failed_in_row"
    };
}

/// The columns of a heartbeat, in the order of [`heartbeat`].
pub(super) const HEARTBEAT_COLUMNS: &str = columns!();

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[
    CheckedTable {
        name: "heartbeats",
        columns: columns!(),
        parse: |row| heartbeat(row).map(drop),
        id: id_column,
    },
    CheckedTable {
        name: "heartbeat_members",
        columns: "user_id, role",
        parse: |row| member(row).map(drop),
        id: |_| None,
    },
];

/// The beginning of every statement that reads heartbeats.
macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", columns!(), " FROM heartbeats WHERE family_id = $1 AND ", $rest)
    };
}

/// The statement that lists heartbeats after the one with the id `$2`, as skills are listed. It
/// finds the first one of a page by an index.
const LISTING: &str = select!(
    "state <> 'cancelled' AND seq > CASE WHEN $2 IS NULL THEN 0 \
     ELSE (SELECT seq FROM heartbeats WHERE family_id = $1 AND id = $2) END \
     ORDER BY seq"
);

impl ReadHeartbeats for Session<'_> {
    fn heartbeat(&self, family: &FamilyId, id: &HeartbeatId) -> StoreResult<Option<Heartbeat>> {
        self.one(select!("id = $2"), values![family, id], heartbeat)
    }

    fn heartbeats(
        &self,
        family: &FamilyId,
        list: &HeartbeatList,
    ) -> StoreResult<Listed<Heartbeat>> {
        self.page(LISTING, values![family, list.after.as_ref()], list.limit, heartbeat)
    }

    fn heartbeat_that_runs(
        &self,
        family: &FamilyId,
        skill: &SkillId,
    ) -> StoreResult<Option<(HeartbeatId, String)>> {
        let statement = "SELECT id, name FROM heartbeats
             WHERE family_id = $1 AND run_skill_id = $2 AND state <> 'cancelled' ORDER BY seq LIMIT 1";
        self.one(statement, values![family, skill], |row| Ok((id(row, 0)?, text(row, 1)?)))
    }

    fn heartbeat_count(&self, family: &FamilyId) -> StoreResult<usize> {
        let statement =
            "SELECT COUNT(*) FROM heartbeats WHERE family_id = $1 AND state <> 'cancelled'";
        self.count(statement, family.as_str())
    }

    fn members(&self, family: &FamilyId, heartbeat: &HeartbeatId) -> StoreResult<Listed<Member>> {
        let statement = "SELECT user_id, role FROM heartbeat_members
             WHERE family_id = $1 AND heartbeat_id = $2 ORDER BY seq";
        let mut members = self.list(statement, values![family, heartbeat], member)?;
        members.rows.sort_by_key(|member| member.role);
        Ok(members)
    }

    fn has_chat(&self, family: &FamilyId, chat: &ChatId) -> StoreResult<bool> {
        Ok(is_family_chat(self, family, chat)? || heartbeat_of(self, family, chat)?.is_some())
    }

    fn participants(&self, family: &FamilyId, chat: &ChatId) -> StoreResult<Vec<UserId>> {
        if is_family_chat(self, family, chat)? {
            return self.user_ids(family);
        }
        let Some(heartbeat) = heartbeat_of(self, family, chat)? else { return Ok(Vec::new()) };
        let statement = "SELECT user_id FROM heartbeat_members
             WHERE family_id = $1 AND heartbeat_id = $2 ORDER BY role <> 'owner', seq";
        self.all(statement, values![family, &heartbeat], |row| id(row, 0))
    }
}

impl WriteHeartbeats for Session<'_> {
    fn add_heartbeat(
        &self,
        family: &FamilyId,
        heartbeat: &Heartbeat,
        members: &[Member],
    ) -> StoreResult<()> {
        let statement = "INSERT INTO heartbeats (family_id, id, name, cron, tz, run_skill_id,
             assignment_skill_id, child_id, skill_input, post_result_notify, state, chat_id,
             created_at, last_run_at, missed_fires, decided_until, failed_in_row)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
        write(self, statement, family, heartbeat)?;
        members.iter().try_for_each(|member| self.put_member(family, &heartbeat.id, member))
    }

    fn remove_cancelled_beyond(&self, family: &FamilyId, max: usize) -> StoreResult<()> {
        let oldest = "SELECT id FROM heartbeats WHERE family_id = $1 AND state = 'cancelled'
             ORDER BY cancelled_seq DESC, seq DESC OFFSET $2";
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        // The newest version stays, so that it is not given again.
        let versions = "resource LIKE 'heartbeat/%'
             AND version < (SELECT MAX(version) FROM resource_versions)";
        let removed = [
            ("resource_versions", "substr(resource, 11)", versions),
            ("heartbeat_members", "heartbeat_id", "TRUE"),
            ("heartbeats", "id", "TRUE"),
        ];
        for (table, id, filter) in removed {
            let statement = format!(
                "DELETE FROM {table} WHERE family_id = $1 AND {filter} AND {id} IN ({oldest})"
            );
            self.execute(&statement, values![family, max])?;
        }
        Ok(())
    }

    fn put_heartbeat(&self, family: &FamilyId, heartbeat: &Heartbeat) -> StoreResult<()> {
        let statement = "UPDATE heartbeats SET name = $3, cron = $4, tz = $5, run_skill_id = $6,
             assignment_skill_id = $7, child_id = $8, skill_input = $9, post_result_notify = $10,
             state = $11, chat_id = $12, created_at = $13, last_run_at = $14, missed_fires = $15,
             decided_until = $16, failed_in_row = $17,
             next_fire_at = NULL, is_next_fire_known = 0,
             cancelled_seq = CASE WHEN $11 = 'cancelled' THEN COALESCE(cancelled_seq,
                 (SELECT COALESCE(MAX(cancelled_seq), 0) + 1 FROM heartbeats
                  WHERE family_id = $1 AND state = 'cancelled')) END
             WHERE family_id = $1 AND id = $2";
        write(self, statement, family, heartbeat)
    }

    fn put_member(
        &self,
        family: &FamilyId,
        heartbeat: &HeartbeatId,
        member: &Member,
    ) -> StoreResult<()> {
        self.execute_one(
            "INSERT INTO heartbeat_members (family_id, heartbeat_id, user_id, role)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (family_id, heartbeat_id, user_id) DO UPDATE SET role = excluded.role",
            values![family, heartbeat, &member.user_id, role_name(member.role)],
        )?;
        self.record_heartbeat_change(family, heartbeat)
    }

    fn remove_member(
        &self,
        family: &FamilyId,
        heartbeat: &HeartbeatId,
        user: &UserId,
    ) -> StoreResult<()> {
        let statement = "DELETE FROM heartbeat_members
             WHERE family_id = $1 AND heartbeat_id = $2 AND user_id = $3";
        self.execute(statement, values![family, heartbeat, user])?;
        self.record_heartbeat_change(family, heartbeat)
    }
}

fn write(
    session: &Session<'_>,
    statement: &str,
    family: &FamilyId,
    heartbeat: &Heartbeat,
) -> StoreResult<()> {
    session.execute_one(
        statement,
        values![
            family,
            &heartbeat.id,
            &heartbeat.name,
            heartbeat.cadence.cron(),
            heartbeat.cadence.time_zone(),
            &heartbeat.run_skill_id,
            heartbeat.assignment_skill_id.as_ref(),
            heartbeat.child_id.as_ref(),
            to_json(&heartbeat.skill_input)?,
            heartbeat.post_result_notify,
            state_name(heartbeat.state),
            &heartbeat.chat_id,
            heartbeat.created_at,
            heartbeat.last_run_at,
            heartbeat.missed_fires.name(),
            heartbeat.decided_until,
            heartbeat.failed_in_row,
        ],
    )?;
    session.record_heartbeat_change(family, &heartbeat.id)
}

fn is_family_chat(session: &Session<'_>, family: &FamilyId, chat: &ChatId) -> StoreResult<bool> {
    Ok(session.family(family)?.is_some_and(|family| family.chat_id == *chat))
}

fn heartbeat_of(
    session: &Session<'_>,
    family: &FamilyId,
    chat: &ChatId,
) -> StoreResult<Option<HeartbeatId>> {
    let statement = "SELECT id FROM heartbeats WHERE family_id = $1 AND chat_id = $2";
    session.one(statement, values![family, chat], |row| id(row, 0))
}

pub(super) fn heartbeat(row: &Row) -> Parsed<Heartbeat> {
    Ok(Heartbeat {
        id: id(row, 0)?,
        name: text(row, 1)?,
        cadence: cadence(row)?,
        run_skill_id: id(row, 4)?,
        assignment_skill_id: optional_id(row, 5)?,
        child_id: optional_id(row, 6)?,
        skill_input: from_json(row, 7)?,
        post_result_notify: flag(row, 8)?,
        state: from_word(row, 9, parse_state)?,
        chat_id: id(row, 10)?,
        created_at: time(row, 11)?,
        last_run_at: optional_time(row, 12)?,
        missed_fires: from_word(row, 13, MissedFires::from_name)?,
        decided_until: time(row, 14)?,
        failed_in_row: integer(row, 15)?,
    })
}

fn member(row: &Row) -> Parsed<Member> {
    Ok(Member { user_id: id(row, 0)?, role: from_word(row, 1, parse_role)? })
}

fn cadence(row: &Row) -> Parsed<Cadence> {
    let (cron, time_zone) = (text(row, 2)?, text(row, 3)?);
    Cadence::parse(&cron, &time_zone).map_err(|error| {
        DamagedColumn(if matches!(error, InvalidCadence::TimeZone(_)) { 3 } else { 2 })
    })
}

const fn state_name(state: HeartbeatState) -> &'static str {
    match state {
        HeartbeatState::Active => "active",
        HeartbeatState::Paused => "paused",
        HeartbeatState::Cancelled => "cancelled",
    }
}

fn parse_state(name: &str) -> Option<HeartbeatState> {
    let states = [HeartbeatState::Active, HeartbeatState::Paused, HeartbeatState::Cancelled];
    states.into_iter().find(|state| state_name(*state) == name)
}

const fn role_name(role: MemberRole) -> &'static str {
    match role {
        MemberRole::Owner => "owner",
        MemberRole::Admin => "admin",
        MemberRole::Member => "member",
    }
}

fn parse_role(name: &str) -> Option<MemberRole> {
    let roles = [MemberRole::Owner, MemberRole::Admin, MemberRole::Member];
    roles.into_iter().find(|role| role_name(*role) == name)
}
