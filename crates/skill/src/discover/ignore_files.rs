//! What git ignores: the rules of `.gitignore`, `.git/info/exclude`, and the user's own file.
//!
//! The crate `ignore` compiles and matches the rules. Its own walk opens these files with
//! nothing checked, so a pipe in the place of one would stop it; here they are read with
//! [`dibber_text::file`].

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};

use super::error::{DiscoverError, DiscoverErrorKind};
use super::paths::shown_path;
use super::project::{GIT_DIRECTORY_NAME, project_root};
use dibber_text::BYTE_ORDER_MARK;
use dibber_text::file::{self, ReadError};

/// The name of the file with the rules of a directory and what is below it.
pub(super) const IGNORE_FILE_NAME: &str = ".gitignore";
/// The rules of a repository that are not committed, from git's directory.
const EXCLUDE_FILE: &str = "info/exclude";
/// The most bytes of a file with rules (1 MiB).
const IGNORE_BYTES_MAX: u64 = 1 << 20;
/// The most bytes of a file that leads to git's directory (16 KiB): a path with a word before it.
const POINTER_BYTES_MAX: u64 = 16 << 10;

/// Whether what git ignores is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IgnoreFiles {
    /// It is.
    #[default]
    Apply,
    /// It is not, and the files with the rules are not read.
    Ignore,
}

/// The rules that hold in a directory: its own, and those of the directories above it.
#[derive(Clone, Debug, Default)]
pub(super) struct IgnoreRules {
    /// The nearest directory with rules; the next one is in it.
    nearest: Option<Arc<DirectoryRules>>,
    /// The rules of the user for every repository, from `core.excludesFile` of git's configuration.
    user: Option<Arc<str>>,
}

/// The rules that one directory adds.
#[derive(Debug)]
struct DirectoryRules {
    gitignore: Gitignore,
    exclude: Gitignore,
    outer: Option<Arc<DirectoryRules>>,
}

impl IgnoreRules {
    /// Reads the rules of the directories above `directory`, a path from the root.
    pub(super) fn above(directory: &Path, errors: &mut Vec<DiscoverError>) -> Self {
        let mut above: Vec<&Path> = directory.ancestors().skip(1).collect();
        above.reverse();
        let mut reader = Reader { directory, opened: directory, errors };
        let user = gitconfig_excludes_path().and_then(|path| reader.read(&path, IGNORE_BYTES_MAX));
        let rules = Self { nearest: None, user: user.map(Arc::from) };
        above.into_iter().fold(rules, |rules, directory| {
            let mut reader = Reader { directory, opened: directory, errors };
            let gitignore = reader.gitignore();
            let exclude = reader.exclude(rules.user.as_deref());
            rules.with(gitignore, exclude)
        })
    }

    /// Returns the rules with those that a directory adds, as far as it has such files. `directory`
    /// is its path from the root, `opened` the one that it is opened by.
    pub(super) fn below(
        &self,
        directory: &Path,
        opened: &Path,
        has: FilesFound,
        errors: &mut Vec<DiscoverError>,
    ) -> Self {
        let mut reader = Reader { directory, opened, errors };
        let gitignore = if has.ignore_file { reader.gitignore() } else { Gitignore::empty() };
        let exclude = if has.git_directory {
            reader.exclude(self.user.as_deref())
        } else {
            Gitignore::empty()
        };
        self.with(gitignore, exclude)
    }

    fn with(&self, gitignore: Gitignore, exclude: Gitignore) -> Self {
        if gitignore.is_empty() && exclude.is_empty() {
            return self.clone();
        }
        let outer = self.nearest.clone();
        let nearest = Some(Arc::new(DirectoryRules { gitignore, exclude, outer }));
        Self { nearest, user: self.user.clone() }
    }

    /// Returns `true` if there are no rules.
    pub(super) const fn is_empty(&self) -> bool {
        self.nearest.is_none()
    }

    /// Returns `true` if what is at the path from the root is ignored; none of the directories
    /// above it may be.
    pub(super) fn is_ignored(&self, path: &Path, is_directory: bool) -> bool {
        // Of all `.gitignore` files, the nearest that has a rule for the path decides; if none
        // has one, the same holds for the exclude files.
        let all = || std::iter::successors(self.nearest.as_deref(), |rules| rules.outer.as_deref());
        let gitignores = all().map(|rules| &rules.gitignore);
        let excludes = all().map(|rules| &rules.exclude);
        let matches = gitignores.chain(excludes).map(|rules| rules.matched(path, is_directory));
        let decisive = matches.into_iter().find(|decision| !decision.is_none());
        decisive.is_some_and(|decision| decision.is_ignore())
    }
}

/// Which of the files with rules a directory has.
#[derive(Clone, Copy, Default)]
pub(super) struct FilesFound {
    pub(super) ignore_file: bool,
    pub(super) git_directory: bool,
}

/// Reads the files of one directory.
struct Reader<'a> {
    /// The path from the root.
    directory: &'a Path,
    /// The path that the directory is opened by, for people.
    opened: &'a Path,
    errors: &'a mut Vec<DiscoverError>,
}

impl Reader<'_> {
    fn gitignore(&mut self) -> Gitignore {
        let path = self.opened.join(IGNORE_FILE_NAME);
        let rules = self.rules(&path);
        // Git follows no such link, and what the link leads to is not part of what is reviewed.
        if path.is_symlink()
            && let Err(error @ ReadError::LinkOutside) =
                file::check_inside(&path, &project_root(self.opened))
        {
            if !rules.is_empty() {
                self.report(&path, error);
            }
            return Gitignore::empty();
        }
        rules
    }

    /// The rules of a repository that are not committed, and those of the user, which yield to them.
    fn exclude(&mut self, user: Option<&str>) -> Gitignore {
        let Some(git) = self.git_directory().filter(|git| git.is_dir()) else {
            return Gitignore::empty();
        };
        let path = git.join(EXCLUDE_FILE);
        let own = self.read(&path, IGNORE_BYTES_MAX);
        self.compile(&path, &[user.unwrap_or_default(), own.as_deref().unwrap_or_default()])
    }

    /// The directory with the exclude file. In a work tree beside the main one, `.git` is a file
    /// that leads to a directory, in which `commondir` leads to that of the main one.
    fn git_directory(&mut self) -> Option<PathBuf> {
        let git = self.opened.join(GIT_DIRECTORY_NAME);
        if !git.is_file() {
            return Some(git);
        }
        let pointer = self.read(&git, POINTER_BYTES_MAX)?;
        let own = self.opened.join(first_line(&pointer)?.strip_prefix("gitdir: ")?);
        let pointer = self.read(&own.join("commondir"), POINTER_BYTES_MAX)?;
        Some(own.join(first_line(&pointer)?))
    }

    fn rules(&mut self, path: &Path) -> Gitignore {
        let Some(text) = self.read(path, IGNORE_BYTES_MAX) else { return Gitignore::empty() };
        self.compile(path, &[&text])
    }

    /// Compiles rules, of which the last one that matches decides.
    fn compile(&mut self, path: &Path, texts: &[&str]) -> Gitignore {
        if texts.iter().all(|text| text.is_empty()) {
            return Gitignore::empty();
        }
        let mut builder = GitignoreBuilder::new(self.directory);
        let lines = texts.iter().flat_map(|text| text.trim_start_matches(BYTE_ORDER_MARK).lines());
        for line in lines {
            // Like git, this takes a line that is no pattern for one that matches nothing.
            let _ = builder.add_line(None, line);
        }
        builder.build().unwrap_or_else(|error| {
            let error = std::io::Error::other(error.to_string());
            self.report(path, ReadError::Io(error));
            Gitignore::empty()
        })
    }

    /// The text of a file; nothing when it is not there or cannot be used. What is not UTF-8 in
    /// it matches nothing.
    fn read(&mut self, path: &Path, bytes_max: u64) -> Option<String> {
        match file::read_regular(path, bytes_max) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => {
                if !error.is_not_found() {
                    self.report(path, error);
                }
                None
            }
        }
    }

    fn report(&mut self, path: &Path, error: ReadError) {
        let kind = DiscoverErrorKind::IgnoreFile(error);
        self.errors.push(DiscoverError::new(shown_path(path), kind));
    }
}

fn first_line(text: &str) -> Option<&str> {
    text.lines().next()
}
