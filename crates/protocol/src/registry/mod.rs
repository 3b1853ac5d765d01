//! The skills of some directories, by name and version.
//!
//! [`Registry`] keeps an [`Index`] of them and replaces it when files change; a call takes one index and
//! answers all of itself from it. Only manifests, and the frontmatter of skills without one, are in
//! an index. Other files are read when a call asks for them.
//!
//! # When changes are seen
//!
//! [`Registry::index`] compares the modification times of directories and manifests with those of the
//! last scan, at most once in [`CHECK_INTERVAL`]. If one differs, it scans again, and reads again only
//! what differs. While one thread does so, others continue with the index that is there.
//!
//! The times are noted before the contents are read, so that a change in between is seen by the next
//! check. A file may change twice within the resolution of its times, so that what was read for the
//! first time is read once more by the check after that.
//!
//! A root that cannot be read any more keeps the skills that it had, and is reported: a share that is
//! not mounted for a moment does not take away the skills of an agent at work. If a root is a
//! symbolic link, it may be repointed to replace all of its skills at once.

mod check;
mod cursor;
mod describe;
mod find;
mod index;
mod list;
mod problem;
mod read_file;
mod root;
mod scan;
mod scanned;
mod watched;

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use tokio::time::Instant;

pub use index::Index;
pub use problem::{IndexProblem, ProblemEffect};
pub use read_file::SKILL_FILE_BYTES_MAX;
pub use root::Root;

use scan::Scan;

/// How often files are compared with the index, at most.
pub const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The skills of some directories. It follows the changes of their files.
pub struct Registry {
    roots: Vec<Root>,
    interval: Duration,
    state: Mutex<State>,
    index: RwLock<Arc<Index>>,
    report: Report,
}

/// Takes a new problem.
type Report = Box<dyn Fn(&IndexProblem) + Send + Sync>;

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").field("roots", &self.roots).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct State {
    scan: Scan,
    checked: Instant,
}

impl Registry {
    /// Finds the skills in some directories. Of two skills with the same name and version, that of the
    /// first directory is served.
    pub fn open(roots: Vec<Root>) -> Self {
        let scan = Scan::new(&roots, None);
        let index = RwLock::new(Arc::new(Index::new(&scan)));
        let state = Mutex::new(State { scan, checked: Instant::now() });
        Self { roots, interval: CHECK_INTERVAL, state, index, report: Box::new(|_| ()) }
    }

    /// Sets how often files are compared, at most; zero compares them in every call.
    #[must_use]
    pub fn with_interval(self, interval: Duration) -> Self {
        Self { interval, ..self }
    }

    /// Sets what takes the problems that appear after the start, each once as long as it persists.
    #[must_use]
    pub fn with_report(self, report: impl Fn(&IndexProblem) + Send + Sync + 'static) -> Self {
        Self { report: Box::new(report), ..self }
    }

    /// Returns the skills that there are now.
    pub fn index(&self) -> Arc<Index> {
        self.check();
        Arc::clone(&self.index.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the index if files have changed.
    fn check(&self) {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        if state.checked.elapsed() < self.interval {
            return;
        }
        if !state.scan.is_current(&self.roots) {
            let scan = Scan::new(&self.roots, Some(&state.scan));
            let index = Arc::new(Index::new(&scan));
            state.scan = scan;
            let mut current = self.index.write().unwrap_or_else(PoisonError::into_inner);
            let previous = std::mem::replace(&mut *current, Arc::clone(&index));
            drop(current);
            let known: HashSet<_> = previous.problems().iter().collect();
            index.problems().iter().filter(|it| !known.contains(it)).for_each(&self.report);
        }
        state.checked = Instant::now();
    }
}
