//! The contents that were published from this machine, or pulled to it: what a merge starts from.
//!
//! `dibber.lock` has only hashes. The contents are in files of the state directory, which are named
//! after them and which only their owner can read. They are a convenience: another machine finds the
//! content among the earlier versions of the skill's files, and without one, changes are still
//! noticed and merged by fields. So a failure to write one is only a warning, and the oldest ones
//! are removed when there are many. A link in the place of the directory or of a file is neither
//! followed nor replaced.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::published::Published;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::SkillWrite;
use dibber_text::atomic_file::{Access, replace};
use dibber_text::file::read_regular;
use dibber_text::private::create_own_directory;

/// The most contents that remain when others are added.
const CONTENTS_MAX: usize = 10_000;
/// The most bytes of all contents that remain when others are added (64 MiB).
const BYTES_MAX: u64 = 64 << 20;
/// The most bytes of one content that are read (4 MiB): the largest prompt fits, with every
/// character escaped.
const CONTENT_BYTES_MAX: u64 = 4 << 20;

/// The prefix of a content hash, and the digits after it.
const HASH_PREFIX: &str = "c_";
const HASH_DIGITS: usize = 64;

/// Returns earlier versions of the skill in a directory, as it would be published, which may be the
/// one that is recorded.
pub type EarlierVersions = fn(&Path, &Published) -> Box<dyn Iterator<Item = SkillWrite>>;

/// Why a content is not kept.
#[derive(Debug)]
pub struct BaseContentsError {
    /// The file, or the directory.
    pub path: PathBuf,
    /// Why it cannot be written.
    pub cause: io::Error,
}

/// The contents in one directory.
#[derive(Clone, Debug)]
pub struct BaseContents {
    directory: PathBuf,
    /// The directory in which earlier versions have kept them, which is only read.
    former: Option<PathBuf>,
    earlier_versions: Option<EarlierVersions>,
}

impl BaseContents {
    /// Returns the contents in a directory, which need not exist.
    pub const fn new(directory: PathBuf) -> Self {
        Self { directory, former: None, earlier_versions: None }
    }

    /// Also reads the contents that earlier versions have kept in this directory.
    #[must_use]
    pub fn with_former_directory(mut self, former: PathBuf) -> Self {
        self.former = Some(former);
        self
    }

    /// Also searches earlier versions of a skill for the content that is recorded of it.
    #[must_use]
    pub fn with_earlier_versions(mut self, versions: EarlierVersions) -> Self {
        self.earlier_versions = Some(versions);
        self
    }

    /// Returns the content that is recorded of the skill in a directory, if it is here or is an
    /// earlier version of the skill.
    pub(super) fn recorded(&self, directory: &Path, published: &Published) -> Option<SkillWrite> {
        let hash = published.content_hash.as_deref()?;
        let is_it = |content: &SkillWrite| ContentHash::of_write(content).as_str() == hash;
        self.get(hash).or_else(|| self.earlier_versions?(directory, published).find(is_it))
    }

    /// Returns the content with this hash, if it is here.
    pub fn get(&self, content_hash: &str) -> Option<SkillWrite> {
        let mut directories = std::iter::once(&self.directory).chain(&self.former);
        directories.find_map(|directory| content_in(directory, content_hash))
    }

    /// Adds a content.
    pub(super) fn add(&self, content: &SkillWrite) -> Result<(), BaseContentsError> {
        let hash = ContentHash::of_write(content);
        // A damaged file is replaced.
        if content_in(&self.directory, hash.as_str()).is_none()
            && let Some(path) = path_in(&self.directory, hash.as_str())
        {
            let created = create_own_directory(&self.directory);
            let directory = || self.directory.clone();
            created.map_err(|cause| BaseContentsError { path: directory(), cause })?;
            let written = write(&path, content);
            written.map_err(|cause| BaseContentsError { path, cause })?;
        }
        Ok(())
    }

    /// Removes the oldest contents that exceed the limits.
    pub(super) fn remove_oldest(&self) {
        if !self.directory.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            return;
        }
        let mut files = Vec::new();
        for found in fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            if let Ok(metadata) = found.metadata()
                && metadata.is_file()
                && let Ok(modified) = metadata.modified()
            {
                files.push((modified, metadata.len(), found.path()));
            }
        }
        files.sort_unstable();
        let mut bytes = 0;
        for (position, (_, length, path)) in files.iter().rev().enumerate() {
            bytes += length;
            if position >= CONTENTS_MAX || bytes > BYTES_MAX {
                // Another process may have removed it.
                drop(fs::remove_file(path));
            }
        }
    }
}

fn content_in(directory: &Path, content_hash: &str) -> Option<SkillWrite> {
    let path = path_in(directory, content_hash)?;
    let is_own = |path: &Path| path.symlink_metadata().is_ok_and(|it| !it.is_symlink());
    if !is_own(directory) || !is_own(&path) {
        return None;
    }
    let bytes = read_regular(&path, CONTENT_BYTES_MAX).ok()?;
    let content: SkillWrite = serde_json::from_slice(&bytes).ok()?;
    // A file that was changed is not the content.
    (ContentHash::of_write(&content).as_str() == content_hash).then_some(content)
}

/// Returns the file of a content, unless the hash is not one: it may come from a file of others.
fn path_in(directory: &Path, content_hash: &str) -> Option<PathBuf> {
    let digits = content_hash.strip_prefix(HASH_PREFIX)?;
    let is_hash = digits.len() == HASH_DIGITS && digits.bytes().all(|c| c.is_ascii_hexdigit());
    is_hash.then(|| directory.join(format!("{content_hash}.json")))
}

/// Writes the file of a content, unless something else than a regular file is in its place.
fn write(path: &Path, content: &SkillWrite) -> io::Result<()> {
    // What cannot be looked at cannot be written either, and that is reported.
    if let Ok(found) = path.symlink_metadata()
        && !found.is_file()
    {
        let is_link = found.is_symlink();
        let what = if is_link { "it is a symbolic link" } else { "it is not a regular file" };
        return Err(io::Error::other(what));
    }
    replace(path, &serde_json::to_vec(content)?, Access::Private)
}
