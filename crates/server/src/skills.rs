//! Finding and archiving a skill, and what refuses one.

use super::call::Call;
use super::caller::{Owned, not_yours};
use super::failure::Failure;
use super::store::{FamilyId, Reader, Skill, Writer, pages};
use dibber_skill::contract::{Decision, Issue, PolicyReason, Scope, SkillId};
use dibber_text::{ellipsize, escape_line};

/// Returns the skill of that id, if the caller's family has it; `scope` is that of the tool.
pub(super) fn find<R: Reader + ?Sized>(
    call: &Call,
    store: &R,
    id: &SkillId,
    scope: Scope,
) -> Result<Skill, Failure> {
    store.skill(&call.caller.family, id)?.ok_or_else(|| not_yours(scope, Owned::Skill))
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
        let fix = "put it to use again with skill_archive and archived false";
        return Err(Failure::bad_input("SKILL_ARCHIVED", message, fix));
    }
    Ok(skill)
}

/// Archives a skill, unless a heartbeat runs it, or puts it to use again.
pub(super) fn set_archived(
    store: &dyn Writer,
    family: &FamilyId,
    skill: &mut Skill,
    is_archived: bool,
) -> Result<(), Failure> {
    if skill.is_archived == is_archived {
        return Ok(());
    }
    if is_archived {
        refuse_if_run(store, family, skill)?;
    }
    skill.is_archived = is_archived;
    Ok(store.put_skill(family, skill)?)
}

/// Refuses to archive a skill that a heartbeat runs.
fn refuse_if_run(store: &dyn Writer, family: &FamilyId, skill: &Skill) -> Result<(), Failure> {
    for heartbeat in pages::heartbeats(store, family) {
        let heartbeat = heartbeat?;
        if heartbeat.run_skill_id == skill.id {
            let name = ellipsize(&heartbeat.name);
            let message = format!("the heartbeat `{}` still runs the skill", escape_line(&name));
            let fix = format!("cancel the heartbeat `{}` first", heartbeat.id);
            return Err(Failure::bad_input("SKILL_IN_USE", message, fix));
        }
    }
    Ok(())
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
