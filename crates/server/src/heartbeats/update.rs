//! A change of a heartbeat that exists.

use super::problems::Problems;
use super::schedule::{self, zone_name};
use super::{actions, roles};
use crate::call::Call;
use crate::caller::not_yours;
use crate::failure::Failure;
use crate::store::{Heartbeat, HeartbeatState, Member, MemberRole, Reader};
use dibber_skill::contract::{HeartbeatAction, HeartbeatUpdate, Scope};

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
    Remove(String),
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
    actions::check(update, prefix)?;
    let family = &call.caller.family;
    let heartbeat = store.heartbeat(family, &update.heartbeat_id)?;
    let heartbeat = heartbeat.ok_or_else(|| not_yours(scope, "heartbeat"))?;
    let members = store.members(family, &heartbeat.id)?;
    let target = update.target_user_id.as_deref();
    roles::check(update.action, &call.caller.user_id, target, &members)?;
    if let Some(target) = target
        && !store.users(family)?.iter().any(|user| user.id == target)
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
    match update.action {
        HeartbeatAction::EditSchedule => edit_schedule(heartbeat, update, call, problems),
        HeartbeatAction::EditText => Err(Failure::bad_input(
            "NOT_FREE_FORM",
            "the heartbeat runs a skill, so it has no text of its own",
            "change the skill's prompt with skill_update",
        )),
        HeartbeatAction::EditName => edit_name(heartbeat, update, problems),
        HeartbeatAction::Pause => Ok(set_state(
            heartbeat,
            HeartbeatState::Paused,
            "It is paused until it is resumed.",
            "It was paused already.",
        )),
        HeartbeatAction::Resume => Ok(set_state(
            heartbeat,
            HeartbeatState::Active,
            "It fires again.",
            "It was not paused.",
        )),
        HeartbeatAction::Cancel => Ok(set_state(
            heartbeat,
            HeartbeatState::Cancelled,
            "It is cancelled, and never fires again.",
            "It was cancelled already.",
        )),
        HeartbeatAction::AddMember
        | HeartbeatAction::RemoveMember
        | HeartbeatAction::PromoteAdmin => {
            change_member(heartbeat, update.action, target.unwrap_or_default(), &members)
        }
    }
}

fn edit_schedule(
    mut heartbeat: Heartbeat,
    update: &HeartbeatUpdate,
    call: &Call,
    mut problems: Problems,
) -> Result<PlannedUpdate, Failure> {
    let blamed = if update.cron.is_some() { "/cron" } else { "/tz" };
    let cron = update.cron.as_ref().unwrap_or(&heartbeat.cron);
    let tz = update.tz.as_ref().unwrap_or(&heartbeat.tz);
    let parsed = schedule::parse(cron, Some(tz), blamed, call.now, &mut problems);
    problems.into_result()?;
    let Some(schedule) = parsed else { unreachable!("an invalid schedule is a problem") };
    if let Some(cron) = &update.cron {
        heartbeat.cron.clone_from(cron);
    }
    zone_name(&schedule).clone_into(&mut heartbeat.tz);
    Ok(PlannedUpdate {
        heartbeat,
        members: MemberChange::None,
        summary: "It has the new schedule.",
    })
}

fn edit_name(
    mut heartbeat: Heartbeat,
    update: &HeartbeatUpdate,
    mut problems: Problems,
) -> Result<PlannedUpdate, Failure> {
    let name = update.name.as_deref().unwrap_or_default();
    schedule::check_name(name, &mut problems);
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

fn change_member(
    heartbeat: Heartbeat,
    action: HeartbeatAction,
    target: &str,
    members: &[Member],
) -> Result<PlannedUpdate, Failure> {
    let role = members.iter().find(|member| member.user_id == target).map(|member| member.role);
    let put = |role| MemberChange::Put(Member { user_id: target.to_owned(), role });
    let (members, summary) = match (action, role) {
        (HeartbeatAction::AddMember, None) => (put(MemberRole::Member), "They take part now."),
        (HeartbeatAction::AddMember, Some(_)) => (MemberChange::None, "They took part already."),
        (HeartbeatAction::RemoveMember, None) => (MemberChange::None, "They did not take part."),
        (HeartbeatAction::RemoveMember, Some(_)) => {
            (MemberChange::Remove(target.to_owned()), "They no longer take part.")
        }
        (_, Some(MemberRole::Member)) => (put(MemberRole::Admin), "They may edit it now."),
        (_, Some(_)) => (MemberChange::None, "They could edit it already."),
        (_, None) => {
            return Err(Failure::bad_input(
                "TARGET_NOT_A_MEMBER",
                "this grown-up does not take part in the heartbeat",
                "add them first, with add_member",
            ));
        }
    };
    Ok(PlannedUpdate { heartbeat, members, summary })
}
