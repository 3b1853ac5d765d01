//! The scope that a request over HTTP lacks: its answer says how a client of a grant asks for it.

use std::sync::{Arc, OnceLock};

use http::request::Parts;
use rmcp::RoleServer;
use rmcp::service::RequestContext;

use crate::caller::Caller;
use dibber_skill::contract::{Scope, WireEnum};

/// The scope that a request lacks, which is known only when its message is handled.
#[derive(Clone, Debug, Default)]
pub(crate) struct MissingScope(Arc<OnceLock<Scope>>);

impl MissingScope {
    /// Records that a request needs a scope, if its caller does not have it.
    pub(crate) fn record(
        context: &RequestContext<RoleServer>,
        caller: &Caller,
        needed: Option<Scope>,
    ) {
        let parts = context.extensions.get::<Parts>();
        let missing = parts.and_then(|parts| parts.extensions.get::<Self>());
        if let (Some(missing), Some(needed)) = (missing, needed)
            && !caller.may_call(Some(needed))
        {
            // A request has one message, and needs one scope.
            let _ = missing.0.set(needed);
        }
    }

    /// Returns the scopes to ask for: what is missing, and what the caller has, so that nothing is lost by
    /// asking. None if nothing is missing.
    pub(crate) fn to_ask_for(&self, caller: &Caller) -> Option<Vec<Scope>> {
        let missing = *self.0.get()?;
        let is_asked = |scope: &Scope| *scope == missing || caller.scopes.contains(scope);
        Some(Scope::all().into_iter().filter(is_asked).collect())
    }
}
