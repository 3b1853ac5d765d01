//! Callers, and what they may do.

use super::failure::Failure;
use super::store::FamilyId;
use dibber_skill::contract::{ErrorCode, Scope, ToolError};

/// A grown-up of a family, or an agent in their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The family.
    pub family: FamilyId,
    /// The grown-up.
    pub user_id: String,
    /// What the caller may do.
    pub scopes: Vec<Scope>,
}

impl Caller {
    /// Returns an error if the caller lacks a scope.
    pub(super) fn needs(&self, needed: Scope) -> Result<(), Failure> {
        if self.scopes.iter().any(|scope| scope.holds(needed)) {
            return Ok(());
        }
        let name = needed.name();
        let message = format!("the connection has no scope `{name}`");
        let fix = format!("connect again with `{name}`");
        let error = ToolError::new(ErrorCode::PermissionDenied, message, fix);
        Err(error.reason("SCOPE_MISSING").into())
    }
}

/// Says that something is not there for this caller: missing, or of another family. Both have
/// the same words, so that nobody learns which it is. Who only looks is told
/// `DOMAIN_NOT_FOUND`, and who would change something `PERMISSION_DENIED`.
pub(super) fn not_yours(scope: Scope, what: &str) -> Failure {
    let code = match scope {
        Scope::FamilyRead | Scope::SkillRead | Scope::HeartbeatRead => ErrorCode::DomainNotFound,
        Scope::SkillWrite | Scope::HeartbeatWrite => ErrorCode::PermissionDenied,
    };
    let message = format!("your family has no such {what}");
    ToolError::new(code, message, "do not try this id again; list what there is").into()
}
