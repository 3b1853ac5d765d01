//! What a server says about its tools, in the words of the commands that call them.

use dibber_client::ClientError;
use dibber_skill::contract::ToolError;

/// What servers of this program name, and what it is on the command line. Longer ones come first.
const WORDS: [(&str, &str); 12] = [
    ("skill_archive with archived false", "`dibber skill unarchive`"),
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

/// Returns the refusal of a call that a command has made. Other errors do not name a tool.
pub(super) fn of_commands(error: &ClientError) -> Option<ClientError> {
    let ClientError::Refused(refusal) = error else { return None };
    let refusal = ToolError {
        message: in_words(&refusal.message),
        fix: in_words(&refusal.fix),
        ..(**refusal).clone()
    };
    Some(ClientError::Refused(Box::new(refusal)))
}

fn in_words(text: &str) -> String {
    WORDS.iter().fold(text.to_owned(), |text, (tool, command)| {
        let text = text.replace(&format!("`{tool}`"), tool);
        replace_word(&text, tool, command)
    })
}

/// Replaces a word where it is not a part of another one.
fn replace_word(text: &str, word: &str, with: &str) -> String {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '/');
    let (mut out, mut copied) = (String::new(), 0);
    for (at, _) in text.match_indices(word) {
        let end = at + word.len();
        let is_word =
            !is_part(text[..at].chars().next_back()) && !is_part(text[end..].chars().next());
        if is_word {
            out.push_str(&text[copied..at]);
            out.push_str(with);
            copied = end;
        }
    }
    out + &text[copied..]
}
