//! The rows of the databases in which heartbeats fire.

use dibber_server::store::{
    Cadence, Decision, Family, FamilyId, FiredRun, Heartbeat, HeartbeatState, Member, MemberRole,
    Skill, StoreResult, User, Writer,
};
use dibber_skill::contract::{HeartbeatId, MissedFires, RunState, SkillWrite};
use jiff::{SignedDuration, Timestamp};

/// When all heartbeats fire first; they fire again each day.
pub(crate) const FIRST_FIRE: &str = "2026-06-01T08:00:00Z";
/// The heartbeats of a family.
const PER_FAMILY: usize = 100;

/// Returns runs that ended before a time, a few for each heartbeat of a part of them.
pub(crate) fn old_decisions(
    batch: usize,
    count: usize,
    heartbeats: usize,
    before: Timestamp,
) -> Vec<Decision> {
    let decision = |number: usize| {
        let number = batch * count + number;
        let (heartbeat, age) = (number % heartbeats, number / heartbeats + 1);
        let age = i64::try_from(age).expect("a few");
        let planned_at = (before - SignedDuration::from_hours(6 * age)).as_millisecond();
        let next_fire_at = before + SignedDuration::from_hours(24 * 9);
        Decision {
            family: family_id(heartbeat / PER_FAMILY),
            heartbeat: heartbeat_id(heartbeat),
            runs: vec![old_run(number, heartbeat, planned_at)],
            decided_until: before.as_millisecond(),
            next_fire_at: Some(next_fire_at.as_millisecond()),
        }
    };
    (0..count).map(decision).collect()
}

fn old_run(number: usize, heartbeat: usize, planned_at: i64) -> FiredRun {
    // Ids are random, so that they have no order in an index.
    let scattered = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    FiredRun {
        id: format!("run_{scattered:016x}{number:016x}").as_str().into(),
        heartbeat_id: heartbeat_id(heartbeat),
        skill_id: "sk_1".into(),
        planned_at,
        planned_local: "2026-05-24T08:00:00[Etc/UTC]".to_owned(),
        decided_at: planned_at,
        state: RunState::Skipped,
        due_at: planned_at,
        attempt: 0,
        claimed_by: None,
        lease_until: None,
        started_at: None,
        ended_at: Some(planned_at),
        reason: Some("missed: nothing was running at that time".to_owned()),
        may_have_repeated: false,
        prompt_hash: None,
        result: None,
    }
}

/// Adds families with a skill and heartbeats.
pub(crate) fn fill(writer: &dyn Writer, heartbeats: usize) -> StoreResult<()> {
    for number in 0..heartbeats.div_ceil(PER_FAMILY) {
        let id = family_id(number);
        writer.add_family(&Family {
            id: id.clone(),
            name: format!("Family {number}"),
            time_zone: "Etc/UTC".to_owned(),
            chat_id: format!("th_{number}").as_str().into(),
        })?;
        let user = User { id: format!("us_{number}").as_str().into(), name: "A parent".to_owned() };
        writer.add_user(&id, &user)?;
        let written = SkillWrite {
            name: "Water the plants".to_owned(),
            description: "Reminds of the plants.".to_owned(),
            prompt: "Look at the plants, then say what they need.\n".repeat(20),
            ..SkillWrite::default()
        };
        let (is_archived, created_at) = (false, 0);
        let skill =
            Skill { id: "sk_1".into(), written, is_archived, created_at, last_triggered_at: None };
        writer.add_skill(&id, &skill)?;
        let first = number * PER_FAMILY;
        for number in first..heartbeats.min(first + PER_FAMILY) {
            let owner = Member { user_id: user.id.clone(), role: MemberRole::Owner };
            writer.add_heartbeat(&id, &heartbeat(number), &[owner])?;
        }
    }
    Ok(())
}

fn heartbeat(number: usize) -> Heartbeat {
    let first: Timestamp = FIRST_FIRE.parse().expect("a time");
    let created_at = (first - SignedDuration::from_hours(1)).as_millisecond();
    Heartbeat {
        id: heartbeat_id(number),
        name: format!("Plants {number}"),
        cadence: Cadence::parse("0 8 * * *", "Etc/UTC").expect("a cadence"),
        run_skill_id: "sk_1".into(),
        assignment_skill_id: None,
        child_id: None,
        skill_input: serde_json::Map::new(),
        post_result_notify: false,
        state: HeartbeatState::Active,
        chat_id: format!("chat_{number}").as_str().into(),
        created_at,
        last_run_at: None,
        missed_fires: MissedFires::Once,
        decided_until: created_at,
        failed_in_row: 0,
    }
}

pub(crate) fn family_id(number: usize) -> FamilyId {
    format!("fam_{number}").as_str().into()
}

pub(crate) fn heartbeat_id(number: usize) -> HeartbeatId {
    format!("hb_{number}").as_str().into()
}
