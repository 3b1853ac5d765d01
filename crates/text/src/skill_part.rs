//! What is in the directory of a skill and not part of it.

use std::borrow::Cow;
use std::ffi::OsStr;

/// Directories that tools keep beside a skill: what they contain may be private.
const EXCLUDED: [&str; 4] = [".git", ".hg", ".jj", "__pycache__"];
/// The short name that Windows gives to `.git`.
const SHORT_GIT: &str = "git~1";

/// Returns `true` if what has this name, and everything in it, is part of a skill. A name that is one of
/// those of tools on some system is not.
pub fn is_skill_part(name: impl AsRef<OsStr>) -> bool {
    let name = name.as_ref().to_string_lossy();
    let name = plain_name(&name);
    !EXCLUDED.iter().chain([&SHORT_GIT]).any(|excluded| name.eq_ignore_ascii_case(excluded))
}

/// Returns the name of a file without what some systems ignore in it: Windows the dots and spaces at the end
/// and what follows a `:`, and macOS characters without width.
pub fn plain_name(name: &str) -> Cow<'_, str> {
    let end = name.find(':').filter(|end| *end > 0).unwrap_or(name.len());
    let trimmed = name[..end].trim_end_matches(['.', ' ']);
    let trimmed = if trimmed.is_empty() { name } else { trimmed };
    if trimmed.contains(is_ignored) {
        return trimmed.chars().filter(|character| !is_ignored(*character)).collect();
    }
    Cow::Borrowed(trimmed)
}

/// Returns `true` for the characters that HFS+ ignores in names.
const fn is_ignored(character: char) -> bool {
    matches!(
        character,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_tools_are_no_part_in_any_case() {
        for name in [".git", ".GIT", ".hg", ".jj", "__pycache__", "__PyCache__"] {
            assert!(!is_skill_part(name), "{name}");
        }
        for name in ["", ".", "..", "...", "code", ".github", "git", ".gitignore", ":"] {
            assert!(is_skill_part(name), "{name}");
        }
    }

    #[test]
    fn nor_are_names_that_some_system_takes_for_them() {
        for name in
            [".git.", ".git ", ".Git. .", ".git::$INDEX_ALLOCATION", "GIT~1", ".g\u{200c}it"]
        {
            assert!(!is_skill_part(name), "{name}");
        }
    }
}
