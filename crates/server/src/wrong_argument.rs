//! Arguments that the action of a tool needs, or does not take.

use super::failure::Failure;
use dibber_skill::contract::{Issue, WrongArgument};

/// An action of a tool, for messages about its arguments.
#[derive(Clone, Copy)]
pub(super) struct ActionShown<'a> {
    /// The name.
    pub(super) name: &'a str,
    /// The JSON Pointer of its arguments: empty, or `/patch`.
    pub(super) prefix: &'a str,
    /// A call that has everything that it needs, if its name does not say it all.
    pub(super) example: Option<&'a str>,
}

/// Returns the refusal of arguments with everything that is wrong.
pub(super) fn wrong_arguments(wrong: Vec<WrongArgument>, action: ActionShown<'_>) -> Failure {
    let issues: Vec<_> = wrong.into_iter().map(|wrong| issue(wrong, action)).collect();
    Failure::invalid_arguments(&issues, issues.len())
}

fn issue(wrong: WrongArgument, action: ActionShown<'_>) -> Issue {
    let ActionShown { name: action, prefix, example } = action;
    let (name, reason, message, fix) = match wrong {
        WrongArgument::Missing(names) => {
            let listed = names.join("` or `");
            let message = format!("`{listed}` is missing, which `{action}` needs");
            let example = example.map(|call| format!(", as in `{call}`")).unwrap_or_default();
            (names[0], "MISSING_FIELD", message, format!("add `{listed}`{example}"))
        }
        WrongArgument::Unexpected(name) => {
            let message = format!("`{action}` takes no `{name}`");
            let fix = "remove it, or send it in a call of its own".to_owned();
            (name, "UNKNOWN_FIELD", message, fix)
        }
    };
    Issue { path: format!("{prefix}/{name}"), reason: reason.to_owned(), message, fix }
}
