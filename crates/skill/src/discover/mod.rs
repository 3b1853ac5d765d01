//! From paths to skills: which directories are skills, and what is in them.
//!
//! The only reader of skill trees. [`find`] walks the paths once, in parallel, and notes the
//! skills and the names of their files; [`load()`] reads one skill when its turn comes, so that
//! memory does not grow with the tree.

mod config_file;
mod group;
mod ignore_files;
mod load;
mod overlays;
mod tree;
mod walk;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::skill::NestedFiles;
pub use config_file::{ConfigFileError, nearest_config, read_config};
use dibber_text::file::ReadError;
use dibber_text::isolation::{self, InternalError};
pub use load::{NO_PATH, load, load_published, load_text, load_with_overlays};
pub use overlays::Overlays;
pub use walk::find;

/// A skill that was found, not read yet.
#[derive(Debug)]
pub struct FoundSkill {
    /// The directory, as it is opened.
    pub directory: PathBuf,
    /// The directory, as it is shown.
    pub shown: String,
    /// The name of its skill file, as it is written on disk.
    pub skill_file: String,
    /// The paths of its files from the directory, sorted; at most `FILES_MAX`, and `sprout.yaml`
    /// wherever it comes in their order. Of a skill further down, only the skill's file.
    files: Vec<FoundFile>,
    /// How many more files there are.
    files_left_out: usize,
    /// The files of the skills further down.
    nested: NestedFiles,
}

impl FoundSkill {
    /// The path of the skill's own file, as it is shown.
    pub fn shown_skill_file(&self) -> String {
        self.shown_file(&self.skill_file)
    }

    fn shown_file(&self, file: &str) -> String {
        if self.shown.is_empty() { file.to_owned() } else { format!("{}/{file}", self.shown) }
    }
}

/// Runs work on one skill; a panic in it becomes an error that names the file at `path`.
pub fn isolated<T>(
    path: &str,
    work: impl FnOnce() -> Result<T, DiscoverError>,
) -> Result<T, DiscoverError> {
    isolation::isolated(work)
        .unwrap_or_else(|error| Err(DiscoverError::new(path, DiscoverErrorKind::Internal(error))))
}

/// A file in a skill's directory.
#[derive(Debug)]
struct FoundFile {
    /// The path from the directory, with `/` between its parts.
    path: String,
    /// What the directory says it is.
    kind: FoundKind,
}

/// What a directory says that a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FoundKind {
    /// A regular file.
    Regular,
    /// A symbolic link.
    Link,
    /// A pipe, a socket or a device.
    Special,
    /// A directory that has the name of a file.
    Directory,
}

/// Something that keeps a path from being looked at.
#[derive(Debug)]
pub struct DiscoverError {
    /// The path, as it is shown.
    pub path: String,
    /// What is the matter.
    pub kind: DiscoverErrorKind,
}

/// The kinds of [`DiscoverError`].
#[derive(Debug)]
pub enum DiscoverErrorKind {
    /// There is nothing at that path.
    NotFound,
    /// No skill lies in the directory or below it.
    NoSkill,
    /// The file is not part of a skill.
    NotInSkill,
    /// The skill's file is a directory.
    IsDirectory,
    /// The skill's file is a pipe, a socket or a device.
    NotAFile,
    /// The skill's file is a broken symbolic link.
    BrokenLink,
    /// A file with rules for what git ignores, or one that leads to it, cannot be used.
    IgnoreFile(ReadError),
    /// The system refuses.
    Io(io::Error),
    /// Something panicked while the skill was read or checked.
    Internal(InternalError),
}

impl fmt::Display for DiscoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message_at(&self.path))
    }
}

impl std::error::Error for DiscoverError {}

impl DiscoverError {
    /// What is the matter, with the path shown in another way.
    pub fn message_at(&self, path: &str) -> String {
        let path = dibber_text::escape_line(path);
        match &self.kind {
            DiscoverErrorKind::NotFound => format!("{path}: there is no such file or directory"),
            DiscoverErrorKind::NoSkill => {
                format!("{path}: contains no skill: no directory in it has a SKILL.md")
            }
            DiscoverErrorKind::NotInSkill => {
                format!("{path}: not part of a skill: no directory above it has a SKILL.md")
            }
            DiscoverErrorKind::IsDirectory => {
                format!("{path}: is a directory; expected a SKILL.md file")
            }
            DiscoverErrorKind::NotAFile => {
                format!("{path}: is a pipe, a socket or a device; expected a SKILL.md file")
            }
            DiscoverErrorKind::BrokenLink => format!("{path}: is a broken symbolic link"),
            DiscoverErrorKind::IgnoreFile(ReadError::Io(error)) => {
                format!("{path}: cannot be read: {error}; its rules are not used")
            }
            DiscoverErrorKind::IgnoreFile(error) => {
                format!("{path}: {error}; its rules are not used")
            }
            DiscoverErrorKind::Io(error) => format!("{path}: cannot be read: {error}"),
            DiscoverErrorKind::Internal(error) => format!("{path}: {error}"),
        }
    }

    fn new(path: impl Into<String>, kind: DiscoverErrorKind) -> Self {
        Self { path: path.into(), kind }
    }

    fn io(path: impl Into<String>, error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => DiscoverErrorKind::NotFound,
            _ => DiscoverErrorKind::Io(error),
        };
        Self::new(path, kind)
    }
}

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

fn is_skill_file_name(name: &str) -> bool {
    name.eq_ignore_ascii_case(crate::skill::SKILL_FILE_NAME)
}
