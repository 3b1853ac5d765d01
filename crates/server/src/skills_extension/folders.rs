//! The skills of directories, which follow the changes of their files.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use tokio::time::Instant;

use super::published::FAMILY;
use dibber_catalog::{
    Catalog, Digest, Offer, OfferProblem, OfferedFile, OfferedSkill, ReadOfferedError, fingerprint,
};

/// How often files are compared with what was read, at most.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// How often a file is read that changes each time after it was listed.
const ATTEMPTS_MAX: usize = 3;

/// Takes a new problem.
type Report = Box<dyn Fn(&OfferProblem) + Send + Sync>;

/// The skills of some directories.
///
/// The names, sizes and times of files are compared with those of the last reading, at most once in a
/// second. If one differs, all are read again, and once more after that: a file may change twice within
/// the resolution of its times. A file whose content is not what was listed is listed again before it is
/// read, so that what is read always has the digest of the newest list.
pub struct FolderSkills {
    folders: Vec<PathBuf>,
    interval: Duration,
    state: Mutex<State>,
    offer: RwLock<Arc<Offer>>,
    report: Report,
}

struct State {
    fingerprint: Digest,
    /// The files were read twice with these times.
    is_confirmed: bool,
    checked: Instant,
    problems: HashSet<String>,
}

/// Why a file of a skill is not returned.
pub(super) enum NotRead {
    /// There is no such file.
    NotFound,
    /// It changes all the time.
    Changing,
    /// The system cannot read it.
    Failed,
}

impl FolderSkills {
    /// Reads the skills of some directories. `report` takes what is wrong with one that is not offered, now
    /// or later, once as long as it persists.
    pub fn open(
        folders: Vec<PathBuf>,
        report: impl Fn(&OfferProblem) + Send + Sync + 'static,
    ) -> Self {
        let skills = Self {
            state: Mutex::new(State {
                fingerprint: Digest::of([]),
                is_confirmed: false,
                checked: Instant::now(),
                problems: HashSet::new(),
            }),
            folders,
            interval: CHECK_INTERVAL,
            offer: RwLock::default(),
            report: Box::new(report),
        };
        skills.read(&mut skills.lock(), fingerprint(&skills.folders));
        skills
    }

    /// Sets how often files are compared, at most; zero compares them in every call.
    #[must_use]
    pub fn with_interval(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// Returns the skills that there are now.
    pub(super) fn offer(&self) -> Arc<Offer> {
        let state = match self.state.try_lock() {
            Ok(state) => Some(state),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            // Another thread reads them; until then the last ones are offered.
            Err(TryLockError::WouldBlock) => None,
        };
        if let Some(mut state) = state
            && state.checked.elapsed() >= self.interval
        {
            let now = fingerprint(&self.folders);
            if now != state.fingerprint || !state.is_confirmed {
                self.read(&mut state, now);
            } else {
                state.checked = Instant::now();
            }
        }
        self.current()
    }

    /// Passes a file on, with what it contains: that has the digest of the newest list.
    pub(super) fn read_file<T>(
        &self,
        uri: &str,
        then: impl FnOnce(&OfferedSkill, &OfferedFile, Vec<u8>) -> T,
    ) -> Result<T, NotRead> {
        let mut offer = self.offer();
        for attempt in 1.. {
            let Some((skill, file)) = offer.file(uri) else { return Err(NotRead::NotFound) };
            match skill.read(file) {
                Ok(bytes) => return Ok(then(skill, file, bytes)),
                Err(ReadOfferedError::Changed) if attempt < ATTEMPTS_MAX => {
                    let mut state = self.lock();
                    // Another thread may have done so already.
                    if Arc::ptr_eq(&offer, &self.current()) {
                        self.read(&mut state, fingerprint(&self.folders));
                    }
                    drop(state);
                    offer = self.current();
                }
                Err(ReadOfferedError::Changed) => break,
                Err(ReadOfferedError::File(error)) => {
                    tracing::warn!(%error, "a file of a skill cannot be read");
                    return Err(NotRead::Failed);
                }
            }
        }
        Err(NotRead::Changing)
    }

    fn read(&self, state: &mut State, now: Digest) {
        let catalog = Catalog::read(&self.folders);
        let left_out = catalog.problems.iter().filter(|problem| problem.is_left_out);
        let mut problems: Vec<_> = left_out
            .map(|problem| OfferProblem {
                path: problem.path.clone(),
                message: problem.message.clone(),
            })
            .collect();
        let (offer, others) = Offer::of_folders(&self.folders, catalog, &[FAMILY]);
        problems.extend(others);
        // The first one says why.
        problems.dedup_by(|later, earlier| later.path == earlier.path);
        *self.offer.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(offer);
        let key = |problem: &OfferProblem| format!("{}\0{:?}", problem.path, problem.message);
        let new = problems.iter().filter(|problem| !state.problems.contains(&key(problem)));
        new.for_each(&self.report);
        *state = State {
            is_confirmed: now == state.fingerprint,
            fingerprint: now,
            checked: Instant::now(),
            problems: problems.iter().map(key).collect(),
        };
    }

    fn current(&self) -> Arc<Offer> {
        Arc::clone(&self.offer.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
