//! What a pull would write, and where. Nothing is written here.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::publish::authored_files::{AuthoredFiles, spec_hash};
use crate::publish::conflict::{Conflict, MergeBase};
use crate::publish::directory_name::directory_name;
use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::{LockKey, real_path};
use crate::publish::merge::Merge;
use crate::publish::published::{Published, to_recorded_fields};
use crate::stored_form::in_form_of;
use dibber_skill::content_hash::{ContentHash, field_hashes};
use dibber_skill::contract::{HeartbeatId, SkillId, SkillWrite, StoredSkill};
use dibber_skill::discover::{self, DiscoverError, FoundSkill, shown_path};
use dibber_skill::draft::Draft;
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::skill::{SKILL_BYTES_MAX, SKILL_FILE_NAME, Skill};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::escape_line;
use dibber_text::file::{self, ReadError};

/// The name of a skill file that was created in lowercase.
const SKILL_FILE_NAME_LOWERCASE: &str = "skill.md";

/// The most skills of one pull that have the same name.
const SAME_NAMES_MAX: usize = 1_000;

/// The files of which one stored skill is the draft.
#[derive(Clone, Debug)]
pub struct PullPlan {
    /// The skill.
    pub skill_id: SkillId,
    /// The directory to write into.
    pub directory: PathBuf,
    /// What to write there.
    pub files: Vec<PulledFile>,
    /// The hash of the draft of the files; none if they have faults.
    pub spec_hash: Option<SpecHash>,
    /// The content that the directory then has.
    pub result: SkillWrite,
    /// The content that the server has.
    pub content: SkillWrite,
    /// Its hash.
    pub content_hash: ContentHash,
    /// Whether a push would change nothing.
    pub is_exact: bool,
    /// The hashes of the fields of that content.
    pub fields: BTreeMap<String, String>,
    /// What becomes of changes in the directory.
    pub local_changes: LocalChanges,
    /// How the directory and the server differ, if both have, or may have, changes.
    pub conflict: Option<Box<Conflict>>,
    /// The recorded heartbeats that the `sprout.yaml` of the pull does not contain, though none was
    /// removed from it by hand: they keep running, and a push leaves them alone.
    pub unlisted_heartbeats: Vec<HeartbeatId>,
}

/// What becomes of changes in a directory that were not published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocalChanges {
    /// There are none.
    None,
    /// They are kept, together with the changes of the server.
    Merged,
    /// They are overwritten. These fields were changed on the server, too.
    Lost(Vec<&'static str>),
}

impl PullPlan {
    /// Returns `true` if a file has changes that were not published, and would be overwritten.
    pub fn loses_changes(&self) -> bool {
        let mut files = self.files.iter();
        matches!(self.local_changes, LocalChanges::Lost(_))
            && files.any(|file| matches!(file.state, PulledFileState::Changed(_)))
    }
}

/// A file of a pull.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PulledFile {
    /// Its path from the directory of the skill.
    pub name: String,
    /// Its text.
    pub text: String,
    /// How it differs from the file on disk.
    pub state: PulledFileState,
}

/// How a file differs from the one on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PulledFileState {
    /// Not at all.
    Same,
    /// There is none on disk.
    New,
    /// By its text, which was this.
    Changed(String),
}

/// Where a skill is written to.
#[derive(Clone, Copy, Debug)]
pub struct PullTarget<'a> {
    /// The argument that names the skill; it may be its directory.
    pub argument: &'a str,
    /// The directory to create a directory for the skill in.
    pub into: Option<&'a Path>,
    /// What is recorded of the skill, if it is recorded for another directory.
    pub moved_record: Option<&'a Published>,
    /// The directories of other skills of the same pull.
    pub taken: &'a [PathBuf],
    /// Whether changes of the directory are kept, where they do not collide with those of the
    /// server.
    pub keeps_changes: bool,
}

/// Why a pull cannot be planned, or carried out.
#[derive(Debug)]
pub enum PullError {
    /// The skill on disk cannot be read.
    Discover(DiscoverError),
    /// A file on disk cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: ReadError,
    },
    /// `dibber.lock` cannot be used.
    Lock(LockFileError),
    /// This is the folder of another skill.
    OtherSkill(PathBuf),
    /// The directory cannot be created.
    Create {
        /// The directory.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A file was changed after the pull was planned.
    ChangedSince(PathBuf),
    /// A file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

impl fmt::Display for PullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &Path| escape_line(&shown_path(path)).into_owned();
        match self {
            Self::Discover(error) => error.fmt(f),
            Self::Read { path, cause } => write!(f, "{}: {cause}", shown(path)),
            Self::Lock(error) => error.fmt(f),
            Self::OtherSkill(path) => write!(f, "{} is the folder of another skill", shown(path)),
            Self::Create { path, cause } => write!(f, "cannot create {}: {cause}", shown(path)),
            Self::ChangedSince(path) => {
                write!(f, "{} was changed meanwhile, so it was not overwritten", shown(path))
            }
            Self::Write { path, cause } => write!(f, "cannot write {}: {cause}", shown(path)),
        }
    }
}

impl std::error::Error for PullError {}

impl From<DiscoverError> for PullError {
    fn from(error: DiscoverError) -> Self {
        Self::Discover(error)
    }
}

impl From<LockFileError> for PullError {
    fn from(error: LockFileError) -> Self {
        Self::Lock(error)
    }
}

/// Plans the files of a stored skill: into the directory that was named or is recorded as this
/// skill, even if that is gone, or else into one with a name of its own.
pub fn plan_pull(
    stored: &StoredSkill,
    target: PullTarget<'_>,
    locks: &mut LockFiles,
) -> Result<PullPlan, PullError> {
    let directory = directory(stored, target, locks)?;
    check_link(&directory)?;
    let Some(found) = skill_in(&directory) else {
        let name = directory.file_name().map(|name| name.to_string_lossy().into_owned());
        let files = AuthoredFiles::of_stored(stored, &name.unwrap_or_default());
        let local_changes = LocalChanges::Lost(Vec::new());
        let changes = (local_changes, None, stored);
        let unlisted_heartbeats = recorded_heartbeats(&directory, &stored.skill_id, locks)?;
        let plan = compare(stored, directory, SKILL_FILE_NAME, files, changes)?;
        return Ok(PullPlan { unlisted_heartbeats, ..plan });
    };
    let (skill, hash) = discover::isolated(&found.shown_skill_file(), || {
        let skill = discover::load_published(&found)?;
        let hash = hash(&skill);
        Ok((skill, hash))
    })?;
    let key = LockKey::new(&directory);
    let known = locks.get(&key)?.or_else(|| target.moved_record.cloned());
    let known = known.filter(|known| known.skill_id == stored.skill_id);
    let is_published = match (&known, hash) {
        (Some(known), Some(hash)) => known.spec_hash == hash.to_string(),
        _ => false,
    };
    let draft = Draft::new(&skill);
    let ours = draft.certain().ok();
    let theirs = ours.map_or_else(|| stored.clone(), |ours| in_form_of(ours, stored));
    let base = known.map(|known| MergeBase::from_record(&known, locks.bases()));
    let base = base.filter(|base| !is_published || base.is_known());
    let merge = base.as_ref().filter(|_| target.keeps_changes);
    let merge = merge.map(|base| ours.map_or(Merge::NoBase, |ours| Merge::new(base, ours, stored)));
    let (wanted, local_changes) = match merge {
        None if is_published => (theirs, LocalChanges::None),
        Some(Merge::Merged { skill, has_own_changes: false }) => (*skill, LocalChanges::None),
        Some(Merge::Merged { skill, has_own_changes: true }) => (*skill, LocalChanges::Merged),
        Some(Merge::Conflict(fields)) => (theirs, LocalChanges::Lost(fields)),
        Some(Merge::NoBase) | None => (theirs, LocalChanges::Lost(Vec::new())),
    };
    let is_conflict = matches!(local_changes, LocalChanges::Lost(_) | LocalChanges::Merged);
    let conflict = base.zip(ours).filter(|_| is_conflict);
    let conflict = conflict.map(|(base, ours)| Conflict::new(&base, ours, stored));
    let conflict = conflict.filter(Conflict::has_foreign_changes).map(Box::new);
    let has_usual_name = found.skill_file == SKILL_FILE_NAME;
    let name = if has_usual_name { SKILL_FILE_NAME } else { SKILL_FILE_NAME_LOWERCASE };
    let files = AuthoredFiles::update(&skill, &wanted);
    let unlisted_heartbeats = if files.loses_heartbeats {
        recorded_heartbeats(&directory, &stored.skill_id, locks)?
    } else {
        Vec::new()
    };
    let plan = compare(stored, directory, name, files, (local_changes, conflict, &wanted))?;
    Ok(PullPlan { unlisted_heartbeats, ..plan })
}

/// Returns the heartbeats that are recorded for a skill in a directory, or in one that is gone,
/// whose record moves to this one.
fn recorded_heartbeats(
    directory: &Path,
    skill_id: &SkillId,
    locks: &mut LockFiles,
) -> Result<Vec<HeartbeatId>, PullError> {
    let key = LockKey::new(directory);
    let mut keys = locks.others_of(&key, skill_id)?;
    keys.retain(|other| !other.has_skill());
    keys.push(key);
    let mut found = Vec::new();
    for key in keys {
        let known = locks.get(&key)?.filter(|known| known.skill_id == *skill_id);
        let heartbeats = known.into_iter().flat_map(|known| known.heartbeats.into_values());
        found.extend(heartbeats.map(|heartbeat| heartbeat.heartbeat_id));
    }
    Ok(found)
}

/// Returns an error if a directory is a link that leads out of the project that it is in.
fn check_link(directory: &Path) -> Result<(), PullError> {
    if !directory.is_symlink() {
        return Ok(());
    }
    let root = discover::project_root(&real_path(directory.parent().unwrap_or(Path::new(""))));
    let checked = file::check_inside(directory, &root);
    checked.map_err(|cause| PullError::Read { path: directory.to_owned(), cause })
}

/// Returns the hash of what a skill on disk would be published with, if that is certain.
fn hash(skill: &Skill) -> Option<SpecHash> {
    spec_hash(Draft::new(skill).certain().ok()?)
}

/// Compares files with those on disk.
fn compare(
    stored: &StoredSkill,
    directory: PathBuf,
    skill_file: &'static str,
    files: AuthoredFiles,
    (local_changes, conflict, wanted): (LocalChanges, Option<Box<Conflict>>, &StoredSkill),
) -> Result<PullPlan, PullError> {
    let AuthoredFiles { skill, manifest, included, spec_hash, is_exact, .. } = files;
    let mut pulled = vec![pulled_file(&directory, skill_file.to_owned(), skill)?];
    if let Some(manifest) = manifest {
        pulled.push(pulled_file(&directory, MANIFEST_FILE_NAME.to_owned(), manifest)?);
    }
    for (path, text) in included {
        pulled.push(pulled_file(&directory, path, text)?);
    }
    Ok(PullPlan {
        skill_id: stored.skill_id.clone(),
        directory,
        files: pulled,
        // What was merged is not what the server has.
        spec_hash: spec_hash.filter(|_| local_changes != LocalChanges::Merged),
        result: wanted.into(),
        content: stored.into(),
        content_hash: ContentHash::of_stored(stored),
        fields: to_recorded_fields(field_hashes(&in_form_of(&wanted.into(), stored))),
        is_exact,
        local_changes,
        conflict,
        unlisted_heartbeats: Vec::new(),
    })
}

fn pulled_file(directory: &Path, name: String, text: String) -> Result<PulledFile, PullError> {
    let path = directory.join(&name);
    let root = discover::project_root(directory);
    let state = match file::read_inside(&path, &root, SKILL_BYTES_MAX as u64) {
        Ok(bytes) if bytes == text.as_bytes() => PulledFileState::Same,
        Ok(bytes) => PulledFileState::Changed(String::from_utf8_lossy(&bytes).into_owned()),
        Err(cause) if cause.is_not_found() => PulledFileState::New,
        Err(cause) => return Err(PullError::Read { path, cause }),
    };
    Ok(PulledFile { name, text, state })
}

/// Returns the directory to write into.
fn directory(
    stored: &StoredSkill,
    target: PullTarget<'_>,
    locks: &mut LockFiles,
) -> Result<PathBuf, PullError> {
    let PullTarget { argument, into, taken, .. } = target;
    if let Some(into) = into {
        return unless_taken(into.join(directory_name(stored)), stored, locks, taken);
    }
    if let Some(found) = skill_in(Path::new(argument)) {
        return Ok(found.directory);
    }
    let here = discover::from_current_directory(PathBuf::from(directory_name(stored)));
    let known = locks.directories_of(&here, &stored.skill_id)?;
    if let Some(directory) = known.into_iter().find(|directory| skill_in(directory).is_some()) {
        return Ok(discover::from_current_directory(directory));
    }
    // What was removed here is restored where it was.
    let gone = locks.gone_directory_of(&here, &stored.skill_id)?;
    let gone = gone.map(discover::from_current_directory);
    unless_taken(gone.unwrap_or(here), stored, locks, taken)
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
fn skill_in(directory: &Path) -> Option<FoundSkill> {
    if !directory.is_dir() {
        return None;
    }
    let (found, _) = discover::find(&[directory.to_owned()]);
    found.into_iter().find(|found| found.directory == directory)
}
