//! The directory that a pull writes a skill into.

use std::path::{Path, PathBuf};

use super::pull_error::PullError;
use crate::publish::directory_name::{directory_name, name_of_id};
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::{LockKey, real_path};
use crate::publish::published::Published;
use dibber_skill::contract::StoredSkill;
use dibber_skill::discover::{self, FoundSkill};

/// The most skills of one pull that have the same name.
const SAME_NAMES_MAX: usize = 1_000;

/// Where a skill is written to.
#[derive(Clone, Copy, Debug)]
pub struct PullTarget<'a> {
    /// The argument that names the skill; it may be its directory.
    pub argument: &'a str,
    /// The directory to create a directory for the skill in, unless one is linked to it.
    pub into: Option<&'a Path>,
    /// Whether a new directory is named after the id of the skill, because its label is not to be in
    /// a path.
    pub hides_label: bool,
    /// What is recorded of the skill, if it is recorded for another directory.
    pub moved_record: Option<&'a Published>,
    /// The directories of other skills of the same pull.
    pub taken: &'a [PathBuf],
    /// Whether changes of the directory are kept, where they do not collide with those of the
    /// server.
    pub keeps_changes: bool,
}

/// Returns the directory to write into: a skill that a directory is linked to is written there.
pub(super) fn pull_directory(
    stored: &StoredSkill,
    target: PullTarget<'_>,
    locks: &mut LockFiles,
) -> Result<PathBuf, PullError> {
    let PullTarget { argument, into, taken, hides_label, .. } = target;
    let name = if hides_label { name_of_id(stored) } else { directory_name(stored) };
    if let Some(into) = into {
        let new = into.join(name);
        let mut linked = locks.directories_of(&new, &stored.skill_id)?;
        linked.retain(|directory| skill_in(directory).is_some());
        let into = real_path(into);
        let is_in = |directory: &&PathBuf| directory.starts_with(&into);
        return match linked.iter().find(is_in).or(linked.first()) {
            Some(linked) => Ok(discover::from_current_directory(linked.clone())),
            None => unless_taken(new, stored, locks, taken),
        };
    }
    if let Some(found) = skill_in(Path::new(argument)) {
        return Ok(found.directory);
    }
    let here = discover::from_current_directory(PathBuf::from(name));
    let known = locks.directories_of(&here, &stored.skill_id)?;
    if let Some(directory) = known.into_iter().find(|directory| skill_in(directory).is_some()) {
        return Ok(discover::from_current_directory(directory));
    }
    // What was removed here is restored where it was.
    let missing = locks.missing_directory_of(&here, &stored.skill_id)?;
    let missing = missing.map(discover::from_current_directory);
    unless_taken(missing.unwrap_or(here), stored, locks, taken)
}

/// Returns the directory, unless it is that of another skill. If another skill of the same pull has
/// it, a number is added to its name.
fn unless_taken(
    directory: PathBuf,
    stored: &StoredSkill,
    locks: &mut LockFiles,
    taken: &[PathBuf],
) -> Result<PathBuf, PullError> {
    let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let numbered =
        (2..=SAME_NAMES_MAX).map(|number| directory.with_file_name(format!("{name}-{number}")));
    let mut candidates = std::iter::once(directory.clone()).chain(numbered);
    let Some(free) = candidates.find(|candidate| !taken.contains(candidate)) else {
        return Err(PullError::OtherSkill(directory));
    };
    let key = LockKey::new(&free);
    let is_other = locks.get(&key)?.is_some_and(|known| known.skill_id != stored.skill_id);
    if is_other { Err(PullError::OtherSkill(free)) } else { Ok(free) }
}

/// Returns the skill in that very directory.
pub(super) fn skill_in(directory: &Path) -> Option<FoundSkill> {
    if !directory.is_dir() {
        return None;
    }
    let (found, _) = discover::find(&[directory.to_owned()]);
    found.into_iter().find(|found| found.directory == directory)
}
