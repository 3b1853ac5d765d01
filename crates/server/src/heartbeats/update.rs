//! A change of a heartbeat that exists.

use super::problems::Problems;
use super::roles;
use super::schedule;
use crate::call::Call;
use crate::caller::not_yours;
use crate::failure::Failure;
use crate::roster;
use crate::store::{Heartbeat, HeartbeatState, Member, MemberRole, Reader};
use dibber_skill::contract::{HeartbeatChange, HeartbeatUpdate, Scope, UserId};
use dibber_skill::names::Roster;

/// A change that has been checked.
pub(crate) struct PlannedUpdate {
    /// The heartbeat after the change.
    pub(crate) heartbeat: Heartbeat,
    pub(crate) members: MemberChange,
    /// The effect, as a sentence.
    pub(crate) summary: &'static str,
}

/// The change of the members.
pub(crate) enum MemberChange {
    None,
    Put(Member),
    Remove(UserId),
}

/// Plans a change, or refuses it. Its arguments are below the JSON Pointer `prefix`; `scope` is that
/// of the tool, which decides how a missing id is reported.
pub(crate) fn plan(
    update: &HeartbeatUpdate,
    prefix: &'static str,
    scope: Scope,
    call: &Call,
    store: &dyn Reader,
) -> Result<PlannedUpdate, Failure> {
    let family = &call.caller.family;
    let heartbeat = store.heartbeat(family, &update.heartbeat_id)?;
    let heartbeat = heartbeat.ok_or_else(|| not_yours(scope, "heartbeat"))?;
    let members = store.members(family, &heartbeat.id)?;
    roles::check(&update.change, &call.caller.user_id, &members)?;
    if let Some(target) = update.change.target_user_id()
        && !store.users(family)?.iter().any(|user| user.id == *target)
    {
        return Err(not_yours(scope, "grown-up"));
    }
    if heartbeat.state == HeartbeatState::Cancelled {
        return Err(Failure::bad_input(
            "HEARTBEAT_CANCELLED",
            "the heartbeat is cancelled for good",
            "create a new one with heartbeat_create",
        ));
    }
    let problems = Problems::with_prefix(prefix);
    match &update.change {
        HeartbeatChange::EditSchedule { cron, tz } => {
            edit_schedule(heartbeat, cron.as_deref(), tz.as_deref(), call, problems)
        }
        HeartbeatChange::EditText { .. } => Err(Failure::bad_input(
            "NOT_FREE_FORM",
            "the heartbeat runs a skill, so it has no text of its own",
            "change the skill's prompt with skill_update",
        )),
        HeartbeatChange::EditName { name } => {
            edit_name(heartbeat, name, &roster::load(store, family)?, problems)
        }
        HeartbeatChange::Pause => Ok(set_state(
            heartbeat,
            HeartbeatState::Paused,
            "It is paused until it is resumed.",
            "It was paused already.",
        )),
        HeartbeatChange::Resume => Ok(set_state(
            heartbeat,
            HeartbeatState::Active,
            "It fires again.",
            "It was not paused.",
        )),
        HeartbeatChange::Cancel => Ok(set_state(
            heartbeat,
            HeartbeatState::Cancelled,
            "It is cancelled, and never fires again.",
            "It was cancelled already.",
        )),
        HeartbeatChange::AddMember { target_user_id } => {
            Ok(add_member(heartbeat, target_user_id, &members))
        }
        HeartbeatChange::RemoveMember { target_user_id } => {
            Ok(remove_member(heartbeat, target_user_id, &members))
        }
        HeartbeatChange::PromoteAdmin { target_user_id } => {
            promote_admin(heartbeat, target_user_id, &members)
        }
    }
}

fn edit_schedule(
    mut heartbeat: Heartbeat,
    cron: Option<&str>,
    tz: Option<&str>,
    call: &Call,
    mut problems: Problems,
) -> Result<PlannedUpdate, Failure> {
    let blamed = if cron.is_some() { "/cron" } else { "/tz" };
    let cron = cron.unwrap_or(heartbeat.cadence.cron());
    let tz = tz.unwrap_or(heartbeat.cadence.time_zone());
    let parsed = schedule::parse(cron, Some(tz), blamed, call.now, &mut problems);
    problems.into_result()?;
    let Some(cadence) = parsed else { unreachable!("an invalid schedule is a problem") };
    heartbeat.cadence = cadence;
    Ok(PlannedUpdate {
        heartbeat,
        members: MemberChange::None,
        summary: "It has the new schedule.",
    })
}

fn edit_name(
    mut heartbeat: Heartbeat,
    name: &str,
    roster: &Roster,
    mut problems: Problems,
) -> Result<PlannedUpdate, Failure> {
    schedule::check_name(name, roster, &mut problems);
    problems.into_result()?;
    name.clone_into(&mut heartbeat.name);
    Ok(PlannedUpdate { heartbeat, members: MemberChange::None, summary: "It has the new name." })
}

fn set_state(
    mut heartbeat: Heartbeat,
    state: HeartbeatState,
    summary: &'static str,
    already: &'static str,
) -> PlannedUpdate {
    let summary = if heartbeat.state == state { already } else { summary };
    heartbeat.state = state;
    PlannedUpdate { heartbeat, members: MemberChange::None, summary }
}

fn add_member(heartbeat: Heartbeat, user: &UserId, members: &[Member]) -> PlannedUpdate {
    let (members, summary) = match role_of(user, members) {
        None => (put(user, MemberRole::Member), "They take part now."),
        Some(_) => (MemberChange::None, "They took part already."),
    };
    PlannedUpdate { heartbeat, members, summary }
}

fn remove_member(heartbeat: Heartbeat, user: &UserId, members: &[Member]) -> PlannedUpdate {
    let (members, summary) = match role_of(user, members) {
        None => (MemberChange::None, "They did not take part."),
        Some(_) => (MemberChange::Remove(user.clone()), "They no longer take part."),
    };
    PlannedUpdate { heartbeat, members, summary }
}

fn promote_admin(
    heartbeat: Heartbeat,
    user: &UserId,
    members: &[Member],
) -> Result<PlannedUpdate, Failure> {
    let (members, summary) = match role_of(user, members) {
        Some(MemberRole::Member) => (put(user, MemberRole::Admin), "They may edit it now."),
        Some(_) => (MemberChange::None, "They could edit it already."),
        None => {
            return Err(Failure::bad_input(
                "TARGET_NOT_A_MEMBER",
                "this grown-up does not take part in the heartbeat",
                "add them first, with add_member",
            ));
        }
    };
    Ok(PlannedUpdate { heartbeat, members, summary })
}

fn role_of(user: &UserId, members: &[Member]) -> Option<MemberRole> {
    members.iter().find(|member| member.user_id == *user).map(|member| member.role)
}

fn put(user: &UserId, role: MemberRole) -> MemberChange {
    MemberChange::Put(Member { user_id: user.clone(), role })
}
