//! Labels: what a family calls a skill or a heartbeat.

use dibber_skill::contract::Issue;
use dibber_skill::names::lookalike_word;
use dibber_skill::scan::hidden_characters::{self, Escapes};
use dibber_text::is_terminal_control;

/// Returns what is wrong with the argument `name`: a line break, or a character that controls a
/// terminal in which labels are listed.
pub(super) fn problem(name: &str) -> Option<Issue> {
    let breaks_line = |c: char| is_terminal_control(c) || matches!(c, '\u{2028}' | '\u{2029}');
    name.chars().any(breaks_line).then(|| {
        issue("`name` contains a control character or a line break", "write plain text on one line")
    })
}

/// Returns what is wrong with the name of a heartbeat: the same, and whatever makes it look like
/// another one. No parent reviews it as the label of a skill.
pub(super) fn heartbeat_problem(name: &str) -> Option<Issue> {
    if let Some(problem) = problem(name) {
        return Some(problem);
    }
    if !hidden_characters::find(name, Escapes::All).is_empty() {
        return Some(issue("`name` contains hidden characters", "write only what can be seen"));
    }
    lookalike_word(name).map(|_| {
        issue(
            "`name` has letters of two scripts in one word, which look alike",
            "write each word in the letters of one script",
        )
    })
}

fn issue(message: &str, fix: &str) -> Issue {
    Issue {
        path: "/name".to_owned(),
        reason: "INVALID_LABEL".to_owned(),
        message: message.to_owned(),
        fix: fix.to_owned(),
    }
}
