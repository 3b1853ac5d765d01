//! The skills of directories, which follow the changes of their files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError};
use std::time::Duration;

use tokio::time::Instant;

use super::published::FAMILY;
use super::site::{ServedSite, ServedSiteFile};
use dibber_catalog::well_known::SiteProblem;
use dibber_catalog::{
    Catalog, Digest, Offer, OfferedFile, OfferedSkill, ReadOfferedError, fingerprint,
};
use dibber_skill::skill::PROTOCOL_FILE_NAME;
use dibber_text::Message;

/// How often files are compared with what was read, at most.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// How often a file is read that changes each time after it was listed.
const ATTEMPTS_MAX: usize = 3;

/// Why a skill cannot be found by clients.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FolderSkillProblem {
    /// The file or directory, as it is shown.
    pub path: String,
    /// What is wrong.
    pub message: Message,
    /// It is only missing at `/.well-known/agent-skills`.
    pub is_of_site: bool,
}

/// Takes a new problem.
type Report = Box<dyn Fn(&FolderSkillProblem) + Send + Sync>;

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
    /// The site, with the skills that it was made for.
    site: RwLock<Option<MadeSite>>,
    /// What is wrong with the site. It is locked while the site is made.
    site_problems: Mutex<HashSet<FolderSkillProblem>>,
    report: Report,
}

struct State {
    fingerprint: Digest,
    /// The files were read twice with these times.
    is_confirmed: bool,
    checked: Instant,
    problems: HashSet<FolderSkillProblem>,
}

/// A site, and what it was made for.
#[derive(Clone)]
struct MadeSite {
    offer: Arc<Offer>,
    site: Arc<ServedSite>,
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
        report: impl Fn(&FolderSkillProblem) + Send + Sync + 'static,
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
            site: RwLock::default(),
            site_problems: Mutex::default(),
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

    /// Returns the file at a path of the site, which is made again after each change. While one thread makes
    /// it, the others answer from the last one.
    pub(super) fn site_file(&self, path: &str) -> Option<Arc<ServedSiteFile>> {
        let offer = self.offer();
        let is_new = |made: &MadeSite| Arc::ptr_eq(&made.offer, &offer);
        let last = self.made_site();
        if let Some(made) = last.as_ref().filter(|made| is_new(made)) {
            return made.site.file(path);
        }
        let problems = match (self.site_problems.try_lock(), last) {
            (Ok(problems), _) => problems,
            (Err(TryLockError::Poisoned(poisoned)), _) => poisoned.into_inner(),
            (Err(TryLockError::WouldBlock), Some(last)) => return last.site.file(path),
            // There is none yet, and nothing else to answer.
            (Err(TryLockError::WouldBlock), None) => {
                self.site_problems.lock().unwrap_or_else(PoisonError::into_inner)
            }
        };
        match self.made_site().filter(is_new) {
            Some(made) => made.site.file(path),
            None => self.make_site(offer, problems).file(path),
        }
    }

    fn make_site(
        &self,
        offer: Arc<Offer>,
        mut problems: MutexGuard<'_, HashSet<FolderSkillProblem>>,
    ) -> Arc<ServedSite> {
        let (site, found) = ServedSite::new(&Catalog::read(&self.folders));
        let site = Arc::new(site);
        let made = MadeSite { offer, site: Arc::clone(&site) };
        *self.site.write().unwrap_or_else(PoisonError::into_inner) = Some(made);
        let found = found.into_iter().filter(|problem| problem.is_left_out);
        let found = found.map(|SiteProblem { path, message, .. }| FolderSkillProblem {
            path,
            message,
            is_of_site: true,
        });
        *problems = self.report_new(found.collect(), &problems);
        site
    }

    fn made_site(&self) -> Option<MadeSite> {
        self.site.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reports the problems that were not known before, and returns all.
    fn report_new(
        &self,
        mut problems: Vec<FolderSkillProblem>,
        known: &HashSet<FolderSkillProblem>,
    ) -> HashSet<FolderSkillProblem> {
        // The first one of a skill says why.
        problems.dedup_by(|later, earlier| later.path == earlier.path);
        problems.iter().filter(|problem| !known.contains(problem)).for_each(&self.report);
        problems.into_iter().collect()
    }

    fn read(&self, state: &mut State, now: Digest) {
        let catalog = Catalog::read(&self.folders);
        let of_catalog = |path: &String, message: &Message| FolderSkillProblem {
            path: path.clone(),
            message: message.clone(),
            is_of_site: false,
        };
        let left_out = catalog
            .problems
            .iter()
            .filter(|problem| problem.is_left_out && !is_of_skills_protocol(&problem.path));
        let mut problems: Vec<_> =
            left_out.map(|problem| of_catalog(&problem.path, &problem.message)).collect();
        let (offer, others) = Offer::of_folders(&self.folders, catalog, &[FAMILY]);
        problems.extend(others.iter().map(|other| of_catalog(&other.path, &other.message)));
        *self.offer.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(offer);
        *state = State {
            is_confirmed: now == state.fingerprint,
            fingerprint: now,
            checked: Instant::now(),
            problems: self.report_new(problems, &state.problems),
        };
    }

    fn current(&self) -> Arc<Offer> {
        Arc::clone(&self.offer.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns `true` if a file or a directory belongs to a skill of the Skills Protocol, whose names have dots
/// and which need no description in `SKILL.md`.
fn is_of_skills_protocol(path: &str) -> bool {
    Path::new(path).ancestors().take(2).any(|path| path.join(PROTOCOL_FILE_NAME).is_file())
}
