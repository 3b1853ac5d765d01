//! The skills of folders as they change, for a program that runs for long.
//!
//! Modification times are compared: it works on every file system, and needs no limits of the system to
//! be raised. Most looks compare only those of files and directories that are known; the walk that also
//! finds skills in directories that had none follows after a while.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::skill::SKILL_BYTES_MAX;
use dibber_text::folder::{Folder, read_whole};
use dibber_text::{FileStamp, parallel};

use crate::acp::ProxySkill;
use crate::description::describe;
use crate::skill_file::parse_skill_file;

/// The files for which another thread is started.
const FILES_PER_THREAD: usize = 64;

/// How many looks at what is known there are between two walks.
const LOOKS_PER_WALK: u32 = 20;

/// The skills of some folders, which are read again when they change.
#[derive(Debug)]
pub struct FollowedFolders {
    paths: Vec<PathBuf>,
    /// The skill files by directory, with their stamps when they were read.
    skills: HashMap<PathBuf, (Option<FileStamp>, Option<Arc<ProxySkill>>)>,
    /// The directories and files that are compared, with their stamps before the last walk.
    known: Vec<(PathBuf, Option<FileStamp>)>,
    looks: u32,
    has_walked: bool,
}

impl FollowedFolders {
    /// Follows the skills at and below these paths. One that does not exist may come later.
    pub fn new(paths: Vec<PathBuf>) -> Self {
        Self {
            paths,
            skills: HashMap::new(),
            known: Vec::new(),
            looks: LOOKS_PER_WALK,
            has_walked: false,
        }
    }

    /// Returns the skills, if something may have changed since they were returned last.
    pub fn look(&mut self) -> Option<Vec<ProxySkill>> {
        self.looks += 1;
        if self.looks <= LOOKS_PER_WALK && !self.is_changed() {
            return None;
        }
        self.looks = 0;
        self.walk()
    }

    fn is_changed(&self) -> bool {
        let is_changed =
            |(path, stamp): &(PathBuf, Option<FileStamp>)| FileStamp::of_link(path) != *stamp;
        parallel::map(&self.known, FILES_PER_THREAD, is_changed).contains(&true)
    }

    /// Finds the skills, and reads those that have changed.
    fn walk(&mut self) -> Option<Vec<ProxySkill>> {
        let (mut found, _) = discover::find(&self.paths);
        found.sort_by(|a, b| a.directory.cmp(&b.directory));
        // What is in the directory of a skill is part of it.
        found.dedup_by(|later, outer| later.directory.starts_with(&outer.directory));
        self.known = self.compared(&found);
        let read = parallel::map(&found, FILES_PER_THREAD, |skill| self.read(skill));
        let skills: HashMap<_, _> =
            found.into_iter().map(|skill| skill.directory).zip(read).collect();
        let is_same = skills.len() == self.skills.len()
            && skills.iter().all(|(directory, (_, skill))| {
                self.skills.get(directory).is_some_and(|(_, before)| before == skill)
            });
        let is_first = !std::mem::replace(&mut self.has_walked, true);
        self.skills = skills;
        let all = self.skills.values().filter_map(|(_, skill)| skill.as_deref().cloned());
        (!is_same || is_first).then(|| all.collect())
    }

    /// Returns a skill file with its stamp, as it was read before if it has not changed.
    fn read(&self, found: &FoundSkill) -> (Option<FileStamp>, Option<Arc<ProxySkill>>) {
        let stamp = FileStamp::of_link(&found.directory.join(&found.skill_file));
        match self.skills.get(&found.directory) {
            Some((before, skill)) if *before == stamp && stamp.is_some() => (stamp, skill.clone()),
            _ => (stamp, read_skill(found).map(Arc::new)),
        }
    }

    /// Returns what a change of a skill, a new one beside it, or its removal alters.
    fn compared(&self, found: &[FoundSkill]) -> Vec<(PathBuf, Option<FileStamp>)> {
        let mut paths: BTreeSet<PathBuf> = self.paths.iter().cloned().collect();
        for skill in found {
            paths.insert(skill.directory.join(&skill.skill_file));
            for above in skill.directory.ancestors() {
                let is_below = self.paths.iter().any(|path| above.starts_with(path));
                if !is_below || !paths.insert(above.to_owned()) {
                    break;
                }
            }
        }
        let with_stamp = |path: PathBuf| {
            let stamp = FileStamp::of_link(&path);
            (path, stamp)
        };
        paths.into_iter().map(with_stamp).collect()
    }
}

fn read_skill(found: &FoundSkill) -> Option<ProxySkill> {
    let bytes = read_file(&found.directory, &found.skill_file)?;
    let description = describe(&parse_skill_file(&found.skill_file, bytes)).description?;
    let directory = found.directory.canonicalize().ok()?;
    Some(ProxySkill { description, directory, skill_file: found.skill_file.clone() })
}

/// Returns what follows the frontmatter of a skill; none if it cannot be read, or is another skill now.
pub fn read_body(skill: &ProxySkill) -> Option<String> {
    let bytes = read_file(&skill.directory, &skill.skill_file)?;
    let parsed = parse_skill_file(&skill.skill_file, bytes);
    let now = describe(&parsed).description?;
    (now.name == skill.description.name).then(|| parsed.body_text().to_owned())
}

fn read_file(directory: &Path, name: &str) -> Option<Vec<u8>> {
    let folder = Folder::open(&directory.canonicalize().ok()?).ok()?;
    read_whole(folder.open_file(name).ok()?, SKILL_BYTES_MAX as u64).ok()
}
