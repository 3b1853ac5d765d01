//! Callers, and what they may do.

use jiff::Timestamp;

use super::failure::Failure;
use super::store::FamilyId;
use dibber_skill::contract::{ErrorCode, SCOPE_MISSING, Scope, ToolError, UserId, WireEnum};

/// A grown-up of a family, or an agent in their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The family.
    pub family: FamilyId,
    /// The grown-up.
    pub user_id: UserId,
    /// What the caller may do.
    pub scopes: Vec<Scope>,
    /// When the token of the connection expires, if it has one that does.
    pub token_expires_at: Option<Timestamp>,
    /// The grant that its token was issued for, if a grown-up has allowed it in the browser.
    pub grant_id: Option<String>,
}

impl Caller {
    /// Returns `true` if the caller has a scope, or none is needed.
    pub(super) fn may_call(&self, needed: Option<Scope>) -> bool {
        needed.is_none_or(|needed| self.scopes.iter().any(|scope| scope.includes(needed)))
    }

    /// Returns an error if the caller lacks a scope.
    pub(super) fn needs(&self, needed: Scope) -> Result<(), Failure> {
        if self.may_call(Some(needed)) {
            return Ok(());
        }
        let name = needed.name();
        if self.grant_id.is_some() {
            let message = format!("the grown-up has not allowed the scope `{name}`");
            let fix =
                format!("sign in again and ask for `{name}`, which the grown-up can then allow");
            let error = ToolError::new(ErrorCode::PermissionDenied, message, fix);
            return Err(error.reason(SCOPE_MISSING).into());
        }
        let message = format!("the token does not have the scope `{name}`");
        let kept = self.scopes.iter().filter(|scope| !needed.includes(**scope));
        let scopes: Vec<_> =
            kept.chain([&needed]).map(|scope| format!("--scope {}", scope.name())).collect();
        let fix = format!(
            "use a token that has it; on the computer of the server, `dibber family token {} \
             --output token.txt` issues one",
            scopes.join(" ")
        );
        let error = ToolError::new(ErrorCode::PermissionDenied, message, fix);
        Err(error.reason(SCOPE_MISSING).into())
    }
}

/// A kind of what a family has, each with an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntityKind {
    Skill,
    Heartbeat,
    Run,
    Canvas,
    Child,
    GrownUp,
    Chat,
    Card,
    Resource,
}

impl EntityKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Heartbeat => "heartbeat",
            Self::Run => "run",
            Self::Canvas => "canvas",
            Self::Child => "child",
            Self::GrownUp => "grown-up",
            Self::Chat => "chat",
            Self::Card => "card",
            Self::Resource => "resource",
        }
    }

    /// Returns where the ids of this kind are listed.
    const fn listed_by(self) -> &'static str {
        match self {
            Self::Skill => "skill_list lists the skills",
            Self::Heartbeat => "heartbeat_list lists the heartbeats",
            Self::Run => "heartbeat_due lists the runs",
            Self::Canvas => "family_query_overview lists the canvases",
            Self::Child => "family_query_overview lists the children",
            Self::GrownUp => "family_query_overview lists the grown-ups",
            Self::Chat => {
                "heartbeat_list lists the chats of heartbeats; leave it out for the chat of the family"
            }
            Self::Card => "inbox_list lists the cards",
            Self::Resource => {
                "there are sprout://family/activity, sprout://family/inbox, sprout://skill/{id}, \
                 sprout://heartbeat/{id} and sprout://child/{childId}/today"
            }
        }
    }
}

/// Returns the refusal of something that does not exist for this caller: it is missing, or of
/// another family. Both have the same message, so that a caller cannot learn which it is. A tool
/// that reads answers `DOMAIN_NOT_FOUND`, and one that writes `PERMISSION_DENIED`.
pub(super) fn not_found_in_family(scope: Scope, what: EntityKind) -> Failure {
    let code = match scope {
        Scope::FamilyRead | Scope::SkillRead | Scope::HeartbeatRead => ErrorCode::DomainNotFound,
        Scope::SkillWrite | Scope::HeartbeatWrite => ErrorCode::PermissionDenied,
    };
    let message = format!("{} not found in your family", what.name());
    let fix = format!("do not try this id again; {}", what.listed_by());
    ToolError::new(code, message, fix).into()
}
