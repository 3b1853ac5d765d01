//! From the files of a tree to its skills: each file belongs to the nearest skill above it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{DiscoverError, DiscoverErrorKind};
use super::found::{FoundFile, FoundKind, FoundSkill};
use super::paths::{is_skill_file_name, shown_path};
use super::tree::{Listed, found_kind};
use crate::manifest::MANIFEST_FILE_NAME;
use crate::skill::{FILES_MAX, FileTree, NestedFiles, SKILL_FILE_NAME, TreeFile};

/// Groups into skills the files below `start`, which are sorted; only the one in `start` itself
/// when no other is asked for.
pub(super) fn group(
    start: &Path,
    listing: Vec<Listed>,
    is_one_skill: bool,
    errors: &mut Vec<DiscoverError>,
) -> Vec<FoundSkill> {
    let mut skills: BTreeMap<String, FoundSkill> = BTreeMap::new();
    for listed in &listing {
        let (directory, name) = listed.path.rsplit_once('/').unwrap_or(("", &listed.path));
        if !is_skill_file_name(name) {
            continue;
        }
        if listed.kind == FoundKind::Special {
            if !is_one_skill || directory.is_empty() {
                let shown = shown_path(&start.join(&listed.path));
                errors.push(DiscoverError::new(shown, DiscoverErrorKind::NotAFile));
            }
            continue;
        }
        let skill = skills.entry(directory.to_owned()).or_insert_with(|| {
            let directory = match &listed.directory {
                Some(directory) => directory.clone(),
                None if directory.is_empty() => start.to_owned(),
                None => start.join(directory),
            };
            found(directory, name)
        });
        // The right spelling wins over any other in the same directory.
        if name == SKILL_FILE_NAME {
            name.clone_into(&mut skill.skill_file);
        }
    }
    forget_documents(&mut skills);
    let mut skills: Vec<SkillDirectory> = skills.into_iter().map(SkillDirectory::new).collect();
    add_files(&mut skills, listing);
    let is_meant = |directory: &SkillDirectory| !is_one_skill || directory.prefix.is_empty();
    let mut skills: Vec<FoundSkill> =
        skills.into_iter().filter(is_meant).map(|directory| directory.skill).collect();
    skills.iter_mut().for_each(add_unlisted_manifest);
    skills
}

/// The directory of a skill.
struct SkillDirectory {
    /// What the paths of all files in it begin with: its path from the start and a `/`, or
    /// nothing for the start itself.
    prefix: String,
    skill: FoundSkill,
    /// Whether another skill is in it.
    has_nested: bool,
}

impl SkillDirectory {
    fn new((path, skill): (String, FoundSkill)) -> Self {
        let prefix = if path.is_empty() { path } else { path + "/" };
        Self { prefix, skill, has_nested: false }
    }

    fn add(&mut self, listed: &Listed) {
        let path = &listed.path[self.prefix.len()..];
        let skill = &mut self.skill;
        if skill.files.len() >= FILES_MAX && path != MANIFEST_FILE_NAME {
            skill.files_left_out += 1;
            return;
        }
        skill.files.push(FoundFile { path: path.to_owned(), kind: listed.kind });
    }
}

/// Adds each file to the nearest skill, and the skill's file of a nested one to the outer one as
/// well, which shows that there is one.
///
/// Among sorted paths, all that begin with a prefix follow each other, after the prefix itself.
/// So one pass over files and directories, both sorted, sees every directory open and close once.
fn add_files(directories: &mut [SkillDirectory], listing: Vec<Listed>) {
    directories.sort_unstable_by(|a, b| a.prefix.cmp(&b.prefix));
    let mut open: Vec<usize> = Vec::new();
    let mut next = 0;
    for listed in &listing {
        while open.pop_if(|index| !listed.path.starts_with(&directories[*index].prefix)).is_some() {
        }
        while directories
            .get(next)
            .is_some_and(|directory| listed.path.starts_with(&directory.prefix))
        {
            open.push(next);
            next += 1;
        }
        let [outer @ .., nearest] = &open[..] else { continue };
        directories[*nearest].add(listed);
        if let Some(outer) = outer.last()
            && is_skill_file_name(&listed.path[directories[*nearest].prefix.len()..])
        {
            directories[*outer].has_nested = true;
            directories[*outer].add(listed);
        }
    }
    if directories.iter().any(|directory| directory.has_nested) {
        let file = |listed: Listed| TreeFile {
            path: listed.path,
            is_regular: listed.kind == FoundKind::Regular,
        };
        let tree = Arc::new(FileTree::new(listing.into_iter().map(file).collect()));
        for directory in directories.iter_mut().filter(|directory| directory.has_nested) {
            directory.skill.nested = NestedFiles::new(Arc::clone(&tree), directory.prefix.clone());
        }
    }
}

/// How a skill is published depends neither on what git ignores, nor on where the directory is.
fn add_unlisted_manifest(skill: &mut FoundSkill) {
    let path = skill.directory.join(MANIFEST_FILE_NAME);
    if skill.files.iter().any(|file| file.path == MANIFEST_FILE_NAME)
        || fs::symlink_metadata(path).is_err()
    {
        return;
    }
    // Some systems find `Sprout.yaml` by that name, too, so that its listing decides.
    let Ok(entries) = fs::read_dir(&skill.directory) else { return };
    let manifest = entries.flatten().find(|entry| entry.file_name() == MANIFEST_FILE_NAME);
    let Some(Ok(file_type)) = manifest.map(|entry| entry.file_type()) else { return };
    let place = skill.files.partition_point(|file| file.path.as_str() < MANIFEST_FILE_NAME);
    let file = FoundFile { path: MANIFEST_FILE_NAME.to_owned(), kind: found_kind(file_type) };
    skill.files.insert(place, file);
}

/// Inside a skill, a file such as `references/skill.md` is a document and no skill of its own.
fn forget_documents(skills: &mut BTreeMap<String, FoundSkill>) {
    let is_inside = |directory: &str| {
        let parents = directory.match_indices('/').map(|(at, _)| &directory[..at]);
        !directory.is_empty()
            && parents.chain([""]).any(|parent| parent != directory && skills.contains_key(parent))
    };
    let documents: Vec<String> = skills
        .iter()
        .filter(|(directory, skill)| skill.skill_file != SKILL_FILE_NAME && is_inside(directory))
        .map(|(directory, _)| directory.clone())
        .collect();
    for directory in documents {
        skills.remove(&directory);
    }
}

fn found(directory: PathBuf, skill_file: &str) -> FoundSkill {
    FoundSkill {
        shown: shown_path(&directory),
        directory,
        skill_file: skill_file.to_owned(),
        files: Vec::new(),
        files_left_out: 0,
        nested: NestedFiles::default(),
        text: None,
    }
}
