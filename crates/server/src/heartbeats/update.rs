//! A change of a heartbeat that exists.

use super::create::add_safety_reasons;
use super::roles;
use super::schedule;
use super::skills;
use serde_json::{Map, Value};

use crate::caller::{EntityKind, not_found_in_family};
use crate::failure::Failure;
use crate::problems::Problems;
use crate::roster;
use crate::store::{Heartbeat, HeartbeatState, Member, MemberRole, Reader};
use crate::tool::Call;
use dibber_skill::contract::{HeartbeatChange, HeartbeatUpdate, MissedFires, Scope, UserId};
use dibber_skill::names::Roster;

/// A change that has been checked.
pub(crate) struct PlannedUpdate {
    /// The heartbeat after the change.
    pub(crate) heartbeat: Heartbeat,
    pub(crate) members: MemberChange,
    pub(crate) effect: Effect,
    /// Whether anything is different afterwards.
    pub(crate) is_change: bool,
    /// Why a parent has to look at it, as the safety check says.
    pub(crate) review: Vec<String>,
}

impl PlannedUpdate {
    /// Creates a change that the safety check does not ask a parent to look at.
    const fn new(heartbeat: Heartbeat, members: MemberChange, effect: Effect) -> Self {
        Self { heartbeat, members, effect, is_change: true, review: Vec::new() }
    }
}

/// The effect of a change, in words.
#[derive(Clone, Copy)]
pub(crate) struct Effect {
    /// What the heartbeat is like afterwards, as a sentence.
    pub(crate) done: &'static str,
    /// What the change would do, after "would".
    pub(crate) planned: &'static str,
}

const fn effect(done: &'static str, planned: &'static str) -> Effect {
    Effect { done, planned }
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
    let heartbeat = heartbeat.ok_or_else(|| not_found_in_family(scope, EntityKind::Heartbeat))?;
    let members = store.members(family, &heartbeat.id)?.complete()?;
    roles::check(&update.change, &call.caller.user_id, &members)?;
    if let Some(target) = update.change.target_user_id()
        && !store.user_ids(family)?.contains(target)
    {
        return Err(not_found_in_family(scope, EntityKind::GrownUp));
    }
    if heartbeat.state == HeartbeatState::Cancelled {
        return Err(Failure::bad_input(
            "HEARTBEAT_CANCELLED",
            "the heartbeat is cancelled for good",
            "create a new one with heartbeat_create",
        ));
    }
    let before = heartbeat.clone();
    let problems = Problems::with_prefix(prefix);
    let mut planned = apply(&update.change, heartbeat, &members, call, store, problems)?;
    planned.is_change =
        planned.heartbeat != before || !matches!(planned.members, MemberChange::None);
    Ok(planned)
}

/// Applies a change to a heartbeat with these members.
fn apply(
    change: &HeartbeatChange,
    heartbeat: Heartbeat,
    members: &[Member],
    call: &Call,
    store: &dyn Reader,
    problems: Problems,
) -> Result<PlannedUpdate, Failure> {
    let family = &call.caller.family;
    match change {
        HeartbeatChange::EditSchedule { cron, tz } => {
            let roster = roster::load(store, family)?;
            edit_schedule(heartbeat, (cron.as_deref(), tz.as_deref()), &roster, call, problems)
        }
        HeartbeatChange::EditText { .. } => Err(Failure::bad_input(
            "NOT_FREE_FORM",
            "the heartbeat runs a skill, so it has no text of its own",
            "change the skill's prompt with skill_update",
        )),
        HeartbeatChange::EditName { name } => {
            edit_name(heartbeat, name, &roster::load(store, family)?, call, problems)
        }
        HeartbeatChange::EditInputs { skill_input } => {
            edit_inputs(heartbeat, skill_input, call, store, problems)
        }
        HeartbeatChange::EditMissedFires { missed_fires } => {
            Ok(edit_missed_fires(heartbeat, *missed_fires))
        }
        HeartbeatChange::Pause => Ok(set_state(
            heartbeat,
            HeartbeatState::Paused,
            effect("It is paused until it is resumed.", "pause it until it is resumed"),
            effect("It was paused already.", "change nothing: it is paused already"),
        )),
        HeartbeatChange::Resume => Ok(set_state(
            resumed(heartbeat, call),
            HeartbeatState::Active,
            effect("It fires again.", "let it fire again"),
            effect("It was not paused.", "change nothing: it is not paused"),
        )),
        HeartbeatChange::Cancel => Ok(set_state(
            heartbeat,
            HeartbeatState::Cancelled,
            effect("It is cancelled, and never fires again.", "cancel it for good"),
            effect("It was cancelled already.", "change nothing: it is cancelled already"),
        )),
        HeartbeatChange::AddMember { target_user_id } => {
            Ok(add_member(heartbeat, target_user_id, members))
        }
        HeartbeatChange::RemoveMember { target_user_id } => {
            Ok(remove_member(heartbeat, target_user_id, members))
        }
        HeartbeatChange::PromoteAdmin { target_user_id } => {
            promote_admin(heartbeat, target_user_id, members)
        }
    }
}

fn edit_schedule(
    mut heartbeat: Heartbeat,
    (cron, tz): (Option<&str>, Option<&str>),
    roster: &Roster,
    call: &Call,
    mut problems: Problems,
) -> Result<PlannedUpdate, Failure> {
    let blamed = if cron.is_some() { "/cron" } else { "/tz" };
    let cron = cron.unwrap_or(heartbeat.cadence.cron());
    let tz = tz.unwrap_or(heartbeat.cadence.time_zone());
    let parsed = schedule::parse(cron, Some(tz), blamed, call.now, roster, &mut problems);
    problems.into_result()?;
    let Some(cadence) = parsed else { unreachable!("an invalid schedule is a problem") };
    heartbeat.cadence = cadence;
    heartbeat.decided_until = call.millisecond();
    let effect = effect("It has the new schedule.", "give it the new schedule");
    Ok(PlannedUpdate::new(heartbeat, MemberChange::None, effect))
}

fn edit_name(
    mut heartbeat: Heartbeat,
    name: &str,
    roster: &Roster,
    call: &Call,
    mut problems: Problems,
) -> Result<PlannedUpdate, Failure> {
    schedule::check_name(name, roster, &mut problems);
    let mut review = Vec::new();
    if problems.is_empty() {
        let input = Some(&heartbeat.skill_input);
        review = add_safety_reasons(name, &heartbeat.cadence, input, call, &mut problems)?;
    }
    problems.into_result()?;
    name.clone_into(&mut heartbeat.name);
    let effect = effect("It has the new name.", "give it the new name");
    Ok(PlannedUpdate { review, ..PlannedUpdate::new(heartbeat, MemberChange::None, effect) })
}

fn edit_inputs(
    mut heartbeat: Heartbeat,
    input: &Map<String, Value>,
    call: &Call,
    store: &dyn Reader,
    mut problems: Problems,
) -> Result<PlannedUpdate, Failure> {
    skills::check_fire_values(Some(input), &mut problems);
    if let Some(skill) = store.skill(&call.caller.family, &heartbeat.run_skill_id)? {
        skills::report_missing_inputs(&skill, Some(input), &mut problems);
    }
    let mut review = Vec::new();
    if problems.is_empty() {
        let (name, cadence) = (&heartbeat.name, &heartbeat.cadence);
        review = add_safety_reasons(name, cadence, Some(input), call, &mut problems)?;
    }
    problems.into_result()?;
    heartbeat.skill_input.clone_from(input);
    let effect = effect("It has the new inputs.", "give it the new inputs");
    Ok(PlannedUpdate { review, ..PlannedUpdate::new(heartbeat, MemberChange::None, effect) })
}

fn edit_missed_fires(mut heartbeat: Heartbeat, missed_fires: MissedFires) -> PlannedUpdate {
    heartbeat.missed_fires = missed_fires;
    let effect = match missed_fires {
        MissedFires::Skip => effect("Missed times do not run.", "not run times that were missed"),
        MissedFires::Once => effect(
            "Of missed times, the latest runs if it is younger than 24 hours.",
            "run the latest of the times that were missed",
        ),
        MissedFires::All => effect(
            "All missed times of the last 24 hours run.",
            "run all times of the last 24 hours that were missed",
        ),
    };
    PlannedUpdate::new(heartbeat, MemberChange::None, effect)
}

/// Returns a heartbeat whose planned times until now do not run, if it was paused until now.
fn resumed(mut heartbeat: Heartbeat, call: &Call) -> Heartbeat {
    if heartbeat.state == HeartbeatState::Paused {
        heartbeat.decided_until = call.millisecond();
        heartbeat.failed_in_row = 0;
    }
    heartbeat
}

fn set_state(
    mut heartbeat: Heartbeat,
    state: HeartbeatState,
    changed: Effect,
    already: Effect,
) -> PlannedUpdate {
    let effect = if heartbeat.state == state { already } else { changed };
    heartbeat.state = state;
    PlannedUpdate::new(heartbeat, MemberChange::None, effect)
}

fn add_member(heartbeat: Heartbeat, user: &UserId, members: &[Member]) -> PlannedUpdate {
    let (members, effect) = match role_of(user, members) {
        None => {
            (put(user, MemberRole::Member), effect("They take part now.", "let them take part"))
        }
        Some(_) => (
            MemberChange::None,
            effect("They took part already.", "change nothing: they take part already"),
        ),
    };
    PlannedUpdate::new(heartbeat, members, effect)
}

fn remove_member(heartbeat: Heartbeat, user: &UserId, members: &[Member]) -> PlannedUpdate {
    let (members, effect) = match role_of(user, members) {
        None => (
            MemberChange::None,
            effect("They did not take part.", "change nothing: they do not take part"),
        ),
        Some(_) => (
            MemberChange::Remove(user.clone()),
            effect("They no longer take part.", "remove them from it"),
        ),
    };
    PlannedUpdate::new(heartbeat, members, effect)
}

fn promote_admin(
    heartbeat: Heartbeat,
    user: &UserId,
    members: &[Member],
) -> Result<PlannedUpdate, Failure> {
    let (members, effect) = match role_of(user, members) {
        Some(MemberRole::Member) => {
            (put(user, MemberRole::Admin), effect("They may edit it now.", "let them edit it"))
        }
        Some(_) => (
            MemberChange::None,
            effect("They could edit it already.", "change nothing: they can edit it already"),
        ),
        None => {
            return Err(Failure::bad_input(
                "TARGET_NOT_A_MEMBER",
                "this grown-up does not take part in the heartbeat",
                "add them first, with add_member",
            ));
        }
    };
    Ok(PlannedUpdate::new(heartbeat, members, effect))
}

fn role_of(user: &UserId, members: &[Member]) -> Option<MemberRole> {
    members.iter().find(|member| member.user_id == *user).map(|member| member.role)
}

fn put(user: &UserId, role: MemberRole) -> MemberChange {
    MemberChange::Put(Member { user_id: user.clone(), role })
}
