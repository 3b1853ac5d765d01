//! Labels: what a family calls a skill or a heartbeat.

use dibber_skill::contract::Issue;
use dibber_text::is_terminal_control;

/// Returns what is wrong with the argument `name`: a line break, or a character that controls a
/// terminal in which labels are listed.
pub(super) fn problem(name: &str) -> Option<Issue> {
    name.chars().any(is_terminal_control).then(|| Issue {
        path: "/name".to_owned(),
        reason: "INVALID_LABEL".to_owned(),
        message: "`name` contains a control character or a line break".to_owned(),
        fix: "write plain text on one line".to_owned(),
    })
}
