//! Finding and archiving a skill, and what refuses one.

use serde_json::{Map, Value};

use super::activity;
use super::caller::{EntityKind, not_found_in_family};
use super::failure::Failure;
use super::roster::FamilyMask;
use super::store::{Event, FamilyId, Reader, Skill, Writer};
use super::tool::Call;
use dibber_skill::contract::{
    ActivityType, CanvasId, Decision, Issue, PolicyDecision, PolicyReason, Scope, SkillId, UserId,
    wire_name,
};
use dibber_skill::draft::{self, DraftProblem, Reason};
use dibber_skill::names::Roster;
use dibber_text::Shown;

/// Returns the call with hands and canvas ids in the form in which they are stored, so that one
/// skill has one hash: `task_create` for `task.create`, and UUIDs in lowercase.
pub(super) fn normalized(call: &Call) -> Call {
    let mut call = call.clone();
    let hands: (&[&str], fn(&str) -> String) = (&["handsReferenced"], wire_name);
    let canvases: (&[&str], fn(&str) -> String) =
        (&["canvasIds", "addCanvasIds", "removeCanvasIds"], |id| CanvasId::from(id).stored_form());
    for (names, normalize) in [hands, canvases] {
        for name in names {
            let items = call.arguments.get_mut(*name).and_then(Value::as_array_mut);
            for item in items.into_iter().flatten() {
                if let Value::String(text) = item {
                    *text = normalize(text);
                }
            }
        }
    }
    call
}

/// Returns the skill of that id, if the caller's family has it; `scope` is that of the tool.
pub(super) fn find<R: Reader + ?Sized>(
    call: &Call,
    store: &R,
    id: &SkillId,
    scope: Scope,
) -> Result<Skill, Failure> {
    store
        .skill(&call.caller.family, id)?
        .ok_or_else(|| not_found_in_family(scope, EntityKind::Skill))
}

/// Returns the skill of that id, if it is not archived.
pub(super) fn find_active<R: Reader + ?Sized>(
    call: &Call,
    store: &R,
    id: &SkillId,
    scope: Scope,
) -> Result<Skill, Failure> {
    let skill = find(call, store, id, scope)?;
    if skill.is_archived {
        let message = "the skill is archived and can only be read";
        let fix = "unarchive it: call skill_archive with archived false";
        return Err(Failure::bad_input("SKILL_ARCHIVED", message, fix));
    }
    Ok(skill)
}

/// Archives a skill, unless a heartbeat runs it, or unarchives it. `actor` is none for the owner of
/// the machine.
pub(super) fn set_archived(
    store: &dyn Writer,
    family: &FamilyId,
    skill: &mut Skill,
    is_archived: bool,
    (actor, at): (Option<&UserId>, i64),
) -> Result<(), Failure> {
    if skill.is_archived == is_archived {
        return Ok(());
    }
    if is_archived {
        refuse_if_run(store, family, skill)?;
    }
    skill.is_archived = is_archived;
    store.put_skill(family, skill)?;
    let kind =
        if is_archived { ActivityType::SkillArchived } else { ActivityType::SkillUnarchived };
    let refs = activity::of_skill(&skill.id);
    let event = Event { kind, actor: actor.cloned(), refs, payload: Map::new(), at };
    Ok(activity::record(store, family, &event)?)
}

/// Refuses to archive a skill that a heartbeat runs.
fn refuse_if_run(store: &dyn Writer, family: &FamilyId, skill: &Skill) -> Result<(), Failure> {
    if let Some((id, name)) = store.heartbeat_that_runs(family, &skill.id)? {
        let name = Shown::to_be_masked(&name);
        let message = format!("the heartbeat `{name}` still runs the skill");
        let fix = format!("cancel the heartbeat `{id}` first");
        return Err(Failure::bad_input("SKILL_IN_USE", message, fix));
    }
    Ok(())
}

/// Returns the decision about a draft. The canvases of this server have UUIDs, so that an id of
/// another form is that of none.
pub(super) fn policy_decision(found: &[DraftProblem], roster: &Roster) -> PolicyDecision {
    let mut policy = draft::policy_decision(found, &FamilyMask { roster });
    for reason in &mut policy.reasons {
        if reason.reason == Reason::InvalidCanvasId.code() {
            reason.decision = Decision::Refuse;
            policy.decision = Decision::Refuse;
        }
    }
    policy
}

/// Returns the reasons that refuse a skill, as issues of the call.
pub(super) fn refusals(reasons: &[PolicyReason]) -> impl Iterator<Item = Issue> {
    let refusing = reasons.iter().filter(|reason| reason.decision == Decision::Refuse);
    refusing.map(|reason| Issue {
        path: reason.path.clone(),
        reason: reason.reason.clone().into_owned(),
        message: reason.message.clone(),
        fix: reason.fix.clone(),
    })
}
