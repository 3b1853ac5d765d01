//! Where a skill is recorded.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::lock::LOCK_FILE_NAME;
use super::lock_paths::HERE;
use dibber_skill::config::CONFIG_FILE_NAME;
use dibber_skill::discover::shown_path;
use dibber_skill::skill::SKILL_FILE_NAMES;

/// The string between the path and the directory of the file in a subject of the journal.
const SUBJECT_SEPARATOR: &str = " in ";

/// The name of a directory that need not exist.
const ANY_SKILL: &str = "skill";

/// What the root of a repository has.
pub(super) const REPOSITORY: &str = ".git";

/// Where a skill is recorded: a lock file, and the path of the skill in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockKey {
    pub(super) file: PathBuf,
    /// The path from the directory of the file.
    pub(super) path: String,
}

impl LockKey {
    /// Returns where the skill in a directory is recorded: in the nearest `dibber.lock` of the
    /// repository from there upward, or else in the nearest directory that has a `dibber.lock`, a
    /// `dibber.toml` or `.git`, or else in the parent directory. The directory itself need not
    /// exist yet.
    pub fn new(directory: &Path) -> Self {
        Self::in_project(&real_path(directory))
    }

    /// Returns where a skill is recorded that is directly below a directory. It need not exist.
    pub fn below(directory: &Path) -> Self {
        Self::new(&directory.join(ANY_SKILL))
    }

    /// Returns where a skill is recorded that is directly below the current directory.
    pub fn below_current_directory() -> Self {
        Self::below(Path::new(""))
    }

    /// Returns where the skill in a directory is recorded, which is a real path.
    pub(super) fn in_project(directory: &Path) -> Self {
        let root = root_of(directory);
        let path = shown_path(directory.strip_prefix(root).unwrap_or(directory));
        let path = if path.is_empty() { HERE.to_owned() } else { path };
        Self { file: root.join(LOCK_FILE_NAME), path }
    }

    /// Returns the lock file.
    pub fn lock_file(&self) -> &Path {
        &self.file
    }

    /// Returns `true` if its directory has a skill.
    pub fn has_skill(&self) -> bool {
        let directory = self.skill_directory();
        SKILL_FILE_NAMES.iter().any(|name| directory.join(name).is_file())
    }

    /// Returns `true` if its directory is in that of the lock file, also behind links.
    pub(super) fn is_in_project(&self) -> bool {
        let mut components = Path::new(&self.path).components();
        components.all(|component| matches!(component, Component::Normal(_)))
            && real_path(&self.skill_directory()).starts_with(self.directory())
    }

    /// Returns the skill as a subject of the journal.
    pub fn subject(&self) -> String {
        format!("{}{SUBJECT_SEPARATOR}{}", self.path, shown_path(self.directory()))
    }

    /// Returns where the skill of a subject of the journal is recorded, if it is the same file as
    /// this one.
    pub(super) fn with_subject(&self, subject: &str) -> Option<Self> {
        let directory = shown_path(self.directory());
        let path = subject.strip_suffix(&directory)?.strip_suffix(SUBJECT_SEPARATOR)?;
        Some(Self { file: self.file.clone(), path: path.to_owned() })
    }

    /// Returns the directory of the skill.
    pub fn skill_directory(&self) -> PathBuf {
        if self.path == HERE {
            self.directory().to_owned()
        } else {
            self.directory().join(&self.path)
        }
    }

    /// Returns `true` if two skills are recorded in the same file.
    pub(crate) fn has_same_file(&self, other: &Self) -> bool {
        self.file == other.file
    }

    /// Returns the name of the directory of the skill.
    pub(super) fn directory_name(&self) -> Option<String> {
        let directory = self.skill_directory();
        directory.file_name().map(|name| name.to_string_lossy().into_owned())
    }

    /// The directory of the lock file.
    pub(super) fn directory(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }
}

/// Returns the real path of a directory, as far as it exists.
pub(super) fn real_path(directory: &Path) -> PathBuf {
    let whole = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    if let Ok(real) = fs::canonicalize(&whole) {
        return real;
    }
    match (whole.parent(), whole.file_name()) {
        (Some(parent), Some(name)) => real_path(parent).join(name),
        _ => whole,
    }
}

/// Returns the directory of the lock file of a skill.
fn root_of(directory: &Path) -> &Path {
    let has = |candidate: &Path, name: &str| candidate.join(name).exists();
    let names = [LOCK_FILE_NAME, CONFIG_FILE_NAME, REPOSITORY];
    let is_root = |candidate: &&Path| names.iter().any(|name| has(candidate, name));
    let Some(nearest) = directory.ancestors().find(is_root) else {
        return directory.parent().unwrap_or(directory);
    };
    // A `dibber.toml` that is added below the lock file of a repository does not hide its records.
    let repository = nearest.ancestors().find(|candidate| has(candidate, REPOSITORY));
    let locked = nearest.ancestors().find(|candidate| has(candidate, LOCK_FILE_NAME));
    let in_repository = locked.zip(repository).filter(|(locked, root)| locked.starts_with(root));
    in_repository.map_or(nearest, |(locked, _)| locked)
}
