//! Writing the files of a stored skill, and recording it.

use std::fs;
use std::path::Path;

use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::plan::{LocalChanges, PullError, PullPlan, PulledFileState};
use crate::publish::published::Published;
use dibber_skill::discover::project_root;
use dibber_skill::skill::SKILL_BYTES_MAX;
use dibber_text::atomic_file::{self, ReplaceError};
use dibber_text::file;

/// Writes the files that differ from those on disk, even if that loses changes, and records that
/// the directory has the content of the stored skill. Returns `true` if a file was written.
pub fn apply_pull(plan: &PullPlan, locks: &mut LockFiles) -> Result<bool, PullError> {
    // Before the file that does not contain them, or a push would cancel them.
    for heartbeat_id in &plan.unlisted_heartbeats {
        locks.forget_heartbeat(&plan.directory, heartbeat_id)?;
    }
    let mut is_written = false;
    for file in &plan.files {
        let path = plan.directory.join(&file.name);
        if file.state == PulledFileState::Same {
            // A file that is written removes them itself.
            atomic_file::remove_leftovers(path.parent().unwrap_or(&plan.directory));
            continue;
        }
        create_parent(&path, &plan.directory)?;
        let is_as_planned = |found: Option<&[u8]>| match (&file.state, found) {
            (PulledFileState::Changed(text), Some(found)) => {
                String::from_utf8_lossy(found) == text.as_str()
            }
            (PulledFileState::New, None) => true,
            _ => false,
        };
        let bytes_max = SKILL_BYTES_MAX as u64;
        let replaced =
            atomic_file::replace_if(&path, bytes_max, is_as_planned, file.text.as_bytes());
        replaced.map_err(|error| match error {
            ReplaceError::Changed => PullError::ChangedSince(path),
            ReplaceError::Io(cause) => PullError::Write { path, cause },
        })?;
        is_written = true;
    }
    record(plan, locks)?;
    let key = LockKey::new(&plan.directory);
    for heartbeat_id in &plan.heartbeats.cancelled {
        locks.remove_heartbeat(&key, heartbeat_id)?;
    }
    for (name, heartbeat) in &plan.heartbeats.records {
        locks.record_heartbeat(&key, name, heartbeat.clone())?;
    }
    Ok(is_written)
}

/// Creates the directory of a file in that of its skill, which it must not leave over a link.
fn create_parent(path: &Path, directory: &Path) -> Result<(), PullError> {
    let parent = path.parent().unwrap_or(directory);
    let create = |path: &Path| {
        fs::create_dir_all(path).map_err(|cause| PullError::Create { path: path.to_owned(), cause })
    };
    create(directory)?;
    let existing = parent.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok());
    let checked = file::check_inside(existing.unwrap_or(parent), &project_root(directory));
    checked.map_err(|cause| PullError::Read { path: parent.to_owned(), cause })?;
    create(parent)
}

/// Records the skill, unless that is recorded.
fn record(plan: &PullPlan, locks: &mut LockFiles) -> Result<(), LockFileError> {
    let published = Published {
        skill_id: plan.skill_id.clone(),
        spec_hash: plan.spec_hash.map(|hash| hash.to_string()).unwrap_or_default(),
        content_hash: Some(plan.content_hash.to_string()),
        fields: plan.fields.clone(),
        include: plan.include.clone(),
        ..Published::default()
    };
    locks.keep_bases([&plan.content]);
    let key = LockKey::new(&plan.directory);
    let is_recorded = locks.get(&key)?.is_some_and(|known| {
        let has_same_hash = known.spec_hash == published.spec_hash;
        known.skill_id == published.skill_id
            && known.content_hash == published.content_hash
            && known.fields == published.fields
            && known.include == published.include
            && (has_same_hash || plan.local_changes == LocalChanges::Merged)
    });
    if is_recorded { Ok(()) } else { locks.record(vec![(key, published)]) }
}
