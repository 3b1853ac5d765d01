//! From a directory to the files of a skill.
//!
//! No symbolic link is followed, and nothing is opened that is not a regular file beneath the directory.
//! What cannot be part of a skill is a problem, and the rest is read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;

use dibber_skill::discover::FoundKind;
use dibber_text::folder::{EntryKind, FileError, Folder, read_whole};
use dibber_text::{Message, is_skill_part, message, quote, quote_display};

use crate::contents::{
    ContentsBuilder, ContentsError, ContentsLimits, FileContents, ListedFile, SkillContents,
};
use crate::digest::Digest;
use crate::path::SkillPath;

/// The most names in a directory.
const ENTRIES_MAX: usize = 20_000;

/// The deepest directory below that of a skill.
const DEPTH_MAX: usize = 32;

/// Something in the directory of a skill that cannot be part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderProblem {
    /// The path from the directory; empty for the directory itself.
    pub path: String,
    /// What is wrong.
    pub message: Message,
}

/// Reads every file in a directory. Returns them with the problems, or none if they are not those of a skill.
pub fn read_folder(
    directory: &Path,
    limits: ContentsLimits,
) -> (Option<SkillContents>, Vec<FolderProblem>) {
    match paths_in(directory) {
        Ok((paths, mut problems)) => {
            let (contents, others) = read_files(directory, paths.into_iter(), limits);
            problems.extend(others);
            (contents, problems)
        }
        Err(problem) => (None, vec![problem]),
    }
}

/// Lists every file in a directory with its digest, sorted by path, and what is not a regular file.
pub(crate) fn list_folder(
    directory: &Path,
) -> Result<(Vec<ListedFile>, Vec<FolderProblem>), FolderProblem> {
    let (paths, mut problems) = paths_in(directory)?;
    let regular = |path: SkillPath| (path.as_str().to_owned(), FoundKind::Regular);
    let (files, others) = list_files(directory, &paths.into_iter().map(regular).collect());
    problems.extend(others);
    problems.extend(tool_entries(directory));
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((files, problems))
}

/// Returns what tools keep in a directory, at any depth. It cannot be part of a skill. That of version control
/// is someone's work, and what Python keeps runs in place of the scripts: what compares, replaces or removes
/// the directory has to know of it.
fn tool_entries(directory: &Path) -> Vec<FolderProblem> {
    let mut problems = Vec::new();
    let mut directories = vec![(directory.to_owned(), String::new(), 0)];
    while let Some((opened, below, depth)) = directories.pop() {
        // What cannot be listed is a problem already.
        let Ok(entries) = fs::read_dir(&opened) else { continue };
        for entry in entries.take(ENTRIES_MAX).filter_map(Result::ok) {
            let name = entry.file_name();
            let shown = name.to_string_lossy();
            let path =
                if below.is_empty() { shown.to_string() } else { format!("{below}/{shown}") };
            if !is_skill_part(&name) {
                let message = "is of a tool, and no part of the skill".into();
                problems.push(FolderProblem { path, message });
            } else if depth < DEPTH_MAX && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                directories.push((entry.path(), path, depth + 1));
            }
        }
    }
    problems
}

/// Reads these files of a directory. Returns them with the problems, or none if they are not those of a skill.
pub(crate) fn read_files(
    directory: &Path,
    paths: impl Iterator<Item = SkillPath>,
    limits: ContentsLimits,
) -> (Option<SkillContents>, Vec<FolderProblem>) {
    let folder = match open(directory) {
        Ok(folder) => folder,
        Err(problem) => return (None, vec![problem]),
    };
    let mut problems = Vec::new();
    let mut builder = ContentsBuilder::new(limits);
    for path in paths {
        if let Err(message) = read_file(&folder, &path, &mut builder, limits) {
            problems.push(FolderProblem { path: path.as_str().to_owned(), message });
        }
    }
    match builder.finish() {
        Ok(contents) => (Some(contents), problems),
        Err(error) => {
            problems.push(FolderProblem { path: String::new(), message: error.message() });
            (None, problems)
        }
    }
}

fn read_file(
    folder: &Folder,
    path: &SkillPath,
    builder: &mut ContentsBuilder,
    limits: ContentsLimits,
) -> Result<(), Message> {
    let file = folder.open_file(path.as_str()).map_err(quote_display)?;
    let is_executable = is_executable(&file);
    let bytes = read_whole(file, builder.bytes_left()).map_err(|error| match error {
        FileError::TooLarge(_) => ContentsError::TooLarge(limits.bytes_max).message(),
        error => quote_display(error),
    })?;
    let inserted = builder.insert(path.clone(), FileContents { bytes, is_executable });
    inserted.map_err(|error| error.message())
}

/// Lists these files of a directory with their digests, sorted by path, without keeping their content.
pub(crate) fn list_files(
    directory: &Path,
    files: &BTreeMap<String, FoundKind>,
) -> (Vec<ListedFile>, Vec<FolderProblem>) {
    let folder = match open(directory) {
        Ok(folder) => folder,
        Err(problem) => return (Vec::new(), vec![problem]),
    };
    let mut problems = Vec::new();
    let mut listed = Vec::new();
    for (path, kind) in files {
        let file = match kind {
            FoundKind::Regular => list_file(&folder, path),
            FoundKind::Link => Err(quote_display(FileError::Link)),
            FoundKind::Special => Err(quote_display(FileError::Special)),
            FoundKind::Directory => Err(quote_display(FileError::Directory)),
        };
        match file {
            Ok(file) => listed.push(file),
            Err(message) => problems.push(FolderProblem { path: path.clone(), message }),
        }
    }
    (listed, problems)
}

fn list_file(folder: &Folder, path: &str) -> Result<ListedFile, Message> {
    let path = SkillPath::new(path).map_err(|error| error.message)?;
    let file = folder.open_file(path.as_str()).map_err(quote_display)?;
    let is_executable = is_executable(&file);
    let (digest, size) = Digest::of_reader(file)
        .map_err(|error| message!["cannot be read: ", quote_display(error)])?;
    Ok(ListedFile { path, size, digest, is_executable })
}

fn open(directory: &Path) -> Result<Folder, FolderProblem> {
    let real = directory.canonicalize().map_err(FileError::from);
    real.and_then(|real| Folder::open(&real))
        .map_err(|error| FolderProblem { path: String::new(), message: quote_display(error) })
}

/// Returns the paths of all regular files in a directory, sorted, and what is not one.
fn paths_in(directory: &Path) -> Result<(BTreeSet<SkillPath>, Vec<FolderProblem>), FolderProblem> {
    let folder = open(directory)?;
    let (mut paths, mut problems) = (BTreeSet::new(), Vec::new());
    let mut directories = vec![String::new()];
    while let Some(below) = directories.pop() {
        let entries = match folder.entries(&below, ENTRIES_MAX) {
            Ok(Some(entries)) => entries,
            Ok(None) => {
                let message = message!["has more than ", ENTRIES_MAX, " names"];
                problems.push(FolderProblem { path: below, message });
                continue;
            }
            Err(error) => {
                problems.push(FolderProblem { path: below, message: quote_display(error) });
                continue;
            }
        };
        for entry in entries {
            let name = entry.name.to_string_lossy();
            let path = if below.is_empty() { name.to_string() } else { format!("{below}/{name}") };
            let is_deep = path.split('/').count() > DEPTH_MAX;
            let problem = match entry.kind {
                _ if entry.name.to_str().is_none() => "has a name that is not UTF-8".into(),
                EntryKind::Directory if is_deep => {
                    message!["is more than ", DEPTH_MAX, " directories deep"]
                }
                EntryKind::Directory => {
                    directories.push(path);
                    continue;
                }
                EntryKind::Link => quote_display(FileError::Link),
                EntryKind::Special => quote_display(FileError::Special),
                EntryKind::File => match SkillPath::new(path.as_str()) {
                    Ok(valid) => {
                        paths.insert(valid);
                        continue;
                    }
                    Err(error) => error.message,
                },
            };
            problems.push(FolderProblem { path, message: problem });
        }
    }
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    Ok((paths, problems))
}

impl FolderProblem {
    /// Returns the message with the path before it.
    pub fn with_path(&self) -> Message {
        if self.path.is_empty() {
            return self.message.clone();
        }
        message!["`", quote(&self.path), "` ", self.message.clone()]
    }
}

#[cfg(unix)]
fn is_executable(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &File) -> bool {
    false
}
