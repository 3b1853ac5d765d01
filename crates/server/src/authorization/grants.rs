//! Grants: what people have allowed clients to do for them.

use dibber_skill::contract::{FamilyId, Scope, UserId, WireEnum};

use crate::failure::Failure;
use crate::families::lookup::not_found;
use crate::id;
use crate::server::Server;
use crate::store::{Grant, Listed, StoreExt, StoreResult, Writer};

/// What a person has allowed.
pub(super) struct Allowed {
    /// The person.
    pub(super) user: (FamilyId, UserId),
    /// The client.
    pub(super) client_id: String,
    /// What it calls itself.
    pub(super) client_name: String,
    /// The scopes that the person was asked about.
    pub(super) asked: Vec<Scope>,
    /// Those that the person allowed.
    pub(super) scopes: Vec<Scope>,
    /// The public URL of this server.
    pub(super) audience: String,
}

/// Records what a person has allowed. A client that has a grant from before keeps what it was not asked
/// about now: it asks for more later without losing the rest.
pub(super) fn allow(store: &dyn Writer, allowed: Allowed, now: i64) -> StoreResult<Grant> {
    let (family, user_id) = allowed.user;
    let present = store.grants(&family)?.rows.into_iter().find(|grant| {
        grant.user_id == user_id
            && grant.client_id == allowed.client_id
            && grant.audience == allowed.audience
    });
    let kept = present.iter().flat_map(|grant| &grant.scopes);
    let kept = kept.filter(|scope| !allowed.asked.contains(scope)).chain(&allowed.scopes);
    let kept: Vec<Scope> = kept.copied().collect();
    let scopes: Vec<Scope> =
        Scope::all().into_iter().filter(|scope| kept.contains(scope)).collect();
    if let Some(present) =
        present.as_ref().filter(|it| it.scopes.iter().any(|own| !scopes.contains(own)))
    {
        // Tokens from before would have what is not allowed any more.
        store.remove_grant_tokens(&present.id)?;
    }
    let (id, created_at) =
        present.map_or_else(|| (id::grant(), now), |grant| (grant.id, grant.created_at));
    let grant = Grant {
        id,
        family,
        user_id,
        client_id: allowed.client_id,
        client_name: allowed.client_name,
        scopes,
        audience: allowed.audience,
        created_at,
        used_at: Some(now),
    };
    store.put_grant(&grant)?;
    Ok(grant)
}

impl Server {
    /// Returns the grants of a family, the oldest first, without those that are damaged.
    pub fn grants(&self, family: &FamilyId) -> Result<Listed<Grant>, Failure> {
        let family = family.clone();
        self.store().read_blocking(move |store| Ok(store.grants(&family)?))
    }

    /// Leaves a grant only these of its scopes. Tokens that it has given are revoked; the client gets narrower
    /// ones at its next request for them.
    pub fn narrow_grant(
        &self,
        family: &FamilyId,
        id: &str,
        scopes: &[Scope],
    ) -> Result<Grant, Failure> {
        let (family, id, scopes) = (family.clone(), id.to_owned(), scopes.to_vec());
        self.store().write_blocking(move |store| narrow(store, &family, &id, &scopes))
    }

    /// Revokes a grant: from now on, no token that it has given is valid.
    pub fn revoke_grant(&self, family: &FamilyId, id: &str) -> Result<(), Failure> {
        let (family, id) = (family.clone(), id.to_owned());
        self.store().write_blocking(move |store| revoke(store, &family, &id))
    }
}

/// Leaves a grant only these of its scopes. Tokens that it has given are revoked; the client gets narrower
/// ones at its next request for them.
pub(crate) fn narrow(
    store: &dyn Writer,
    family: &FamilyId,
    id: &str,
    scopes: &[Scope],
) -> Result<Grant, Failure> {
    let grant = store.grant(id)?.filter(|grant| grant.family == *family);
    let mut grant = grant.ok_or_else(no_such_grant)?;
    let has = |needed: Scope| grant.scopes.iter().any(|scope| scope.includes(needed));
    if scopes.is_empty() || !scopes.iter().all(|scope| has(*scope)) {
        let message = "a grant can only be narrowed to some of its scopes";
        let fix = "`dibber family grants` lists them; the client asks for others itself";
        return Err(Failure::bad_input("NOT_NARROWER", message, fix));
    }
    grant.scopes = Scope::all().into_iter().filter(|scope| scopes.contains(scope)).collect();
    store.put_grant(&grant)?;
    store.remove_grant_tokens(&grant.id)?;
    Ok(grant)
}

/// Revokes a grant of a family.
pub(crate) fn revoke(store: &dyn Writer, family: &FamilyId, id: &str) -> Result<(), Failure> {
    if store.remove_grant(family, id)? { Ok(()) } else { Err(no_such_grant()) }
}

fn no_such_grant() -> Failure {
    not_found("grant", "`dibber family grants` lists the grants")
}
