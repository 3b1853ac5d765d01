//! Arguments that the action of a tool needs, or does not take.

use super::failure::Failure;
use dibber_skill::contract::{Issue, WrongArgument};

/// Returns the refusal of arguments with everything that is wrong. Their paths begin with `prefix`.
pub(super) fn wrong_arguments(wrong: Vec<WrongArgument>, action: &str, prefix: &str) -> Failure {
    let issues: Vec<_> = wrong.into_iter().map(|wrong| issue(wrong, action, prefix)).collect();
    Failure::invalid_arguments(&issues, issues.len())
}

fn issue(wrong: WrongArgument, action: &str, prefix: &str) -> Issue {
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
