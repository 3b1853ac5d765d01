//! What was begun and may not be finished: a small file for each thing that is to be done once.
//!
//! The file is on the disk before the first byte is sent. Whoever begins the same again, after a
//! crash or a lost answer or at the same time, finds it and goes on with the same key, so that
//! the server does it once.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::{ClientError, JournalError, Key};
use crate::contract::{ErrorCode, IDEMPOTENCY_CONFLICT, IDEMPOTENCY_HOURS};
use crate::spec_hash::canonical_json;

/// How long something can be resumed: as long as a key holds, less an hour in which clocks may
/// differ and attempts may take their time.
const RESUMABLE: SignedDuration = SignedDuration::from_hours(IDEMPOTENCY_HOURS - 1);
/// The most bytes of an entry.
const ENTRY_BYTES_MAX: u64 = 64 << 10;
/// What is added to the name of a file that cannot be read.
const UNREADABLE: &str = "unreadable";

/// A folder of things that were begun.
#[derive(Clone, Debug)]
pub struct Journal {
    folder: PathBuf,
    /// How many operations of this program are open.
    open: Arc<AtomicUsize>,
}

/// Counts one operation as open for as long as it lives.
#[derive(Debug)]
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(open))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Something that is to be done once, and is in the journal until it is.
#[derive(Debug)]
pub struct Operation {
    folder: PathBuf,
    path: PathBuf,
    key: Key,
    is_resumed: bool,
    /// The entry, locked together with everybody else who is at the same.
    entry: File,
    _counted: Counted,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    key: String,
    tool: String,
    server: String,
    /// RFC 3339.
    begun: String,
}

impl Journal {
    /// The journal in that folder, which is made when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), open: Arc::default() }
    }

    /// Tells whether this journal, or a clone of it, gave out an operation that has not ended.
    pub fn is_at_work(&self) -> bool {
        self.open.load(Ordering::SeqCst) > 0
    }

    /// Begins something, or goes on with it. `arguments` are all that makes it what it is; `now`
    /// is the present.
    ///
    /// # Errors
    /// When it was begun too long ago to go on with, when its entry cannot be read, or when
    /// nothing can be written: then nothing must be sent.
    pub fn begin(
        &self,
        server: &str,
        tool: &str,
        arguments: &impl Serialize,
        now: Timestamp,
    ) -> Result<Operation, JournalError> {
        self.begin_with(server, tool, arguments, Key::new(), now)
    }

    /// The same with a key of somebody's own, which is used if nothing was begun before.
    pub fn begin_with(
        &self,
        server: &str,
        tool: &str,
        arguments: &impl Serialize,
        key: Key,
        now: Timestamp,
    ) -> Result<Operation, JournalError> {
        let path = self.path(server, tool, arguments);
        let cannot = |cause: io::Error| JournalError::Io { path: path.clone(), cause };
        create_private_folder(&self.folder).map_err(cannot)?;
        let _alone = lock(&self.folder).map_err(cannot)?;
        let (key, is_resumed) = match read(&path).map_err(cannot)? {
            None => {
                let (server, tool) = (server.to_owned(), tool.to_owned());
                let entry =
                    Entry { key: key.as_str().to_owned(), tool, server, begun: now.to_string() };
                write(&self.folder, &path, &entry).map_err(cannot)?;
                (key, false)
            }
            Some(bytes) => (resumed(&bytes, &path, now)?, true),
        };
        let entry = File::open(&path).map_err(cannot)?;
        entry.lock_shared().map_err(cannot)?;
        let (folder, path) = (self.folder.clone(), path.clone());
        let counted = Counted::new(&self.open);
        Ok(Operation { folder, path, key, is_resumed, entry, _counted: counted })
    }

    /// Forgets that something was begun, for somebody who has looked and wants it done anew.
    pub fn forget(
        &self,
        server: &str,
        tool: &str,
        arguments: &impl Serialize,
    ) -> Result<(), JournalError> {
        let path = self.path(server, tool, arguments);
        if !path.exists() {
            return Ok(());
        }
        let cannot = |cause| JournalError::Io { path: path.clone(), cause };
        let _alone = lock(&self.folder).map_err(cannot)?;
        remove(&self.folder, &path).map_err(cannot)
    }

    /// The entry of something: the digest of all that makes it what it is.
    fn path(&self, server: &str, tool: &str, arguments: &impl Serialize) -> PathBuf {
        let whole = json!({"server": server, "tool": tool, "arguments": arguments});
        let digest = Sha256::digest(canonical_json(&whole));
        let name: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{name}.json"))
    }
}

impl Operation {
    /// The key that it is sent with.
    pub const fn key(&self) -> &Key {
        &self.key
    }

    /// Tells whether it was begun before.
    pub const fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Ends it: it is done, and what came of it is kept. Somebody else who is at the same still
    /// finds it.
    pub fn finish(self) -> Result<(), JournalError> {
        let cannot = |cause| JournalError::Io { path: self.path.clone(), cause };
        let _alone = lock(&self.folder).map_err(cannot)?;
        self.entry.unlock().map_err(cannot)?;
        match self.entry.try_lock() {
            Ok(()) => remove(&self.folder, &self.path).map_err(cannot),
            Err(TryLockError::WouldBlock) => Ok(()),
            Err(TryLockError::Error(cause)) => Err(cannot(cause)),
        }
    }

    /// Ends it if it failed in a way that leaves nothing to go on with; else it stays.
    pub fn failed(self, error: &ClientError) -> Result<(), JournalError> {
        let is_over = match error {
            // The key was taken by a call that was changed on the way, and perhaps done.
            ClientError::Refused(error)
                if error.reason.as_deref() == Some(IDEMPOTENCY_CONFLICT) =>
            {
                false
            }
            // The answer to this key, also if it was sent before.
            ClientError::Refused(error)
                if matches!(error.code, ErrorCode::BadInput | ErrorCode::DomainNotFound) =>
            {
                true
            }
            ClientError::OutcomeUnknown(_) => false,
            // Nothing was done now; but what came before, nobody knows.
            _ => !self.is_resumed,
        };
        if is_over { self.finish() } else { Ok(()) }
    }
}

/// The key of an entry that can be gone on with.
fn resumed(bytes: &[u8], path: &Path, now: Timestamp) -> Result<Key, JournalError> {
    let entry = serde_json::from_slice::<Entry>(bytes).ok();
    let entry = entry.and_then(|entry| {
        Some((Key::parse(&entry.key)?, entry.begun.parse::<Timestamp>().ok()?, entry.tool))
    });
    let Some((key, begun, tool)) = entry else {
        let aside = path.with_extension(UNREADABLE);
        fs::rename(path, &aside)
            .map_err(|cause| JournalError::Io { path: path.to_owned(), cause })?;
        return Err(JournalError::Unreadable { aside });
    };
    // A clock that was set back leaves an entry from the future, whose age nobody knows.
    if begun.duration_until(now).abs() > RESUMABLE {
        return Err(JournalError::TooOld { tool, begun });
    }
    Ok(key)
}

/// The bytes of an entry; nothing when there is none.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(ENTRY_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Writes an entry so that it is on the disk, whole, when this returns.
fn write(folder: &Path, path: &Path, entry: &Entry) -> io::Result<()> {
    // Temporary files are their owner's alone.
    let mut file = tempfile::Builder::new().prefix(".begun-").tempfile_in(folder)?;
    file.write_all(&serde_json::to_vec_pretty(entry)?)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_folder(folder)
}

fn remove(folder: &Path, path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => sync_folder(folder),
    }
}

/// Keeps everybody else from beginning and ending until the file is dropped.
fn lock(folder: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(folder.join(".lock"))?;
    file.lock()?;
    Ok(file)
}

#[cfg(unix)]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// A name is on the disk only when its folder is.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "folders can be synced on Unix only")]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
