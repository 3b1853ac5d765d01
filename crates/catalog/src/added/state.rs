//! Whether what is installed is what was added.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

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
    let Ok(metadata) = fs::symlink_metadata(&path) else { return PlaceState::Missing };
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

/// Returns `true` if a link leads to a directory of its skill.
fn is_link_of(root: &InstallRoot, skill: &AddedSkill, link: &Path) -> bool {
    let is_link = fs::symlink_metadata(link).is_ok_and(|metadata| metadata.is_symlink());
    let Ok(leads_to) = fs::canonicalize(link) else { return false };
    let is_it = |place: &String| fs::canonicalize(root.place(place)).is_ok_and(|it| it == leads_to);
    is_link && skill.directories.iter().any(is_it)
}

/// Returns how a directory differs from the record; none if it cannot be read.
fn differences(skill: &AddedSkill, directory: &Path) -> Option<Vec<FileDifference>> {
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
    for problem in &problems {
        add(&problem.path, FileDifferenceKind::Extra);
    }
    let there: BTreeSet<_> = files.iter().map(|file| &file.path).collect();
    for path in skill.files.keys().filter(|path| !there.contains(path)) {
        add(path.as_str(), FileDifferenceKind::Missing);
    }
    differences.sort();
    differences.dedup();
    Some(differences)
}
