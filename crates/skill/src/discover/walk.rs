//! From paths to skills: where to start, and which directories below hold a skill.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::error::{DiscoverError, DiscoverErrorKind};
use super::found::FoundSkill;
use super::group::group;
use super::ignore_files::IgnoreFiles;
use super::paths::{is_skill_file_name, shown_path};
use super::tree::{self, Listed};
use crate::skill::PROTOCOL_FILE_NAME;

/// Finds the skills at and below `paths`, sorted by path, each once; and what went wrong.
///
/// A file inside a skill selects the whole skill. `.gitignore` files are honoured below a
/// path, though not for `sprout.yaml`; hidden directories are walked, links are not followed except
/// for the paths themselves.
pub fn find(paths: &[PathBuf]) -> (Vec<FoundSkill>, Vec<DiscoverError>) {
    find_with(paths, IgnoreFiles::Apply)
}

/// Like [`find`], with or without what git ignores.
pub fn find_with(
    paths: &[PathBuf],
    ignore_files: IgnoreFiles,
) -> (Vec<FoundSkill>, Vec<DiscoverError>) {
    find_limited(paths, ignore_files, usize::MAX)
}

/// Like [`find`], but lists at most so many directories below each path, and none of a depth of which
/// it cannot list all.
pub fn find_near(
    paths: &[PathBuf],
    directories_max: usize,
) -> (Vec<FoundSkill>, Vec<DiscoverError>) {
    find_limited(paths, IgnoreFiles::Apply, directories_max)
}

fn find_limited(
    paths: &[PathBuf],
    ignore_files: IgnoreFiles,
    directories_max: usize,
) -> (Vec<FoundSkill>, Vec<DiscoverError>) {
    let mut errors = Vec::new();
    let mut directories = Vec::new();
    let mut skills = Vec::new();
    let mut known = HashSet::new();
    let mut listed = ListedDirectories::default();
    for path in paths {
        match starting_directory(path, &mut listed) {
            Ok(directory) => directories.push(directory),
            Err(error) => errors.push(error),
        }
    }
    // A commit hook names every changed file of a skill.
    let mut starts = HashSet::new();
    directories.retain(|start: &Start| starts.insert(start.clone()));
    for Start { directory, is_one_skill } in directories {
        let errors_before = errors.len();
        // No link is followed on the way down, so that below a real path all paths are real.
        let real = fs::canonicalize(&directory).unwrap_or_else(|_| directory.clone());
        let listing = tree::list(&directory, &real, ignore_files, directories_max);
        errors.extend(listing.errors);
        let protocol_directory = protocol_directory(&directory, &listing.files);
        let found = group(&directory, listing.files, is_one_skill, &mut errors);
        if found.is_empty() && errors.len() == errors_before {
            errors.push(match &protocol_directory {
                Some(with_manifest) => without_skill(with_manifest, DiscoverErrorKind::NoSkillFile),
                None => without_skill(&directory, DiscoverErrorKind::NoSkill),
            });
        }
        let mut is_new = |skill: &FoundSkill| {
            known.insert(
                real.join(skill.directory.strip_prefix(&directory).unwrap_or(Path::new(""))),
            )
        };
        skills.extend(found.into_iter().filter(|skill| is_new(skill)));
    }
    skills.sort_by(|a: &FoundSkill, b| a.shown.cmp(&b.shown));
    (skills, errors)
}

/// Returns the first directory with a `skill.toml`.
fn protocol_directory(start: &Path, files: &[Listed]) -> Option<PathBuf> {
    let path = |listed: &Listed| start.join(&listed.path);
    let manifest = files.iter().map(path).find(|path| path.ends_with(PROTOCOL_FILE_NAME))?;
    manifest.parent().map(Path::to_owned)
}

fn without_skill(directory: &Path, kind: DiscoverErrorKind) -> DiscoverError {
    let shown = shown_path(directory);
    DiscoverError::new(if shown.is_empty() { ".".to_owned() } else { shown }, kind)
}

/// Where to start, and whether only the skill in that very directory is meant.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Start {
    directory: PathBuf,
    is_one_skill: bool,
}

fn starting_directory(path: &Path, listed: &mut ListedDirectories) -> Result<Start, DiscoverError> {
    let shown = || path.to_string_lossy().into_owned();
    let metadata = fs::metadata(path).map_err(|error| match fs::symlink_metadata(path) {
        Ok(link) if link.is_symlink() => DiscoverError::new(shown(), DiscoverErrorKind::BrokenLink),
        _ => DiscoverError::io(shown(), error),
    })?;
    if metadata.is_dir() {
        return Ok(Start { directory: path.to_owned(), is_one_skill: false });
    }
    let mut directory = directory_above(path);
    while let Some(candidate) = directory {
        if listed.has_skill_file(&candidate) {
            return Ok(Start { directory: candidate, is_one_skill: true });
        }
        let is_top = fs::canonicalize(&candidate).map_or(true, |real| real.parent().is_none());
        if is_top || candidate.join(".git").exists() {
            break;
        }
        directory = directory_above(&candidate);
    }
    if path.ends_with(PROTOCOL_FILE_NAME)
        && let Some(directory) = directory_above(path)
    {
        return Err(without_skill(&directory, DiscoverErrorKind::NoSkillFile));
    }
    Err(DiscoverError::new(shown(), DiscoverErrorKind::NotInSkill))
}

/// Returns the directory that a file or directory is in, as seen from the current directory.
fn directory_above(path: &Path) -> Option<PathBuf> {
    match path.components().next_back() {
        None | Some(Component::CurDir) => Some(PathBuf::from("..")),
        Some(Component::ParentDir) => Some(path.join("..")),
        Some(Component::RootDir | Component::Prefix(_)) => None,
        Some(Component::Normal(_)) => match path.parent()? {
            parent if parent.as_os_str().is_empty() => Some(PathBuf::from(".")),
            parent => Some(parent.to_owned()),
        },
    }
}

/// The directories above the paths, and whether each is a skill. Many paths share one, and to list it
/// for each of its files would take time that grows with their square.
#[derive(Default)]
struct ListedDirectories(HashMap<PathBuf, bool>);

impl ListedDirectories {
    fn has_skill_file(&mut self, directory: &Path) -> bool {
        if let Some(known) = self.0.get(directory) {
            return *known;
        }
        let is_skill_file =
            |entry: fs::DirEntry| entry.file_name().to_str().is_some_and(is_skill_file_name);
        let has_skill_file =
            fs::read_dir(directory).is_ok_and(|entries| entries.flatten().any(is_skill_file));
        self.0.insert(directory.to_owned(), has_skill_file);
        has_skill_file
    }
}
