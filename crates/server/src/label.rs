//! Labels: what a family calls a skill or a heartbeat.

use dibber_skill::contract::Issue;
use dibber_skill::draft::check_misleading_name;
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
/// another one.
pub(super) fn heartbeat_problem(name: &str) -> Option<Issue> {
    problem(name).or_else(|| {
        let misleading = check_misleading_name(name).err()?;
        let help = misleading.help.unwrap_or_default();
        let [message, fix] = [misleading.message, help].map(|part| part.shown(&()).to_string());
        Some(issue(&message, &fix))
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
