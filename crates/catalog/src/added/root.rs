//! The directory below which skills are installed, and its lock file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the lock file.
pub const ADDED_LOCK_FILE: &str = "dibber.lock";

/// What the root of a project has: the nearest directory with one of these is it.
const ROOT_NAMES: [&str; 3] = [ADDED_LOCK_FILE, "dibber.toml", ".git"];

/// The directory of the lock file of a user, from the home directory.
const USER_LOCK: &str = ".agents/dibber.lock";

/// Where skills are installed: the paths of the lock file begin at the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallRoot {
    pub(crate) root: PathBuf,
    pub(crate) lock_file: PathBuf,
    /// Directories of skills may be links out of the root: those of a user are his own.
    pub(crate) may_lead_out: bool,
}

impl InstallRoot {
    /// Returns the root of the project that a directory belongs to: the nearest directory with a
    /// `dibber.lock`, a `dibber.toml` or `.git`, or else the directory itself.
    pub fn project(directory: &Path) -> io::Result<Self> {
        let real = fs::canonicalize(directory)?;
        let is_root =
            |candidate: &&Path| ROOT_NAMES.iter().any(|name| candidate.join(name).exists());
        let root = real.ancestors().find(is_root).unwrap_or(&real).to_owned();
        Ok(Self { lock_file: root.join(ADDED_LOCK_FILE), root, may_lead_out: false })
    }

    /// Returns the root of a user's own skills: the home directory.
    pub fn user(home: &Path) -> io::Result<Self> {
        let root = fs::canonicalize(home)?;
        Ok(Self { lock_file: root.join(USER_LOCK), root, may_lead_out: true })
    }

    /// Returns the directory.
    pub fn directory(&self) -> &Path {
        &self.root
    }

    /// Returns the lock file, which need not exist.
    pub fn lock_file(&self) -> &Path {
        &self.lock_file
    }

    /// Returns the directory at a path of the lock file.
    pub fn place(&self, place: &str) -> PathBuf {
        place.split('/').fold(self.root.clone(), |path, name| path.join(name))
    }

    /// Returns where a place really is: links above it are followed. Two places are the same one if this is
    /// the same, as when the directory of one client is a link to that of another.
    pub fn real_place(&self, place: &str) -> PathBuf {
        let place = self.place(place);
        let existing = place.ancestors().skip(1).find_map(|above| {
            Some((fs::canonicalize(above).ok()?, place.strip_prefix(above).ok()?))
        });
        existing.map_or_else(|| place.clone(), |(above, below)| above.join(below))
    }

    /// Returns `true` if nothing above a place leads out of the root.
    pub fn contains(&self, place: &str) -> bool {
        let place = self.place(place);
        let existing = place.ancestors().skip(1).find_map(|above| fs::canonicalize(above).ok());
        self.may_lead_out || existing.is_some_and(|above| above.starts_with(&self.root))
    }
}
