//! `dibber.lock` on disk: where it stands, and how more than one process changes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::choice::{Choice, Place};
use super::error::CommandError;
use super::write;
use dibber_client::publish::{LOCK_BYTES_MAX, LOCK_FILE_NAME, Lock, Published};
use dibber_skill::config::CONFIG_FILE_NAME;
use dibber_skill::discover::shown_path;
use dibber_text::escape_line;
use dibber_text::file::read_regular;

/// What stands for the folder of the lock itself.
const HERE: &str = ".";

/// Where a skill is recorded: a file, and the path of the skill in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    file: PathBuf,
    path: String,
}

impl Spot {
    /// The skill as a subject of the journal.
    pub(super) fn subject(&self) -> String {
        format!("{} in {}", self.path, shown_path(self.folder()))
    }

    /// The directory of the file.
    fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }
}

/// The records of one server, each file of them read once.
pub(super) struct Locks {
    server: String,
    /// The folder of the database, for the server in this program.
    data: Option<PathBuf>,
    known: BTreeMap<PathBuf, Lock>,
    /// The directories that are locked against other processes until this value is dropped.
    held: BTreeMap<PathBuf, File>,
}

impl Locks {
    pub(super) fn new(choice: &Choice) -> Self {
        let data = match &choice.place {
            Place::Local { data } => Some(data.clone()),
            Place::Url { .. } => None,
        };
        Self {
            server: choice.name().to_owned(),
            data,
            known: BTreeMap::new(),
            held: BTreeMap::new(),
        }
    }

    /// Where the skill in a folder is recorded: in the nearest folder from there upward that has
    /// a `dibber.lock` or a `dibber.toml`, or else at the top of the repository, or else in the
    /// folder that the skill lies in. The folder itself need not be there yet.
    ///
    /// What the server in this program has stored is recorded beside its database, with the whole
    /// path of the folder: it means nothing anywhere else.
    pub(super) fn spot(&self, folder: &Path) -> Spot {
        let folder = real(folder);
        if let Some(data) = &self.data {
            return Spot { file: data.join(LOCK_FILE_NAME), path: shown_path(&folder) };
        }
        let root = root_of(&folder);
        let path = folder.strip_prefix(root).map_or_else(|_| shown_path(&folder), shown_path);
        let path = if path.is_empty() { HERE.to_owned() } else { path };
        Spot { file: root.join(LOCK_FILE_NAME), path }
    }

    /// Keeps every other process from publishing what is recorded in the same files, until this
    /// value is dropped: from the plan to the record, or two of them would make the same skill
    /// twice. `waiting` is called with a directory that another process has locked.
    ///
    /// Where a file system cannot lock, nothing is locked.
    pub(super) fn lock_directories<'a>(
        &mut self,
        spots: impl IntoIterator<Item = &'a Spot>,
        mut waiting: impl FnMut(&Path),
    ) {
        // The same order in every process, or two of them could wait for one another.
        let folders: BTreeSet<_> = spots.into_iter().map(Spot::folder).collect();
        for folder in folders {
            let Ok(file) = File::open(folder) else { continue };
            let locked = match file.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    waiting(folder);
                    file.lock().is_ok()
                }
                locked => locked.is_ok(),
            };
            if locked {
                self.held.insert(folder.to_owned(), file);
            }
        }
        // What was read before may have been changed by the process that has just ended.
        self.known.clear();
    }

    /// What is recorded of a skill.
    pub(super) fn get(&mut self, spot: &Spot) -> Result<Option<Published>, CommandError> {
        let server = self.server.clone();
        Ok(self.lock(&spot.file)?.get(&spot.path, &server).cloned())
    }

    /// Returns `true` if one of the files that were read records a skill, of whichever folder.
    pub(super) fn is_recorded(&self, skill_id: &str) -> bool {
        self.known.values().any(|lock| lock.paths_of(&self.server, skill_id).next().is_some())
    }

    /// The folders that are known as this skill, among those recorded where `folder` would be.
    pub(super) fn folders_of(
        &mut self,
        folder: &Path,
        skill_id: &str,
    ) -> Result<Vec<PathBuf>, CommandError> {
        let spot = self.spot(folder);
        let server = self.server.clone();
        let root = spot.file.parent().unwrap_or(Path::new("")).to_owned();
        let paths = self.lock(&spot.file)?.paths_of(&server, skill_id).map(|path| root.join(path));
        Ok(paths.collect())
    }

    /// Records skills that were published, together with what others have recorded meanwhile.
    pub(super) fn record(&mut self, entries: Vec<(Spot, Published)>) -> Result<(), CommandError> {
        let mut files: BTreeMap<PathBuf, Vec<(String, Published)>> = BTreeMap::new();
        for (spot, published) in entries {
            files.entry(spot.file).or_default().push((spot.path, published));
        }
        let server = self.server.clone();
        for (file, entries) in files {
            self.change(&file, |lock| {
                for (path, published) in entries {
                    lock.record(&path, &server, published);
                }
            })?;
        }
        Ok(())
    }

    /// Records a heartbeat of a skill that is recorded; false when the skill is not.
    pub(super) fn record_heartbeat(
        &mut self,
        spot: &Spot,
        name: &str,
        id: &str,
    ) -> Result<bool, CommandError> {
        let server = self.server.clone();
        let mut is_known = false;
        self.change(&spot.file, |lock| {
            is_known = lock.record_heartbeat(&spot.path, &server, name, id);
        })?;
        Ok(is_known)
    }

    /// Changes a file as it is now, and puts the result in its place.
    ///
    /// The directory is locked meanwhile, where the system can lock one.
    fn change(&mut self, file: &Path, change: impl FnOnce(&mut Lock)) -> Result<(), CommandError> {
        let folder = file.parent().unwrap_or(Path::new(""));
        // A lock of our own would keep us waiting for ever.
        let _lock = (!self.held.contains_key(folder))
            .then(|| File::open(folder).and_then(|folder| folder.lock().map(|()| folder)));
        let before = read(file)?;
        let mut lock = before.clone();
        change(&mut lock);
        if lock != before || !file.exists() {
            write::replace(file, lock.write().as_bytes())?;
            // The journal forgets a write once it is recorded, so the record has to be on the disk
            // first. Where directories cannot be synced, it is in the hands of the system.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        self.known.insert(file.to_owned(), lock);
        Ok(())
    }

    fn lock(&mut self, file: &Path) -> Result<&Lock, CommandError> {
        if !self.known.contains_key(file) {
            self.known.insert(file.to_owned(), read(file)?);
        }
        Ok(&self.known[file])
    }
}

/// The time as it is recorded.
pub(super) fn time() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A folder by its real path, as far as it is there.
fn real(folder: &Path) -> PathBuf {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    if let Ok(real) = fs::canonicalize(&whole) {
        return real;
    }
    match (whole.parent(), whole.file_name()) {
        (Some(parent), Some(name)) => real(parent).join(name),
        _ => whole,
    }
}

fn root_of(folder: &Path) -> &Path {
    for candidate in folder.ancestors() {
        let has = |name: &str| candidate.join(name).exists();
        if has(LOCK_FILE_NAME) || has(CONFIG_FILE_NAME) || has(".git") {
            return candidate;
        }
    }
    folder.parent().unwrap_or(folder)
}

fn read(file: &Path) -> Result<Lock, CommandError> {
    let shown = shown_path(file);
    let shown = escape_line(&shown);
    let bytes = match read_regular(file, LOCK_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.is_not_found() => return Ok(Lock::default()),
        Err(error) => return Err(CommandError::read(&shown, error)),
    };
    let text =
        String::from_utf8(bytes).map_err(|_| CommandError::new(format!("{shown} is not UTF-8")))?;
    Lock::parse(&text)
        .map_err(|error| CommandError::new(format!("{shown}: {error}")).hint(error.help))
}
