//! What a pull would write, and where. Nothing is written here.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::heartbeat_pull_step::PulledHeartbeats;
use super::pull_directory::{PullTarget, pull_directory, skill_in};
use super::pull_error::PullError;
use crate::publish::authored_files::{AuthoredFiles, spec_hash};
use crate::publish::conflict::{Conflict, MergeBase};
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::{LockKey, REPOSITORY, real_path};
use crate::publish::merge::Merge;
use crate::publish::published::{PublishedHeartbeat, to_recorded_fields};
use crate::stored_form::in_form_of;
use dibber_skill::config::CONFIG_FILE_NAME;
use dibber_skill::content_hash::{ContentHash, field_hashes};
use dibber_skill::contract::{HeartbeatId, SkillId, SkillWrite, StoredSkill};
use dibber_skill::discover;
use dibber_skill::draft::{Draft, find_included};
use dibber_skill::manifest::{MANIFEST_BYTES_MAX, MANIFEST_FILE_NAME};
use dibber_skill::scan::hidden_characters::{self, Escapes};
use dibber_skill::skill::{SKILL_BYTES_MAX, SKILL_FILE_NAME, Skill, is_input_name};
use dibber_skill::spec_hash::SpecHash;
use dibber_text::{escape_controls, file};

/// The name of a skill file that was created in lowercase.
const SKILL_FILE_NAME_LOWERCASE: &str = "skill.md";

/// The files of which one stored skill is the draft.
#[derive(Clone, Debug)]
pub struct PullPlan {
    /// The skill.
    pub skill_id: SkillId,
    /// The directory to write into.
    pub directory: PathBuf,
    /// What to write there.
    pub files: Vec<PulledFile>,
    /// The paths of those among them that `sprout.yaml` includes.
    pub include: Vec<String>,
    /// The paths of files that the prompt seems to include, but which are not known to be files: they
    /// are in a `SKILL.md` that is new.
    pub unseparated: Vec<String>,
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
    /// What is done with the other heartbeats.
    pub heartbeats: PulledHeartbeats,
}

impl PullPlan {
    /// Returns `true` if a file has changes that were not published, and would be overwritten.
    pub fn loses_changes(&self) -> bool {
        let mut files = self.files.iter();
        (matches!(self.local_changes, LocalChanges::Lost(_)) || self.heartbeats.loses_changes)
            && files.any(|file| matches!(file.state, PulledFileState::Changed(_)))
    }

    /// Returns the names of the fields of the server whose text has characters that a terminal
    /// would act on, or that are hidden.
    pub fn fields_with_controls(&self) -> Vec<&'static str> {
        let content = &self.content;
        let has_controls = |text: &str| {
            matches!(escape_controls(text), Cow::Owned(_))
                || !hidden_characters::find(text, Escapes::All).is_empty()
        };
        let inputs = content.input_variables.iter();
        let inputs = inputs.flat_map(|input| input.kind.iter().chain(&input.description));
        let fields = [
            ("name", has_controls(&content.name)),
            ("description", has_controls(&content.description)),
            ("prompt", has_controls(&content.prompt)),
            ("handsReferenced", content.hands_referenced.iter().any(|hand| has_controls(hand))),
            ("inputVariables", inputs.into_iter().any(|text| has_controls(text))),
            ("ageRange", content.age_range.as_deref().is_some_and(has_controls)),
        ];
        fields.into_iter().filter_map(|(name, has)| has.then_some(name)).collect()
    }
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

/// Plans the files of a stored skill: into the directory that was named or is recorded as this
/// skill, even if that is gone, or else into one with a name of its own.
pub fn plan_pull(
    stored: &StoredSkill,
    target: PullTarget<'_>,
    locks: &mut LockFiles,
) -> Result<PullPlan, PullError> {
    let directory = pull_directory(stored, target, locks)?;
    check_link(&directory)?;
    check_input_names(stored, &directory)?;
    let Some(found) = skill_in(&directory) else {
        let name = directory.file_name().map(|name| name.to_string_lossy().into_owned());
        let moved = target.moved_record.map(|record| record.include.clone());
        let include = match moved.filter(|include| !include.is_empty()) {
            Some(include) => include,
            None => locks.included_of(&LockKey::new(&directory), &stored.skill_id)?,
        };
        let files = AuthoredFiles::of_stored(stored, &name.unwrap_or_default(), &include);
        let is_separate = !files.included.is_empty();
        let unseparated = if is_separate { Vec::new() } else { find_included(&stored.prompt) };
        let unseparated = unseparated.into_iter().map(str::to_owned).collect();
        let local_changes = LocalChanges::Lost(Vec::new());
        let changes = (local_changes, None, stored);
        let unlisted_heartbeats = recorded_ids(&directory, &stored.skill_id, locks)?;
        let plan = compare(stored, directory, SKILL_FILE_NAME, files, changes)?;
        return Ok(PullPlan { unseparated, unlisted_heartbeats, ..plan });
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
    let base = known.map(|known| MergeBase::from_record(&known, &directory, locks.bases()));
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
        recorded_ids(&directory, &stored.skill_id, locks)?
    } else {
        Vec::new()
    };
    let plan = compare(stored, directory, name, files, (local_changes, conflict, &wanted))?;
    check_unchanged(&plan, &skill)?;
    Ok(PullPlan { unlisted_heartbeats, ..plan })
}

/// Returns an error if a file that is to be replaced is no longer as it was when it was decided what
/// becomes of its changes.
fn check_unchanged(plan: &PullPlan, skill: &Skill) -> Result<(), PullError> {
    let manifest = skill.resource(MANIFEST_FILE_NAME).map(|file| file.source.text());
    let decided = [(plan.files.first(), Some(skill.source.text()))].into_iter();
    let manifest_file = plan.files.iter().find(|file| file.name == MANIFEST_FILE_NAME);
    for (file, decided) in decided.chain([(manifest_file, manifest)]) {
        let Some(file) = file else { continue };
        let is_same = match &file.state {
            PulledFileState::Same => true,
            PulledFileState::New => decided.is_none(),
            PulledFileState::Changed(text) => decided == Some(text),
        };
        if !is_same {
            return Err(PullError::ChangedSince(plan.directory.join(&file.name)));
        }
    }
    Ok(())
}

fn recorded_ids(
    directory: &Path,
    skill_id: &SkillId,
    locks: &mut LockFiles,
) -> Result<Vec<HeartbeatId>, PullError> {
    let recorded = recorded_heartbeats(directory, skill_id, locks)?.into_iter();
    Ok(recorded.map(|(_, heartbeat)| heartbeat.heartbeat_id).collect())
}

/// Returns the heartbeats that are recorded for a skill in a directory, or in one that is gone,
/// whose record moves to this one, by their names in `sprout.yaml`.
pub(super) fn recorded_heartbeats(
    directory: &Path,
    skill_id: &SkillId,
    locks: &mut LockFiles,
) -> Result<Vec<(String, PublishedHeartbeat)>, PullError> {
    let key = LockKey::new(directory);
    let mut keys = locks.others_of(&key, skill_id)?;
    keys.retain(|other| !other.has_skill());
    keys.push(key);
    let mut found = Vec::new();
    for key in keys {
        let known = locks.get(&key)?.filter(|known| known.skill_id == *skill_id);
        found.extend(known.into_iter().flat_map(|known| known.heartbeats));
    }
    Ok(found)
}

/// Returns an error if a directory, or one above it, is a link that leads out of the project that the
/// link is in. A link above the project is no part of it, such as that of a home directory.
fn check_link(directory: &Path) -> Result<(), PullError> {
    for link in directory.ancestors().filter(|path| path.is_symlink()) {
        let beside = link.parent().unwrap_or(Path::new(""));
        let project = discover::project_root(&real_path(beside));
        let key = LockKey::below(beside);
        let root = if [REPOSITORY, CONFIG_FILE_NAME].iter().any(|name| project.join(name).exists())
        {
            &project
        } else if key.lock_file().exists() {
            key.directory()
        } else if link == directory {
            &project
        } else {
            continue;
        };
        file::check_inside(link, root)
            .map_err(|cause| PullError::Read { path: link.to_owned(), cause })?;
    }
    Ok(())
}

/// Returns an error if `sprout.yaml` cannot have an input of a stored skill.
fn check_input_names(stored: &StoredSkill, directory: &Path) -> Result<(), PullError> {
    let mut inputs = stored.input_variables.iter();
    match inputs.find(|input| !is_input_name(&input.name)) {
        Some(input) => {
            let (path, name) = (directory.to_owned(), input.name.clone());
            Err(PullError::InputName { path, name })
        }
        None => Ok(()),
    }
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
    let include = included.iter().map(|(path, _)| path.clone()).collect();
    for (path, text) in included {
        pulled.push(pulled_file(&directory, path, text)?);
    }
    Ok(PullPlan {
        skill_id: stored.skill_id.clone(),
        directory,
        files: pulled,
        include,
        unseparated: Vec::new(),
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
        heartbeats: PulledHeartbeats::default(),
    })
}

/// Adds a file, or replaces the one of its name.
pub(super) fn set_file(files: &mut Vec<PulledFile>, file: PulledFile) {
    match files.iter_mut().find(|other| other.name == file.name) {
        Some(other) => *other = file,
        None => files.insert(1, file),
    }
}

pub(super) fn pulled_file(
    directory: &Path,
    name: String,
    text: String,
) -> Result<PulledFile, PullError> {
    let path = directory.join(&name);
    let is_manifest = name == MANIFEST_FILE_NAME;
    let bytes_max = if is_manifest { MANIFEST_BYTES_MAX } else { SKILL_BYTES_MAX };
    if text.len() > bytes_max {
        return Err(PullError::TooLarge { path, bytes_max });
    }
    let root = discover::project_root(directory);
    let state = match file::read_inside(&path, &root, SKILL_BYTES_MAX as u64) {
        Ok(bytes) if bytes == text.as_bytes() => PulledFileState::Same,
        Ok(bytes) => PulledFileState::Changed(String::from_utf8_lossy(&bytes).into_owned()),
        Err(cause) if cause.is_not_found() => PulledFileState::New,
        Err(cause) => return Err(PullError::Read { path, cause }),
    };
    Ok(PulledFile { name, text, state })
}
