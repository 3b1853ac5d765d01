//! What a token must permit.

use crate::caller::Caller;
use dibber_skill::contract::Scope;
use dibber_skill::contract::skills_protocol::{ProtocolMethod, RpcError, RpcReason};

/// Returns the scope that a method needs. The token of a reader must not run code or fill the disk;
/// `skill:write` is the scope that permits running skills elsewhere, too.
pub(super) const fn scope(method: ProtocolMethod) -> Scope {
    if method.is_repeatable() { Scope::SkillRead } else { Scope::SkillWrite }
}

/// Returns an error if a caller may not call a method.
pub(super) fn check_scope(caller: &Caller, method: ProtocolMethod) -> Result<(), RpcError> {
    caller.needs(scope(method)).map_err(|failure| {
        let error = failure.into_tool_error();
        RpcError::invalid(RpcReason::ScopeMissing, error.message, error.fix)
    })
}
