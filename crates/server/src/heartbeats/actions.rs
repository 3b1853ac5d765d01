//! The arguments of each action of `heartbeat_update`.

use crate::failure::Failure;
use dibber_skill::contract::{
    HeartbeatAction, HeartbeatUpdate, HeartbeatUpdateArguments, Issue, WireEnum, WrongArgument,
};

/// Parses the arguments, or refuses them with everything that is wrong. Their paths begin with
/// `prefix`.
pub(crate) fn parse(
    arguments: HeartbeatUpdateArguments,
    prefix: &str,
) -> Result<HeartbeatUpdate, Failure> {
    let action = arguments.action;
    arguments.parse().map_err(|wrong| {
        let issues: Vec<_> = wrong.into_iter().map(|wrong| issue(wrong, action, prefix)).collect();
        Failure::invalid_arguments(&issues, issues.len())
    })
}

fn issue(wrong: WrongArgument, action: HeartbeatAction, prefix: &str) -> Issue {
    let action = action.name();
    let (name, reason, message, fix) = match wrong {
        WrongArgument::Missing(names) => {
            let listed = names.join("` or `");
            let message = format!("`{listed}` is missing, which `{action}` needs");
            (names[0], "MISSING_FIELD", message, format!("add `{listed}`"))
        }
        WrongArgument::Unexpected(name) => {
            let message = format!("`{action}` takes no `{name}`");
            let fix = "remove it, or send it in a call of its own".to_owned();
            (name, "UNKNOWN_FIELD", message, fix)
        }
    };
    Issue { path: format!("{prefix}/{name}"), reason: reason.to_owned(), message, fix }
}
