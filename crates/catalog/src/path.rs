//! The path of a file in a skill.

use std::fmt;

use dibber_text::folder::check_path;
use dibber_text::{Message, message, plain_name, quote};
use unicode_normalization::UnicodeNormalization;

/// The path of a file from the directory of its skill: names with `/` between them, none of which is
/// `.` or `..`. Paths are ordered by their bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SkillPath(String);

/// Why a string is not the path of a file in a skill, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    /// What is wrong.
    pub message: Message,
    /// What to do instead.
    pub help: Message,
}

impl SkillPath {
    /// Returns the path, or what is wrong with it.
    pub fn new(path: impl Into<String>) -> Result<Self, PathError> {
        let path = path.into();
        check_path(&path).map_err(|(message, help)| PathError { message, help })?;
        if path.chars().any(char::is_control) {
            let message = message!["the path `", quote(&path), "` contains a control character"];
            return Err(PathError { message, help: "rename the file".into() });
        }
        Ok(Self(path))
    }

    /// Returns the path as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns what two paths have in common that are the same file on some systems: those that ignore
    /// case, that compose accents (NFC), or that ignore a part of a name ([`plain_name`]).
    pub fn folded(&self) -> String {
        let names: Vec<_> = self.0.split('/').map(plain_name).collect();
        let path = names.join("/");
        if path.is_ascii() {
            return path.to_ascii_lowercase();
        }
        // Lowercase of the decomposed form, as file systems do; then composed again.
        path.nfd().flat_map(char::to_lowercase).nfc().collect()
    }

    /// Returns the directories above the file, the nearest one first.
    pub fn directories(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.0.as_str();
        std::iter::from_fn(move || {
            rest = rest.rsplit_once('/')?.0;
            Some(rest)
        })
    }

    /// Returns the last name.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }
}

impl fmt::Display for SkillPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for SkillPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for SkillPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}
