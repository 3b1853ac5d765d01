//! The arguments of each action of `heartbeat_update`.

use crate::failure::Failure;
use dibber_skill::contract::{HeartbeatAction, HeartbeatUpdate, Issue, WireEnum};

/// Returns the arguments that an action takes, of which it needs at least one.
const fn takes(action: HeartbeatAction) -> &'static [&'static str] {
    match action {
        HeartbeatAction::EditSchedule => &["cron", "tz"],
        HeartbeatAction::EditText => &["promptText"],
        HeartbeatAction::EditName => &["name"],
        HeartbeatAction::AddMember
        | HeartbeatAction::RemoveMember
        | HeartbeatAction::PromoteAdmin => &["targetUserId"],
        HeartbeatAction::Pause | HeartbeatAction::Resume | HeartbeatAction::Cancel => &[],
    }
}

/// Checks that the arguments are those of the action. Their paths begin with `prefix`.
pub(crate) fn check(update: &HeartbeatUpdate, prefix: &str) -> Result<(), Failure> {
    let action = update.action.name();
    let takes = takes(update.action);
    let given = [
        ("cron", update.cron.is_some()),
        ("tz", update.tz.is_some()),
        ("promptText", update.prompt_text.is_some()),
        ("name", update.name.is_some()),
        ("targetUserId", update.target_user_id.is_some()),
    ];
    let given = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name);
    let issue = |name: &str, reason: &str, message, fix| Issue {
        path: format!("{prefix}/{name}"),
        reason: reason.to_owned(),
        message,
        fix,
    };
    let mut issues = Vec::new();
    if let [first, ..] = takes
        && !given.clone().any(|name| takes.contains(&name))
    {
        let listed = takes.join("` or `");
        let message = format!("`{listed}` is missing, which `{action}` needs");
        issues.push(issue(first, "MISSING_FIELD", message, format!("add `{listed}`")));
    }
    for name in given.filter(|name| !takes.contains(name)) {
        let message = format!("`{action}` takes no `{name}`");
        let fix = "remove it, or send it in a call of its own".to_owned();
        issues.push(issue(name, "UNKNOWN_FIELD", message, fix));
    }
    if issues.is_empty() { Ok(()) } else { Err(Failure::invalid_arguments(&issues, issues.len())) }
}
