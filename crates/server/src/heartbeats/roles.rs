//! Who may do what with a heartbeat: its owner everything, admins everything but cancelling, and
//! members may leave.

use crate::failure::Failure;
use crate::store::{Member, MemberRole};
use dibber_skill::contract::{ErrorCode, HeartbeatChange, ToolError, UserId};

/// Checks that a caller may make a change. `members` are those of the heartbeat.
pub(super) fn check(
    change: &HeartbeatChange,
    caller: &UserId,
    members: &[Member],
) -> Result<(), Failure> {
    let role_of = |user: &UserId| members.iter().find(|it| it.user_id == *user).map(|it| it.role);
    let Some(role) = role_of(caller) else {
        return Err(denied(
            "NOT_A_MEMBER",
            "you do not take part in this heartbeat",
            "ask its owner to add you, or create one of your own",
        ));
    };
    let removed = match change {
        HeartbeatChange::RemoveMember { target_user_id } => Some(target_user_id),
        _ => None,
    };
    match (role, change) {
        (MemberRole::Admin | MemberRole::Member, HeartbeatChange::Cancel) => Err(denied(
            "OWNER_ONLY",
            "only the owner of a heartbeat can cancel it",
            "ask the owner, or leave it with remove_member",
        )),
        (MemberRole::Member, _) if removed != Some(caller) => Err(denied(
            "ADMIN_ONLY",
            "a member of a heartbeat can only leave it",
            "ask its owner or an admin, or leave it with remove_member and your own id",
        )),
        _ if removed.and_then(role_of) == Some(MemberRole::Owner) => Err(denied(
            "OWNER_STAYS",
            "the owner of a heartbeat cannot leave it or be removed",
            "to end the heartbeat, its owner cancels it",
        )),
        _ => Ok(()),
    }
}

fn denied(reason: &str, message: &str, fix: &str) -> Failure {
    ToolError::new(ErrorCode::PermissionDenied, message, fix).reason(reason).into()
}
