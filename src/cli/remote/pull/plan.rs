//! What a pull would write, and where.

use std::path::{Path, PathBuf};

use crate::cli::drafted::Drafted;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_client::publish::{AuthoredFiles, LockFiles, directory_name};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::StoredSkill;
use dibber_skill::discover::{self, FoundSkill, shown_path};
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::skill::{SKILL_BYTES_MAX, SKILL_FILE_NAME};
use dibber_text::escape_line;
use dibber_text::file;

/// The files of one skill.
pub(super) struct Plan {
    pub(super) skill_id: String,
    pub(super) folder: PathBuf,
    pub(super) files: Vec<File>,
    pub(super) spec_hash: Option<String>,
    /// What the server has.
    pub(super) content_hash: ContentHash,
    /// Whether a push would change nothing.
    pub(super) is_exact: bool,
    /// Whether the folder has nothing that was not published: nothing of anybody is lost.
    pub(super) is_untouched: bool,
}

/// A file that is to be there.
pub(super) struct File {
    pub(super) name: &'static str,
    pub(super) text: String,
    pub(super) state: State,
}

/// How a file differs from the one in its place.
pub(super) enum State {
    /// Not at all.
    Same,
    /// There is none.
    New,
    /// By its text, which was this.
    Changed(String),
}

/// Plans the files of a stored skill: into the folder that was meant or is known as this skill,
/// or else into one with a name of its own.
pub(super) fn plan(
    stored: &StoredSkill,
    meant: &str,
    into: Option<&Path>,
    locks: &mut LockFiles,
    taken: &[PathBuf],
) -> Result<Plan, CommandError> {
    let folder = place(stored, meant, into, locks, taken)?;
    let Some(found) = skill_in(&folder) else {
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let files = AuthoredFiles::of_stored(stored, &name.unwrap_or_default());
        return made(stored, folder, SKILL_FILE_NAME, files, false);
    };
    let drafted = Drafted::load(&found).map_err(|error| CommandError::from(&error))?;
    let key = locks.key(&folder);
    let known = locks.get(&key)?.filter(|known| known.skill_id == stored.skill_id);
    let is_untouched = match (&known, &drafted.hash) {
        (Some(known), Ok(hash)) => known.spec_hash == hash.to_string(),
        _ => false,
    };
    let files = AuthoredFiles::updated(&drafted.skill, stored);
    let name = if found.skill_file == SKILL_FILE_NAME { SKILL_FILE_NAME } else { "skill.md" };
    made(stored, folder, name, files, is_untouched)
}

fn made(
    stored: &StoredSkill,
    folder: PathBuf,
    skill_file: &'static str,
    files: AuthoredFiles,
    is_untouched: bool,
) -> Result<Plan, CommandError> {
    let AuthoredFiles { skill, manifest, spec_hash, is_exact } = files;
    let texts = [(skill_file, Some(skill)), (MANIFEST_FILE_NAME, manifest)];
    let texts = texts.into_iter().filter_map(|(name, text)| text.map(|text| (name, text)));
    let files: Result<Vec<_>, _> = texts.map(|(name, text)| file(&folder, name, text)).collect();
    Ok(Plan {
        skill_id: stored.skill_id.clone(),
        folder,
        files: files?,
        spec_hash: spec_hash.map(|hash| hash.to_string()),
        content_hash: ContentHash::of_stored(stored),
        is_exact,
        is_untouched,
    })
}

fn file(folder: &Path, name: &'static str, text: String) -> Result<File, CommandError> {
    let path = folder.join(name);
    let state = match file::read_regular(&path, SKILL_BYTES_MAX as u64) {
        Ok(bytes) if bytes == text.as_bytes() => State::Same,
        Ok(bytes) => State::Changed(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.is_not_found() => State::New,
        Err(error) => return Err(CommandError::read(&escape_line(&shown_path(&path)), error)),
    };
    Ok(File { name, text, state })
}

/// The folder to write into.
fn place(
    stored: &StoredSkill,
    meant: &str,
    into: Option<&Path>,
    locks: &mut LockFiles,
    taken: &[PathBuf],
) -> Result<PathBuf, CommandError> {
    if let Some(into) = into {
        return free(&into.join(directory_name(stored)), stored, locks, taken);
    }
    if let Some(found) = skill_in(Path::new(meant)) {
        return Ok(found.directory);
    }
    let here = discover::from_current_directory(PathBuf::from(directory_name(stored)));
    let known = locks.directories_of(&here, &stored.skill_id)?;
    match known.into_iter().find(|folder| skill_in(folder).is_some()) {
        Some(folder) => Ok(folder),
        None => free(&here, stored, locks, taken),
    }
}

/// The folder, unless another skill has its place.
fn free(
    folder: &Path,
    stored: &StoredSkill,
    locks: &mut LockFiles,
    taken: &[PathBuf],
) -> Result<PathBuf, CommandError> {
    let key = locks.key(folder);
    let is_others = locks.get(&key)?.is_some_and(|known| known.skill_id != stored.skill_id);
    if !is_others && !taken.iter().any(|other| other == folder) {
        return Ok(folder.to_owned());
    }
    let shown = shown_path(folder);
    let message = format!("{} is the folder of another skill", escape_line(&shown));
    Err(CommandError::new(message)
        .help("name another folder to write into with `--into`")
        .exit(Exit::Usage))
}

/// The skill in that very folder.
fn skill_in(folder: &Path) -> Option<FoundSkill> {
    if !folder.is_dir() {
        return None;
    }
    let (found, _) = discover::find(&[folder.to_owned()]);
    found.into_iter().find(|found| found.directory == folder)
}
