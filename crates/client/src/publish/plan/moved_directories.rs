//! The directories of a project that skills were moved to since they were published.

use std::path::Path;

use super::moves;
use super::skill_step::{ForeignChanges, MovedSkill, Permission, SkillDraft};
use crate::publish::authored_files::spec_hash;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::contract::SkillWrite;
use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::draft::Draft;
use dibber_skill::spec_hash::SpecHash;

/// A directory without a record, and the skill that it is taken for, whose directory is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedDirectory {
    /// The directory.
    pub key: LockKey,
    /// The skill.
    pub moved: MovedSkill,
}

/// Finds the directories that skills were moved to, in the project that `directory` is in, as a push
/// finds them. The files of the project are read only if a recorded directory is gone.
pub fn find_moved_directories(
    directory: &Path,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<Vec<MovedDirectory>, PublishError> {
    let project = LockKey::new(directory);
    if locks.missing_records(&project)?.is_empty() {
        return Ok(Vec::new());
    }
    let (found, _) = discover::find(&[project.directory().to_owned()]);
    let mut unrecorded = Vec::new();
    for found in found {
        let key = LockKey::new(&found.directory);
        if locks.get(&key)?.is_none() {
            unrecorded.extend(content_of(&found).map(|(arguments, hash)| (key, arguments, hash)));
        }
    }
    let drafts = unrecorded.iter();
    let drafts = drafts.map(|(key, arguments, hash)| SkillDraft {
        arguments,
        hash: *hash,
        include: Vec::new(),
        key: key.clone(),
        permission: Permission::Allowed,
        foreign_changes: ForeignChanges::Block,
        merged_content: None,
        moved: None,
        interrupted_at: None,
    });
    let drafts: Vec<_> = drafts.collect();
    let moved = moves::find(&drafts, &vec![false; drafts.len()], &publisher.unfinished()?, locks)?;
    let moved = drafts.into_iter().zip(moved);
    Ok(moved
        .filter_map(|(it, moved)| Some(MovedDirectory { key: it.key, moved: moved? }))
        .collect())
}

/// Returns what a directory would be published with. A skill with faults is not compared.
fn content_of(found: &FoundSkill) -> Option<(SkillWrite, SpecHash)> {
    let read = discover::isolated(&found.shown_skill_file(), || {
        let skill = discover::load_published(found)?;
        let draft = Draft::new(&skill);
        let arguments = draft.certain().ok();
        Ok(arguments.and_then(|arguments| Some((arguments.clone(), spec_hash(arguments)?))))
    });
    read.ok().flatten()
}
