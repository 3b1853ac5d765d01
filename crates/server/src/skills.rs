//! Finding a skill for a tool, and what refuses one.

use super::call::Call;
use super::caller::{Owned, not_yours};
use super::failure::Failure;
use super::store::{Reader, Skill};
use dibber_skill::contract::{Decision, Issue, PolicyReason, Scope, SkillId};

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
        let fix = "write it again with skill_write; skill_get has its prompt";
        return Err(Failure::bad_input("SKILL_ARCHIVED", message, fix));
    }
    Ok(skill)
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
