//! Which resources a caller may read, and their versions.

use jiff::Timestamp;
use serde_json::json;

use crate::caller::{Caller, EntityKind, not_found_in_family};
use crate::failure::Failure;
use crate::problems::NOT_YOURS;
use crate::roster::mask_names;
use crate::store::{FamilyId, Reader, Resource, StoreError};
use crate::times;
use dibber_skill::contract::{Issue, Scope};
use dibber_skill::names::Roster;
use dibber_text::Shown;

/// Why one of several resources cannot be read or watched.
#[derive(Debug)]
pub(crate) struct RefusedResource {
    /// Its place among those that were asked for; none if the failure is not about one of them.
    pub(crate) index: Option<usize>,
    pub(crate) failure: Failure,
}

impl RefusedResource {
    /// Returns the failure of a tool that has the URIs as its argument `resources`: it says which of
    /// them is meant.
    pub(super) fn into_failure(self, uris: &[String], roster: Option<&Roster>) -> Failure {
        let Self { index, failure: Failure::Refused(mut error) } = self else {
            return self.failure;
        };
        let path = match index.and_then(|index| Some((index, uris.get(index)?))) {
            Some((index, uri)) => {
                let uri = mask_names(uri, roster);
                error.message = format!("{}: `{}`", error.message, Shown::to_be_masked(&uri));
                format!("/resources/{index}/uri")
            }
            None => "/resources".to_owned(),
        };
        let issue = Issue {
            path,
            reason: error.reason.clone().unwrap_or_else(|| NOT_YOURS.to_owned()),
            message: error.message.clone(),
            fix: error.fix.clone(),
        };
        error.details(json!({"issues": [issue]})).into()
    }
}

impl From<RefusedResource> for Failure {
    fn from(refused: RefusedResource) -> Self {
        refused.failure
    }
}

impl From<Failure> for RefusedResource {
    fn from(failure: Failure) -> Self {
        Self { index: None, failure }
    }
}

impl From<StoreError> for RefusedResource {
    fn from(error: StoreError) -> Self {
        Failure::from(error).into()
    }
}

/// Returns `true` if a URI is one of a resource, and a caller has the scopes for it.
pub(crate) fn may_watch(caller: &Caller, uri: &str) -> bool {
    let resource = Resource::from_uri(uri);
    resource.is_some_and(|it| scopes(&it).iter().all(|scope| caller.may_call(Some(*scope))))
}

/// Returns the resources with several URIs.
pub(super) fn find_all(
    store: &dyn Reader,
    caller: &Caller,
    uris: &[String],
) -> Result<Vec<Resource>, RefusedResource> {
    let find = |(index, uri): (usize, &String)| {
        find(store, caller, uri).map_err(|failure| match failure {
            // It failed whichever resource is meant.
            Failure::Internal(_) => failure.into(),
            _ => RefusedResource { index: Some(index), failure },
        })
    };
    uris.iter().enumerate().map(find).collect()
}

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
