//! Which paths name a file of a skill.

use crate::{Message, message, quote};

/// The most bytes of a path.
const PATH_BYTES_MAX: usize = 1024;

/// Returns what is wrong with the path of a file from the directory of its skill, and what to do about
/// it. A valid one consists of names with `/` between them.
pub fn check_path(path: &str) -> Result<(), (Message, Message)> {
    let problem = if path.is_empty() {
        "is empty"
    } else if path.len() > PATH_BYTES_MAX {
        "is longer than 1024 bytes"
    } else if path.contains('\0') {
        "contains a NUL character"
    } else if path.contains('\\') {
        "contains a backslash"
    } else if path.starts_with('/') || cfg!(windows) && path.contains(':') {
        "is an absolute path"
    } else if path.split('/').any(|name| name == "..") {
        "leads out of the skill"
    } else if path.split('/').any(|name| name.is_empty() || name == ".") {
        "has a part that is not a name"
    } else {
        return Ok(());
    };
    let help = match corrected(path) {
        Some(corrected) => message!["write `", quote(&corrected), "`"],
        None => "write the path from the directory of the skill, such as `SKILL.md` or \
                 `code/main.py`"
            .into(),
    };
    Err((message!["the path `", quote(path), "` ", problem], help))
}

/// Returns the path without parts that mean nothing, if these are all that is wrong with it.
fn corrected(path: &str) -> Option<String> {
    let names = path.split(['/', '\\']).filter(|name| !name.is_empty() && *name != ".");
    let corrected = names.collect::<Vec<_>>().join("/");
    let is_relative = !path.starts_with(['/', '\\']);
    (is_relative && corrected != path && check_path(&corrected).is_ok()).then_some(corrected)
}
