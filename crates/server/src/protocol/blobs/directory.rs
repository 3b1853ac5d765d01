//! The files of large blobs.
//!
//! They are in a directory of the data directory that has the id of the store, so that stores that
//! share a data directory do not remove files of each other. It has an id of its own, which the rows
//! name: of servers that share a store, each sees which files are its own.
//!
//! ```text
//! DATA/blobs/srv_0123…/id               the id of this directory
//! DATA/blobs/srv_0123…/incoming/…       what is being written
//! DATA/blobs/srv_0123…/incoming/….mount the files of a run
//! DATA/blobs/srv_0123…/89abcdef…        the blob `blob:89abcdef…`
//! ```

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::id;
use dibber_skill::contract::skills_protocol::BLOB_PREFIX;
use dibber_skill::contract::{BlobId, check_id};
use dibber_text::atomic_file::{locked_temporary, remove_leftovers};
use dibber_text::file::{open_regular, read_regular};
use dibber_text::private::create_own_directory;

const DIRECTORY: &str = "blobs";
const INCOMING: &str = "incoming";
/// What the name of a directory with files of a run ends with, after the name of its lock.
const MOUNT_SUFFIX: &str = ".mount";
const ID_FILE: &str = "id";

/// The most bytes of the file with the id.
const ID_BYTES_MAX: u64 = 256;

/// The digits of the name of a file.
const NAME_DIGITS: usize = 32;

/// The directory with the files.
#[derive(Debug)]
pub(super) struct BlobDirectory {
    path: PathBuf,
    /// The id that rows name.
    pub(super) id: String,
}

/// A file in its place, which is locked as long as this exists. It is not a blob before its row is
/// committed.
#[derive(Debug)]
pub(super) struct PlacedFile {
    path: PathBuf,
    _locked: File,
}

/// A directory with files of a run, which is removed when this is dropped, or by another process after
/// this one has died: when there is no file any more that has its name without [`MOUNT_SUFFIX`], which
/// is created before it and removed after it.
#[derive(Debug)]
pub(super) struct MountDirectory {
    path: PathBuf,
    _lock: NamedTempFile,
}

impl BlobDirectory {
    /// Opens the directory of a store, which is created if it does not exist.
    pub(super) fn open(data: &Path, store_id: &str) -> io::Result<Self> {
        if check_id(store_id).is_err() || store_id.contains(['/', '.', ':']) {
            return Err(io::Error::other("the id of the store cannot be the name of a directory"));
        }
        let parent = data.join(DIRECTORY);
        create_own_directory(&parent)?;
        let path = parent.join(store_id);
        create_own_directory(&path)?;
        create_own_directory(&path.join(INCOMING))?;
        let id = match read_id(&path)? {
            Some(id) => id,
            None => create_id(&path)?,
        };
        Ok(Self { path, id })
    }

    /// Returns the path of the file of a blob.
    pub(super) fn file(&self, id: &BlobId) -> io::Result<PathBuf> {
        let name = id.as_str().strip_prefix(BLOB_PREFIX).filter(|name| is_file_name(name));
        let name = name.ok_or_else(|| io::Error::other("the id of a blob is damaged"))?;
        Ok(self.path.join(name))
    }

    /// Creates a file that no one sees yet. It is removed when it is dropped, or by another process
    /// after this one has died.
    pub(super) fn create(&self) -> io::Result<NamedTempFile> {
        locked_temporary(&self.path.join(INCOMING))
    }

    /// Creates a directory for files of a run.
    pub(super) fn create_mount(&self) -> io::Result<MountDirectory> {
        let lock = self.create()?;
        let mut path = lock.path().as_os_str().to_owned();
        path.push(MOUNT_SUFFIX);
        let mount = MountDirectory { path: path.into(), _lock: lock };
        create_own_directory(&mount.path)?;
        Ok(mount)
    }

    /// Makes a file durable, and puts it in its place.
    pub(super) fn place(&self, file: NamedTempFile, id: &BlobId) -> io::Result<PlacedFile> {
        let path = self.file(id)?;
        file.as_file().sync_all()?;
        let locked = file.persist_noclobber(&path).map_err(|error| error.error)?;
        sync_directory(&self.path);
        Ok(PlacedFile { path, _locked: locked })
    }

    /// Opens the file of a blob; none if it is gone.
    pub(super) fn open_file(&self, id: &BlobId) -> io::Result<Option<File>> {
        match open_regular(&self.file(id)?) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes the file of a blob, if it has one.
    pub(super) fn remove(&self, id: &BlobId) -> io::Result<()> {
        match fs::remove_file(self.file(id)?) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Returns `true` if this is the directory that was opened: its disk may be missing by now.
    pub(super) fn is_present(&self) -> bool {
        read_id(&self.path).is_ok_and(|id| id.as_ref() == Some(&self.id))
    }

    /// Returns the ids of the files. Others are left alone.
    pub(super) fn files(&self) -> io::Result<impl Iterator<Item = BlobId>> {
        let names = fs::read_dir(&self.path)?.flatten().map(|entry| entry.file_name());
        Ok(names.filter_map(|name| {
            let name = name.to_str().filter(|name| is_file_name(name))?;
            Some(BlobId::from(format!("{BLOB_PREFIX}{name}")))
        }))
    }

    /// Locks the file of a blob, unless a process holds it that is about to record it.
    pub(super) fn lock(&self, id: &BlobId) -> io::Result<Option<File>> {
        let Some(file) = self.open_file(id)? else { return Ok(None) };
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Removes what processes have left that have died while they wrote.
    pub(super) fn remove_leftovers(&self) {
        let incoming = self.path.join(INCOMING);
        remove_leftovers(&incoming);
        for entry in fs::read_dir(incoming).into_iter().flatten().flatten() {
            let path = entry.path();
            let lock = path.to_str().and_then(|path| path.strip_suffix(MOUNT_SUFFIX));
            if lock.is_some_and(|lock| !Path::new(lock).exists()) {
                let _ = fs::remove_dir_all(path);
            }
        }
    }
}

impl MountDirectory {
    /// Returns the path of the directory.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for MountDirectory {
    fn drop(&mut self) {
        // Without its lock, the sweeper removes what is left.
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl PlacedFile {
    /// Removes the file, which is no blob.
    pub(super) fn remove(self) {
        if let Err(cause) = fs::remove_file(&self.path) {
            // Without the lock, the sweeper removes it.
            tracing::warn!(%cause, "cannot remove the file of a blob that was not recorded");
        }
    }
}

/// Returns `true` if a string can be the name of a file of a blob.
pub(super) fn is_file_name(name: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    name.len() == NAME_DIGITS && name.bytes().all(is_digit)
}

fn read_id(directory: &Path) -> io::Result<Option<String>> {
    match read_regular(&directory.join(ID_FILE), ID_BYTES_MAX) {
        Ok(bytes) => {
            let id = String::from_utf8(bytes).map(|id| id.trim_end().to_owned());
            let id = id.ok().filter(|id| check_id(id).is_ok());
            id.map(Some).ok_or_else(|| io::Error::other("its file `id` is damaged"))
        }
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Gives a directory an id, unless another process is faster.
fn create_id(directory: &Path) -> io::Result<String> {
    let mut file = locked_temporary(&directory.join(INCOMING))?;
    writeln!(file, "{}", id::blob_directory())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(directory.join(ID_FILE)) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        _ => read_id(directory)?.ok_or_else(|| io::ErrorKind::NotFound.into()),
    }
}

/// Makes the names in a directory durable, where that is possible.
fn sync_directory(path: &Path) {
    let _ = File::open(path).and_then(|directory| directory.sync_all());
}
