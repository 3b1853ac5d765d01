//! Looking up what has to exist.

use crate::failure::Failure;
use crate::store::{Family, FamilyId, Reader};
use dibber_skill::contract::{ErrorCode, ToolError, UserId};

pub(super) fn family_with_name(
    store: &(impl Reader + ?Sized),
    name: &str,
) -> Result<Option<Family>, Failure> {
    let families = store.families()?;
    match families.rows.iter().find(|family| family.name == name) {
        Some(family) => Ok(Some(family.clone())),
        // It may be one that cannot be read, and must not be created again.
        None => Ok(families.complete().map(|_| None)?),
    }
}

pub(super) fn require_family(
    store: &(impl Reader + ?Sized),
    family: &FamilyId,
) -> Result<Family, Failure> {
    store.family(family)?.ok_or_else(no_such_family)
}

pub(super) fn require_user(
    store: &(impl Reader + ?Sized),
    family: &FamilyId,
    user_id: &UserId,
) -> Result<(), Failure> {
    let exists = store.user_ids(family)?.contains(user_id);
    if exists { Ok(()) } else { Err(no_such_grown_up()) }
}

pub(crate) fn no_such_grown_up() -> Failure {
    not_found("grown-up", "`dibber family show` lists the grown-ups")
}

pub(super) fn no_such_family() -> Failure {
    not_found("family", "`dibber family add-member --family NAME` creates a family")
}

pub(crate) fn not_found(what: &str, fix: &str) -> Failure {
    ToolError::new(ErrorCode::DomainNotFound, format!("{what} not found"), fix).into()
}
