//! What is in the directory of a skill and not part of it.

use std::ffi::OsStr;

/// Directories that tools keep beside a skill: what they contain may be private.
const EXCLUDED: [&str; 4] = [".git", ".hg", ".jj", "__pycache__"];

/// Returns `true` if what has this name, and everything in it, is part of a skill.
pub fn is_skill_part(name: impl AsRef<OsStr>) -> bool {
    let name = name.as_ref();
    !EXCLUDED.iter().any(|excluded| name.eq_ignore_ascii_case(excluded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_tools_are_no_part_in_any_case() {
        for name in [".git", ".GIT", ".hg", ".jj", "__pycache__", "__PyCache__"] {
            assert!(!is_skill_part(name), "{name}");
        }
        for name in ["", ".", "code", ".github", "git"] {
            assert!(is_skill_part(name), "{name}");
        }
    }
}
