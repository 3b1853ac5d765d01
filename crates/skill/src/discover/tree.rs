//! Listing the files of a tree of folders, without what git ignores.
//!
//! The folders of one depth are read at the same time, in threads, before those of the next.
//! A folder is listed before its rules are read, so that one without a `.gitignore` costs
//! nothing.

use std::cell::LazyCell;
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::ignore_files::{FilesFound, GIT_FOLDER_NAME, IGNORE_FILE_NAME, IgnoreRules};
use super::{DiscoverError, DiscoverErrorKind, FoundKind, shown_path};
use crate::skill::SKILL_FILE_NAME;

/// Folders that never hold skills of the project itself.
const SKIPPED_FOLDERS: [&str; 4] = [".git", ".hg", ".jj", "node_modules"];
/// The most threads that list; more do not help, since the work is the system's.
const THREADS_MAX: usize = 8;
/// The fewest folders for which another thread is started: it takes longer to start one than to
/// list a few folders.
const FOLDERS_PER_THREAD_MIN: usize = 32;

/// One file or link, by its path from the start.
pub(super) struct Listed {
    pub(super) path: String,
    pub(super) kind: FoundKind,
    /// The folder that it lies in, when the name of that cannot be written as text.
    pub(super) folder: Option<PathBuf>,
}

/// The files of a tree, and what went wrong.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) files: Vec<Listed>,
    pub(super) errors: Vec<DiscoverError>,
}

/// Lists every file below `start`, whose path from the root is `real`, and every folder that has
/// the name of a skill's file; sorted by path.
pub(super) fn list(start: &Path, real: &Path) -> Listing {
    let mut listing = Listing::default();
    let rules = IgnoreRules::above(real, &mut listing.errors);
    let tree = Tree { start, real };
    let mut folders = vec![Folder { path: PathBuf::new(), rules }];
    while !folders.is_empty() {
        folders = tree.list_all(&folders, &mut listing);
    }
    listing.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    listing.errors.sort_by(|a, b| a.path.cmp(&b.path));
    listing
}

struct Tree<'a> {
    start: &'a Path,
    real: &'a Path,
}

/// A folder that is not listed yet.
struct Folder {
    /// The path from the start.
    path: PathBuf,
    /// The rules that hold for the folder itself.
    rules: IgnoreRules,
}

impl Tree<'_> {
    /// Lists some folders, and returns those in them.
    fn list_all(&self, folders: &[Folder], listing: &mut Listing) -> Vec<Folder> {
        let mut threads = (folders.len() / FOLDERS_PER_THREAD_MIN).min(THREADS_MAX);
        // Asking for the number of processors reads files, so it is not done at each depth.
        if threads > 1 {
            threads = threads.min(thread::available_parallelism().map_or(1, usize::from));
        }
        if threads <= 1 {
            return folders.iter().flat_map(|folder| self.list(folder, listing)).collect();
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let (mut listing, mut below) = (Listing::default(), Vec::new());
            while let Some(folder) = folders.get(next.fetch_add(1, Ordering::Relaxed)) {
                below.extend(self.list(folder, &mut listing));
            }
            (listing, below)
        };
        let mut below = Vec::new();
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut add = |(listed, folders): (Listing, Vec<Folder>)| {
                listing.files.extend(listed.files);
                listing.errors.extend(listed.errors);
                below.extend(folders);
            };
            add(work());
            for other in others {
                add(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
        });
        below
    }

    /// Lists one folder, and returns those in it.
    fn list(&self, folder: &Folder, listing: &mut Listing) -> Vec<Folder> {
        let opened = joined(self.start, &folder.path);
        let (entries, has) = match read(&opened, listing) {
            Ok(read) => read,
            Err(error) => {
                listing.errors.push(io_error(&opened, &error));
                return Vec::new();
            }
        };
        let needs_real = has.ignore_file || has.git_folder || !folder.rules.is_empty();
        let real = if needs_real { joined(self.real, &folder.path) } else { PathBuf::new() };
        let rules = folder.rules.below(&real, &opened, has, &mut listing.errors);
        // Paths grow with the depth: in a folder of folders, the work for them is saved.
        let shown = LazyCell::new(|| shown_path(&folder.path));
        let is_text = LazyCell::new(|| folder.path.to_str().is_some());
        let mut below = Vec::new();
        for (name, file_type) in entries {
            let is_folder = file_type.is_dir();
            if is_folder && is_skipped(&name)
                || !rules.is_empty() && rules.is_ignored(&real.join(&name), is_folder)
            {
                continue;
            }
            if is_folder {
                if name == SKILL_FILE_NAME {
                    let shown = shown_path(&opened.join(&name));
                    listing.errors.push(DiscoverError::new(shown, DiscoverErrorKind::IsFolder));
                }
                below.push(Folder { path: folder.path.join(&name), rules: rules.clone() });
                continue;
            }
            let is_text = *is_text && name.to_str().is_some();
            listing.files.push(Listed {
                path: path_of(&shown, &name),
                kind: found_kind(file_type),
                folder: (!is_text).then(|| opened.clone()),
            });
        }
        below
    }
}

/// Reads the names in a folder, and sees which files with rules are among them.
fn read(
    folder: &Path,
    listing: &mut Listing,
) -> io::Result<(Vec<(OsString, FileType)>, FilesFound)> {
    let mut entries = Vec::new();
    let mut has = FilesFound::default();
    for entry in fs::read_dir(folder)? {
        match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
            Ok((name, file_type)) => {
                has.ignore_file |= name == IGNORE_FILE_NAME;
                has.git_folder |= name == GIT_FOLDER_NAME;
                entries.push((name, file_type));
            }
            Err(error) => listing.errors.push(io_error(folder, &error)),
        }
    }
    Ok((entries, has))
}

/// Joins a path without leaving a `/` at the end when there is nothing to join.
fn joined(folder: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() { folder.to_owned() } else { folder.join(below) }
}

fn path_of(folder: &str, name: &OsStr) -> String {
    let name = name.to_string_lossy();
    if folder.is_empty() { name.into_owned() } else { format!("{folder}/{name}") }
}

fn is_skipped(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| SKIPPED_FOLDERS.contains(&name))
}

/// What a directory says that a file is.
pub(super) fn found_kind(file_type: FileType) -> FoundKind {
    match file_type {
        kind if kind.is_file() => FoundKind::Regular,
        kind if kind.is_symlink() => FoundKind::Link,
        kind if kind.is_dir() => FoundKind::Folder,
        _ => FoundKind::Special,
    }
}

fn io_error(path: &Path, error: &io::Error) -> DiscoverError {
    DiscoverError::io(shown_path(path), io::Error::from(error.kind()))
}
