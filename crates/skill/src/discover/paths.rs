//! Paths as they are shown, and the names that matter in them.

use std::path::{Path, PathBuf};

/// What is shown as the path of standard input.
pub const NO_PATH: &str = "<stdin>";

/// The path from the current directory, when it is an absolute one to something in there, so that a
/// file is called the same however it was named.
pub fn from_current_directory(path: PathBuf) -> PathBuf {
    let inside = |current: PathBuf| match path.strip_prefix(current).ok()? {
        rest if rest.as_os_str().is_empty() => Some(PathBuf::from(".")),
        rest => Some(rest.to_owned()),
    };
    let shorter = path.is_absolute().then(std::env::current_dir);
    shorter.and_then(Result::ok).and_then(inside).unwrap_or(path)
}

/// A path as it is shown: `/` between its parts, no leading `./`.
pub fn shown_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let mut rest = text.as_str();
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter.trim_start_matches('/');
    }
    if rest == "." { String::new() } else { rest.trim_end_matches('/').to_owned() }
}

pub(super) fn is_skill_file_name(name: &str) -> bool {
    name.eq_ignore_ascii_case(crate::skill::SKILL_FILE_NAME)
}
