//! What every format has in common: which entries are files of a skill, and which are refused.

use std::collections::BTreeMap;

use dibber_text::{Message, message};

use super::problem::{ArchiveLimits, ArchiveProblem};
use crate::contents::{ContentsBuilder, ContentsError, FileContents};
use crate::path::SkillPath;

/// The most problems of one archive; the ones after these are as little use as they are.
const PROBLEMS_MAX: usize = 100;

/// The deepest directory.
const DEPTH_MAX: usize = 32;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryKind {
    File,
    Directory,
    Link,
    Special,
}

/// The entries of an archive so far.
pub(super) struct Collector {
    builder: ContentsBuilder,
    directories: Vec<SkillPath>,
    notes: Vec<ArchiveProblem>,
    problems: Vec<ArchiveProblem>,
}

/// What an archive contains.
pub(super) struct Collected {
    pub(super) files: BTreeMap<SkillPath, FileContents>,
    pub(super) notes: Vec<ArchiveProblem>,
    pub(super) problems: Vec<ArchiveProblem>,
}

impl Collector {
    pub(super) fn new(limits: ArchiveLimits) -> Self {
        let builder = ContentsBuilder::new(limits.contents);
        Self { builder, directories: Vec::new(), notes: Vec::new(), problems: Vec::new() }
    }

    /// Adds a problem.
    pub(super) fn report(&mut self, problem: ArchiveProblem) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(problem);
        }
    }

    /// Adds the problem of an entry.
    pub(super) fn refuse(&mut self, name: &[u8], message: impl Into<Message>) {
        self.report(ArchiveProblem::of_entry(String::from_utf8_lossy(name), message));
    }

    /// Returns the path of an entry whose content is wanted. Other entries are noted or refused.
    pub(super) fn begin(&mut self, name: &[u8], kind: EntryKind) -> Option<SkillPath> {
        let Ok(text) = std::str::from_utf8(name) else {
            self.refuse(name, "has a name that is not UTF-8");
            return None;
        };
        let trimmed = if kind == EntryKind::Directory {
            text.strip_suffix('/').unwrap_or(text)
        } else {
            text
        };
        let path = match SkillPath::new(trimmed) {
            Ok(path) => path,
            Err(error) => {
                self.refuse(name, message!["is refused: ", error.message]);
                return None;
            }
        };
        if path.directories().count() > DEPTH_MAX {
            self.refuse(name, message!["is more than ", DEPTH_MAX, " directories deep"]);
            return None;
        }
        if is_junk(&path) {
            if self.notes.len() < PROBLEMS_MAX {
                let message = "is of a tool, and is left out";
                self.notes.push(ArchiveProblem::of_entry(text, message));
            }
            return None;
        }
        match kind {
            EntryKind::File => return Some(path),
            EntryKind::Directory => self.directories.push(path),
            EntryKind::Link => self.refuse(name, "is a link"),
            EntryKind::Special => self.refuse(name, "is not a file or a directory"),
        }
        None
    }

    /// Returns how many more bytes the files may have.
    pub(super) fn bytes_left(&self) -> u64 {
        self.builder.bytes_left()
    }

    /// Adds a file.
    pub(super) fn insert(&mut self, path: SkillPath, file: FileContents) {
        let name = path.as_str().to_owned();
        match self.builder.insert(path, file) {
            Ok(()) => {}
            Err(ContentsError::Collision(first, second)) if first == second => {
                self.report(ArchiveProblem::of_entry(name, "is there more than once"));
            }
            Err(ContentsError::Collision(first, _)) => {
                let other = dibber_text::quote_display(&first);
                let message = message!["is the same file as `", other, "` on some systems"];
                self.report(ArchiveProblem::of_entry(name, message));
            }
            Err(ContentsError::TooManyFiles(max)) => {
                self.report_once(message!["has more than ", max, " files"]);
            }
            Err(ContentsError::TooLarge(max)) => {
                self.report_once(message!["unpacks to more than ", max >> 20, " MiB"]);
            }
            Err(error) => self.report(ArchiveProblem::of_entry(name, error.message())),
        }
    }

    /// Adds a problem of the whole, which the next files have as well.
    fn report_once(&mut self, message: Message) {
        let problem = ArchiveProblem::of_archive(message);
        if self.problems.last() != Some(&problem) {
            self.report(problem);
        }
    }

    /// Returns the files, notes and problems.
    pub(super) fn finish(mut self) -> Collected {
        for directory in std::mem::take(&mut self.directories) {
            if self.builder.is_file(&directory) {
                let message = "is a directory and a file";
                self.report(ArchiveProblem::of_entry(directory.as_str(), message));
            }
        }
        let Self { builder, notes, problems, .. } = self;
        Collected { files: builder.into_files(), notes, problems }
    }
}

/// Returns `true` if macOS has added the entry, with what its file systems know of other files.
fn is_junk(path: &SkillPath) -> bool {
    let name = path.file_name();
    path.as_str() == "__MACOSX"
        || path.as_str().starts_with("__MACOSX/")
        || path.as_str().split('/').any(|name| name == "__pycache__")
        || name == ".DS_Store"
        || name.starts_with("._")
}
