//! Copying skills and blobs, whose directories may contain anything.
//!
//! A copy is the same in every mode, does not change during the run, and has no links, sockets or
//! devices. A file with several names is a file like any other: who can link it can also read it or
//! has been allowed to.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, ResolveFlags, fstat, mkdirat, openat, openat2,
    statat,
};

use super::setup_error::{SetupResult, Step};
use dibber_text::is_skill_part;

/// The most bytes of the blobs of a run that are copied.
pub(super) const BLOB_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// The deepest directory of a skill.
const DEPTH_MAX: usize = 32;

/// What was copied of the skills of a run.
#[derive(Default)]
pub(super) struct SkillCopy {
    bytes: u64,
    entries: u64,
}

impl SkillCopy {
    /// The most bytes of all skills of a run.
    pub(super) const BYTES_MAX: u64 = 64 * 1024 * 1024;
    /// The most files and directories of all skills of a run.
    pub(super) const ENTRIES_MAX: u64 = 8192;

    /// Copies a directory to a new directory of `target`.
    pub(super) fn copy(&mut self, source: &Path, target: &OwnedFd, name: &str) -> SetupResult<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = openat(CWD, source, flags, Mode::empty());
        let root = root.step_of_skill(format!("open the skill `{name}`"))?;
        create_directory(target, Path::new(name)).step(format!("copy the skill `{name}`"))?;
        let mut pending = vec![PathBuf::new()];
        while let Some(directory) = pending.pop() {
            let step = || format!("copy `{}` of the skill `{name}`", directory.display());
            for entry in entries_of(&root, &directory).step_of_skill(step())? {
                let path = directory.join(&entry);
                let copied = self.copy_entry(&root, &path, target, &Path::new(name).join(&path));
                let step = format!("copy `{}` of the skill `{name}`", path.display());
                if copied.step_of_skill(step)? == FileType::Directory {
                    pending.push(path);
                }
            }
        }
        Ok(())
    }

    /// Copies a file, or creates a directory, and returns which of them it is.
    fn copy_entry(
        &mut self,
        root: &OwnedFd,
        path: &Path,
        target: &OwnedFd,
        target_path: &Path,
    ) -> io::Result<FileType> {
        self.entries += 1;
        if self.entries > Self::ENTRIES_MAX {
            return Err(refused(format!("more than {} files and directories", Self::ENTRIES_MAX)));
        }
        let file = open_beneath(root, path, OFlags::NONBLOCK)?;
        match FileType::from_raw_mode(fstat(&file)?.st_mode) {
            FileType::Directory if path.components().count() > DEPTH_MAX => {
                Err(refused(format!("deeper than {DEPTH_MAX} directories")))
            }
            FileType::Directory => {
                create_directory(target, target_path)?;
                Ok(FileType::Directory)
            }
            _ => {
                let file = check_regular(file)?;
                let left = Self::BYTES_MAX - self.bytes;
                self.bytes += copy_file(file, target, target_path, left)?;
                Ok(FileType::RegularFile)
            }
        }
    }
}

/// Copies a file to a new file of `target`, and returns its size.
pub(super) fn copy_file(
    mut file: File,
    target: &OwnedFd,
    name: impl AsRef<Path>,
    bytes_max: u64,
) -> io::Result<u64> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let created = openat(target, name.as_ref(), flags, Mode::from_raw_mode(0o644))?;
    let copied = io::copy(&mut (&mut file).take(bytes_max), &mut File::from(created))?;
    match file.read(&mut [0])? {
        0 => Ok(copied),
        _ => Err(refused(format!("larger than the remaining {bytes_max} bytes"))),
    }
}

/// Opens a file that has to be a regular one, and no symbolic link.
pub(super) fn open_regular(directory: impl AsFd, path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    check_regular(openat(directory, path, flags, Mode::empty())?)
}

/// Returns `true` if every user may read a file, if it may reach it.
pub(super) fn is_readable_by_all(file: &File) -> io::Result<bool> {
    Ok(Mode::from_raw_mode(fstat(file)?.st_mode).contains(Mode::ROTH))
}

fn check_regular(file: OwnedFd) -> io::Result<File> {
    let status = fstat(&file)?;
    if FileType::from_raw_mode(status.st_mode) != FileType::RegularFile {
        return Err(refused("not a regular file".to_owned()));
    }
    Ok(file.into())
}

/// Opens a file below a directory; no component of its path may be a symbolic link.
fn open_beneath(root: &OwnedFd, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let flags = flags | OFlags::RDONLY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    match openat2(root, path, flags, Mode::empty(), resolve) {
        Ok(file) => Ok(file),
        Err(_) if is_symbolic_link(root, path) => Err(refused("a symbolic link".to_owned())),
        Err(error) => Err(error.into()),
    }
}

fn is_symbolic_link(root: &OwnedFd, path: &Path) -> bool {
    statat(root, path, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|status| FileType::from_raw_mode(status.st_mode) == FileType::Symlink)
}

/// Returns the names in a directory below `root`.
fn entries_of(root: &OwnedFd, directory: &Path) -> io::Result<Vec<PathBuf>> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let opened = open_beneath(root, directory, OFlags::DIRECTORY)?;
    let mut names = Vec::new();
    for entry in Dir::read_from(&opened)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name != "." && name != ".." && is_skill_part(name) {
            names.push(PathBuf::from(name));
        }
        if names.len() as u64 > SkillCopy::ENTRIES_MAX {
            break;
        }
    }
    Ok(names)
}

fn create_directory(target: &OwnedFd, path: &Path) -> io::Result<()> {
    Ok(mkdirat(target, path, Mode::from_raw_mode(0o755))?)
}

fn refused(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}
