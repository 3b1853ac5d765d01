//! Which resources a caller may read, and their versions.

use jiff::Timestamp;

use crate::caller::{Caller, EntityKind, not_found_in_family};
use crate::failure::Failure;
use crate::store::{FamilyId, Reader, Resource};
use crate::times;
use dibber_skill::contract::Scope;

/// Returns the resource with a URI, if the caller may read it. One that does not exist has the same
/// error as one of another family.
pub(super) fn find(store: &dyn Reader, caller: &Caller, uri: &str) -> Result<Resource, Failure> {
    let not_found = || not_found_in_family(Scope::FamilyRead, EntityKind::Resource);
    let resource = Resource::from_uri(uri).ok_or_else(not_found)?;
    for scope in scopes(&resource) {
        caller.needs(*scope)?;
    }
    let family = &caller.family;
    let exists = match &resource {
        Resource::Activity | Resource::Inbox => true,
        Resource::Skill(id) => store.skill(family, id)?.is_some(),
        Resource::Heartbeat(id) => store.heartbeat(family, id)?.is_some(),
        Resource::Today(id) => store.child(family, id)?.is_some(),
    };
    if exists { Ok(resource) } else { Err(not_found()) }
}

/// Returns the scopes that reading a resource needs.
const fn scopes(resource: &Resource) -> &'static [Scope] {
    match resource {
        Resource::Activity | Resource::Inbox => &[Scope::FamilyRead],
        Resource::Skill(_) => &[Scope::SkillRead],
        Resource::Heartbeat(_) => &[Scope::HeartbeatRead],
        Resource::Today(_) => &[Scope::HeartbeatRead, Scope::FamilyRead],
    }
}

/// Returns the version of a resource. A day of a child has another one on every day.
pub(super) fn version(
    store: &dyn Reader,
    family: &FamilyId,
    resource: &Resource,
    now: Timestamp,
) -> Result<String, Failure> {
    let number = store.version(family, resource)?;
    if !matches!(resource, Resource::Today(_)) {
        return Ok(format!("v{number}"));
    }
    let zone = times::family_zone(store, family)?;
    Ok(format!("v{number}.{}", now.to_zoned(zone).date()))
}
