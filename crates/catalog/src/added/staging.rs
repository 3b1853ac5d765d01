//! Directories that appear under their names only when they are finished.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::contents::{FileContents, SkillContents};

/// What follows the name of a directory that is written.
const NEW: &str = "dibber-new";

/// What follows the name of a directory that is replaced, where two cannot be exchanged.
const OLD: &str = "dibber-old";

/// Returns `true` for the name of a directory that is beside the place of a skill while it is written.
pub fn is_staging_name(name: &str) -> bool {
    let name = name.strip_prefix('.').and_then(|name| name.rsplit_once('.'));
    name.is_some_and(|(_, suffix)| suffix == NEW || suffix == OLD)
}

/// The directories beside the place of a skill.
#[derive(Debug)]
pub(super) struct Staging {
    place: PathBuf,
    new: PathBuf,
    old: PathBuf,
}

impl Staging {
    /// Creates the directory above a place, and puts in order what was left beside the place.
    pub(super) fn beside(place: &Path) -> io::Result<Self> {
        if let Some(above) = place.parent() {
            fs::create_dir_all(above)?;
        }
        Self::recover(place)
    }

    /// Removes what an interruption has left beside a place. If nothing is at the place, what was there
    /// is put back.
    pub(super) fn recover(place: &Path) -> io::Result<Self> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let beside = |suffix| place.with_file_name(format!(".{name}.{suffix}"));
        let staging = Self { place: place.to_owned(), new: beside(NEW), old: beside(OLD) };
        if is_there(&staging.old) {
            if is_there(place) {
                fs::remove_dir_all(&staging.old)?;
            } else {
                fs::rename(&staging.old, place)?;
            }
        }
        if is_there(&staging.new) {
            fs::remove_dir_all(&staging.new)?;
        }
        Ok(staging)
    }

    /// Returns the directory that is written.
    pub(super) fn new_directory(&self) -> &Path {
        &self.new
    }

    /// Writes the files of a skill beside its place.
    pub(super) fn write(&self, contents: &SkillContents) -> io::Result<()> {
        write_contents(&self.new, contents)
    }

    /// Lets the directory that was written take its place, and returns where that is now that was there.
    pub(super) fn place(&self) -> io::Result<Option<&Path>> {
        if !is_there(&self.place) {
            return fs::rename(&self.new, &self.place).map(|()| None);
        }
        if exchange(&self.new, &self.place).is_ok() {
            return Ok(Some(&self.new));
        }
        fs::rename(&self.place, &self.old)?;
        if let Err(error) = fs::rename(&self.new, &self.place) {
            fs::rename(&self.old, &self.place)?;
            return Err(error);
        }
        Ok(Some(&self.old))
    }

    /// Puts back what was at the place, after [`place`](Self::place).
    pub(super) fn put_back(&self) -> io::Result<()> {
        let replaced = if is_there(&self.old) { &self.old } else { &self.new };
        if exchange(replaced, &self.place).is_err() {
            fs::remove_dir_all(&self.place)?;
            fs::rename(replaced, &self.place)?;
        }
        self.clean();
        Ok(())
    }

    /// Removes everything beside the place. What cannot be removed is removed the next time.
    pub(super) fn clean(&self) {
        remove(&self.old);
        remove(&self.new);
    }

    /// Takes a directory away from its place.
    pub(super) fn take_away(&self) -> io::Result<()> {
        fs::rename(&self.place, &self.new)
    }

    /// Brings the directory back that was taken away.
    pub(super) fn bring_back(&self) -> io::Result<()> {
        fs::rename(&self.new, &self.place)
    }

    /// Removes what is beside the place. What cannot be removed is removed the next time.
    pub(super) fn remove_new(&self) {
        remove(&self.new);
    }
}

/// Writes the files of a skill into a new directory.
pub(crate) fn write_contents(directory: &Path, contents: &SkillContents) -> io::Result<()> {
    fs::create_dir(directory)?;
    for (path, file) in contents.files() {
        let mut below = directory.to_owned();
        let mut names = path.as_str().split('/').peekable();
        while let Some(name) = names.next() {
            below.push(name);
            if names.peek().is_some() && !below.is_dir() {
                fs::create_dir(&below)?;
            }
        }
        create(&below, file)?.write_all(&file.bytes)?;
    }
    Ok(())
}

/// Creates a file. The umask decides who else may use it.
fn create(path: &Path, file: &FileContents) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(if file.is_executable { 0o777 } else { 0o666 });
    }
    #[cfg(not(unix))]
    let _ = file;
    options.open(path)
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn remove(path: &Path) {
    // It is a directory, or a file that had the place of one.
    let _ = fs::remove_dir_all(path).or_else(|_| fs::remove_file(path));
}

#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
