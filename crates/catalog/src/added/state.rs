//! Whether what is installed is what was added.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::record::AddedSkill;
use super::root::InstallRoot;
use crate::folder::list_folder;

/// A file that differs from the record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileDifference {
    /// The path in the skill.
    pub path: String,
    /// How it differs.
    pub kind: FileDifferenceKind,
}

/// How a file differs from the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileDifferenceKind {
    /// Its content was changed.
    Changed,
    /// It is not there.
    Missing,
    /// It was not there, or is not a regular file.
    Extra,
    /// It can be executed and could not before, or the other way round.
    Mode,
}

impl FileDifferenceKind {
    /// Returns the word that messages and JSON have for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::Extra => "extra",
            Self::Mode => "mode",
        }
    }
}

/// What is at a place where a skill was installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceState {
    /// What was added.
    Current,
    /// The skill with other files.
    Edited(Vec<FileDifference>),
    /// Nothing.
    Missing,
    /// Something else: a file, a link to elsewhere, or what cannot be read.
    Other,
}

/// Returns what is at a place of a skill.
pub fn place_state(root: &InstallRoot, skill: &AddedSkill, place: &str) -> PlaceState {
    let path = root.place(place);
    let metadata = match fs::symlink_metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) if is_missing(&error) => return PlaceState::Missing,
        Err(_) => return PlaceState::Other,
    };
    if skill.links.iter().any(|link| link == place) {
        return if is_link_of(root, skill, &path) {
            PlaceState::Current
        } else {
            PlaceState::Other
        };
    }
    if !metadata.is_dir() || !root.contains(place) {
        return PlaceState::Other;
    }
    match differences(skill, &path) {
        Some(differences) if differences.is_empty() => PlaceState::Current,
        Some(differences) => PlaceState::Edited(differences),
        None => PlaceState::Other,
    }
}

/// Returns `true` if an error says that nothing is there. Every other one leaves open what is.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Returns `true` if a link leads to a directory of its skill, or would if the directory were there.
fn is_link_of(root: &InstallRoot, skill: &AddedSkill, link: &Path) -> bool {
    let Ok(target) = fs::read_link(link) else { return false };
    let Ok(leads_to) = fs::canonicalize(link) else {
        let place = link.strip_prefix(&root.root).unwrap_or(link);
        return skill.directories.first().is_some_and(|first| target == link_target(place, first));
    };
    let is_it = |place: &String| fs::canonicalize(root.place(place)).is_ok_and(|it| it == leads_to);
    skill.directories.iter().any(is_it)
}

/// Returns the target of the link at a place, both from the root. It is relative, so that the project can be
/// moved.
pub(super) fn link_target(place: &Path, directory: &str) -> PathBuf {
    let up = place.components().count().saturating_sub(1);
    let target = std::iter::repeat_n("..", up).chain(directory.split('/'));
    target.collect()
}

/// Returns how a directory differs from the record; none if it cannot be read.
pub(super) fn differences(skill: &AddedSkill, directory: &Path) -> Option<Vec<FileDifference>> {
    let (files, problems) = list_folder(directory).ok()?;
    let mut differences = Vec::new();
    let mut add = |path: &str, kind| {
        differences.push(FileDifference { path: path.to_owned(), kind });
    };
    for file in &files {
        match skill.files.get(&file.path) {
            None => add(file.path.as_str(), FileDifferenceKind::Extra),
            Some(recorded) if recorded.digest != file.digest => {
                add(file.path.as_str(), FileDifferenceKind::Changed);
            }
            // Other systems do not record it.
            Some(recorded) if cfg!(unix) && recorded.is_executable != file.is_executable => {
                add(file.path.as_str(), FileDifferenceKind::Mode);
            }
            Some(_) => {}
        }
    }
    // A link where a file was is a change of the file.
    let is_recorded = |path: &str| skill.files.keys().any(|recorded| recorded.as_str() == path);
    for problem in &problems {
        let kind = if is_recorded(&problem.path) {
            FileDifferenceKind::Changed
        } else {
            FileDifferenceKind::Extra
        };
        add(&problem.path, kind);
    }
    let there: BTreeSet<_> = files.iter().map(|file| file.path.as_str()).collect();
    let replaced: BTreeSet<_> = problems.iter().map(|problem| problem.path.as_str()).collect();
    let is_there = |path: &str| there.contains(path) || replaced.contains(path);
    for path in skill.files.keys().filter(|path| !is_there(path.as_str())) {
        add(path.as_str(), FileDifferenceKind::Missing);
    }
    differences.sort();
    differences.dedup();
    Some(differences)
}
