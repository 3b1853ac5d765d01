//! Labels: what a family calls a skill or a heartbeat.

use dibber_skill::contract::Issue;
use dibber_text::is_terminal_control;

/// What is wrong with the argument `name`: a line break, or a character with which a text takes
/// the terminal of whoever lists the labels in hand.
pub(super) fn fault(name: &str) -> Option<Issue> {
    name.chars().any(is_terminal_control).then(|| Issue {
        path: "/name".to_owned(),
        reason: "INVALID_LABEL".to_owned(),
        message: "the name has a control character or a line break".to_owned(),
        fix: "write it as plain text, on one line".to_owned(),
    })
}
