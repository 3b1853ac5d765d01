//! What a server says about its tools, in the words of the commands that call them.

use serde_json::Value;

use dibber_skill::contract::ToolError;

/// What servers of this program name, and what it is on the command line. Longer ones come first.
const WORDS: [(&str, &str); 19] = [
    ("call skill_archive with archived false", "`dibber skill unarchive`"),
    ("skill_archive with archived false", "`dibber skill unarchive`"),
    ("write a new skill with skill_write", "publish another skill with `dibber push --new`"),
    ("both runSkillId and assignmentSkillId", "both the skill that runs and the one it assigns"),
    ("assignmentSkillId", "`--assignment-skill`"),
    ("childId", "`--child`"),
    ("addCanvasIds", "`--add-canvas`"),
    ("removeCanvasIds", "`--remove-canvas`"),
    ("not needed with heartbeat_update", "not needed with `dibber heartbeat cancel`"),
    ("heartbeat_update", "`dibber heartbeat edit`"),
    ("heartbeat_create", "`dibber heartbeat create`"),
    ("heartbeat_list", "`dibber heartbeat list`"),
    ("family_query_overview", "`dibber family show`"),
    ("skill_archive", "`dibber skill archive`"),
    ("skill_update", "`dibber skill update`"),
    ("skill_invoke", "`dibber invoke`"),
    ("skill_list", "`dibber skill list`"),
    ("skill_get", "`dibber skill get`"),
    ("skillInput", "`input`"),
];

/// Returns the refusal of a call that a command has made.
pub(super) fn of_commands(refusal: &ToolError) -> ToolError {
    ToolError {
        message: in_words(&refusal.message),
        fix: in_words(&refusal.fix),
        details: refusal.details.as_ref().map(details_in_words),
        ..refusal.clone()
    }
}

/// Returns details with the words of the commands in what they say of each issue.
fn details_in_words(details: &Value) -> Value {
    let mut details = details.clone();
    let issues = details.get_mut("issues").and_then(Value::as_array_mut);
    for issue in issues.into_iter().flatten() {
        for field in ["message", "fix"] {
            if let Some(Value::String(text)) = issue.get_mut(field) {
                *text = in_words(text);
            }
        }
    }
    details
}

/// Returns what a server says with the words of the commands.
pub(super) fn in_words(text: &str) -> String {
    WORDS.iter().fold(text.to_owned(), |text, (tool, command)| {
        let text = text.replace(&format!("`{tool}`"), tool);
        replace_word(&text, tool, command)
    })
}

/// Replaces a word where it is not a part of another one.
fn replace_word(text: &str, word: &str, with: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '{' | '}');
    let (mut out, mut copied) = (String::new(), 0);
    for (at, _) in text.match_indices(word) {
        let end = at + word.len();
        let is_word = !text[..at].ends_with(is_part) && !text[end..].starts_with(is_part);
        if is_word {
            out.push_str(&text[copied..at]);
            out.push_str(with);
            copied = end;
        }
    }
    out + &text[copied..]
}
