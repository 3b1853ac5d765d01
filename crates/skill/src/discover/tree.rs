//! Listing the files of a tree of directories, without what git ignores.
//!
//! The directories of one depth are read at the same time, in threads, before those of the next.
//! A directory is listed before its rules are read, so that one without a `.gitignore` costs
//! nothing.

use std::cell::LazyCell;
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::error::{DiscoverError, DiscoverErrorKind};
use super::found::FoundKind;
use super::ignore_files::{FilesFound, IGNORE_FILE_NAME, IgnoreFiles, IgnoreRules};
use super::paths::shown_path;
use super::project::GIT_DIRECTORY_NAME;
use crate::skill::SKILL_FILE_NAME;

/// Directories that never hold skills of the project itself.
const SKIPPED_DIRECTORIES: [&str; 4] = [".git", ".hg", ".jj", "node_modules"];
/// The most threads that list; more do not help, since the work is the system's.
const THREADS_MAX: usize = 8;
/// The fewest directories for which another thread is started: it takes longer to start one than to
/// list a few directories.
const DIRECTORIES_PER_THREAD_MIN: usize = 32;

/// One file or link, by its path from the start.
pub(super) struct Listed {
    pub(super) path: String,
    pub(super) kind: FoundKind,
    /// The directory that it is in, when the name of that cannot be written as text.
    pub(super) directory: Option<PathBuf>,
}

/// The files of a tree, and what went wrong.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) files: Vec<Listed>,
    pub(super) errors: Vec<DiscoverError>,
}

/// Lists every file below `start`, whose path from the root is `real`, and every directory that has
/// the name of a skill's file; sorted by path. Ends before a depth with which more than
/// `directories_max` would be listed.
pub(super) fn list(
    start: &Path,
    real: &Path,
    ignore_files: IgnoreFiles,
    directories_max: usize,
) -> Listing {
    let mut listing = Listing::default();
    let rules = match ignore_files {
        IgnoreFiles::Apply => IgnoreRules::above(real, &mut listing.errors),
        IgnoreFiles::Ignore => IgnoreRules::default(),
    };
    let tree = Tree { start, real, ignore_files };
    let mut directories = vec![UnlistedDirectory { path: PathBuf::new(), rules }];
    let mut room = directories_max;
    while let Some(left) = room.checked_sub(directories.len()).filter(|_| !directories.is_empty()) {
        room = left;
        directories = tree.list_all(&directories, &mut listing);
    }
    listing.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    listing.errors.sort_by(|a, b| a.path.cmp(&b.path));
    listing
}

struct Tree<'a> {
    start: &'a Path,
    real: &'a Path,
    ignore_files: IgnoreFiles,
}

/// A directory that is not listed yet.
struct UnlistedDirectory {
    /// The path from the start.
    path: PathBuf,
    /// The rules that hold for the directory itself.
    rules: IgnoreRules,
}

impl Tree<'_> {
    /// Lists some directories, and returns those in them.
    fn list_all(
        &self,
        directories: &[UnlistedDirectory],
        listing: &mut Listing,
    ) -> Vec<UnlistedDirectory> {
        let mut threads = (directories.len() / DIRECTORIES_PER_THREAD_MIN).min(THREADS_MAX);
        // Asking for the number of processors reads files, so it is not done at each depth.
        if threads > 1 {
            threads = threads.min(thread::available_parallelism().map_or(1, usize::from));
        }
        if threads <= 1 {
            return directories
                .iter()
                .flat_map(|directory| self.list(directory, listing))
                .collect();
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let (mut listing, mut below) = (Listing::default(), Vec::new());
            while let Some(directory) = directories.get(next.fetch_add(1, Ordering::Relaxed)) {
                below.extend(self.list(directory, &mut listing));
            }
            (listing, below)
        };
        let mut below = Vec::new();
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut add = |(listed, directories): (Listing, Vec<UnlistedDirectory>)| {
                listing.files.extend(listed.files);
                listing.errors.extend(listed.errors);
                below.extend(directories);
            };
            add(work());
            for other in others {
                add(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
        });
        below
    }

    /// Lists one directory, and returns those in it.
    fn list(&self, directory: &UnlistedDirectory, listing: &mut Listing) -> Vec<UnlistedDirectory> {
        let opened = joined(self.start, &directory.path);
        let (entries, has) = match read(&opened, listing) {
            Ok(read) => read,
            Err(error) => {
                listing.errors.push(io_error(&opened, &error));
                return Vec::new();
            }
        };
        let has = match self.ignore_files {
            IgnoreFiles::Apply => has,
            IgnoreFiles::Ignore => FilesFound::default(),
        };
        let needs_real = has.ignore_file || has.git_directory || !directory.rules.is_empty();
        let real = if needs_real { joined(self.real, &directory.path) } else { PathBuf::new() };
        let rules = directory.rules.below(&real, &opened, has, &mut listing.errors);
        // Paths grow with the depth: in a directory of directories, the work for them is saved.
        let shown = LazyCell::new(|| shown_path(&directory.path));
        let is_text = LazyCell::new(|| directory.path.to_str().is_some());
        let mut below = Vec::new();
        for (name, file_type) in entries {
            let is_directory = file_type.is_dir();
            if is_directory && is_skipped(&name)
                || !rules.is_empty() && rules.is_ignored(&real.join(&name), is_directory)
            {
                continue;
            }
            if is_directory {
                if name == SKILL_FILE_NAME {
                    let shown = shown_path(&opened.join(&name));
                    listing.errors.push(DiscoverError::new(shown, DiscoverErrorKind::IsDirectory));
                }
                below.push(UnlistedDirectory {
                    path: directory.path.join(&name),
                    rules: rules.clone(),
                });
                continue;
            }
            let is_text = *is_text && name.to_str().is_some();
            listing.files.push(Listed {
                path: path_of(&shown, &name),
                kind: found_kind(file_type),
                directory: (!is_text).then(|| opened.clone()),
            });
        }
        below
    }
}

/// Reads the names in a directory, and sees which files with rules are among them.
fn read(
    directory: &Path,
    listing: &mut Listing,
) -> io::Result<(Vec<(OsString, FileType)>, FilesFound)> {
    let mut entries = Vec::new();
    let mut has = FilesFound::default();
    for entry in fs::read_dir(directory)? {
        match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
            Ok((name, file_type)) => {
                has.ignore_file |= name == IGNORE_FILE_NAME;
                has.git_directory |= name == GIT_DIRECTORY_NAME;
                entries.push((name, file_type));
            }
            Err(error) => listing.errors.push(io_error(directory, &error)),
        }
    }
    Ok((entries, has))
}

/// Joins a path without leaving a `/` at the end when there is nothing to join.
fn joined(directory: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { directory.to_owned() } else { directory.join(below) }
}

fn path_of(directory: &str, name: &OsStr) -> String {
    let name = name.to_string_lossy();
    if directory.is_empty() { name.into_owned() } else { format!("{directory}/{name}") }
}

fn is_skipped(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| SKIPPED_DIRECTORIES.contains(&name))
}

/// Returns the type of a file in a directory's listing.
pub(super) fn found_kind(file_type: FileType) -> FoundKind {
    match file_type {
        kind if kind.is_file() => FoundKind::Regular,
        kind if kind.is_symlink() => FoundKind::Link,
        kind if kind.is_dir() => FoundKind::Directory,
        _ => FoundKind::Special,
    }
}

fn io_error(path: &Path, error: &io::Error) -> DiscoverError {
    DiscoverError::io(shown_path(path), io::Error::from(error.kind()))
}
