//! From `/name arguments` to what the skill says.

use std::path::Path;

/// What is replaced by the arguments.
const ARGUMENTS: &str = "$ARGUMENTS";

/// What is replaced by the directory, as Claude Code does.
const DIRECTORY: &str = "${CLAUDE_SKILL_DIR}";

/// Returns the name and the arguments of a prompt that calls a command.
pub(super) fn called(text: &str) -> Option<(&str, &str)> {
    let call = text.trim_start().strip_prefix('/')?;
    let end = call.find(char::is_whitespace).unwrap_or(call.len());
    let (name, arguments) = call.split_at(end);
    (!name.is_empty()).then(|| (name, arguments.trim()))
}

/// Returns the prompt that an agent gets instead of the call: where the skill is, its body, and the arguments.
///
/// They take the place of `$ARGUMENTS`, or come last if the body does not have it, and are not searched for
/// anything themselves.
pub(super) fn expanded(directory: &Path, body: &str, arguments: &str) -> String {
    let directory = directory.to_string_lossy();
    let mut text = format!("Base directory for this skill: {directory}\n\n");
    let (mut rest, mut has_arguments) = (body.trim(), false);
    while let Some(at) = rest.find('$') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix(ARGUMENTS) {
            text.push_str(arguments);
            has_arguments = true;
            rest = after;
        } else if let Some(after) = rest.strip_prefix(DIRECTORY) {
            text.push_str(&directory);
            rest = after;
        } else {
            text.push('$');
            rest = &rest[1..];
        }
    }
    text.push_str(rest);
    if !has_arguments && !arguments.is_empty() {
        text.push_str("\n\nARGUMENTS: ");
        text.push_str(arguments);
    }
    text
}
