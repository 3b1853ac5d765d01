//! Doing what a plan says.
//!
//! A directory is written beside its place and then takes it, in one step where the system can exchange
//! two directories. The lock file is written last. So an interruption leaves the old skill or the new
//! one, never half of one, and the same command again finishes: files that are there already are kept,
//! and what was left beside a place is removed, or put back if the place is empty.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use dibber_text::{Message, message, quote, quote_display};

use super::lock_file::{LockFileError, OpenLock};
use super::plan::{InstallPlan, PlaceAction, RemovePlan, files_at, plan_install, plan_remove};
use super::root::InstallRoot;
use super::staging::Staging;
use super::state::{PlaceState, differences, is_missing, link_target, place_state};
use crate::folder::list_folder;

use super::record::{AddedFile, AddedSkill};

/// Why a plan was not carried out.
#[derive(Debug)]
pub enum ApplyError {
    /// What is installed, or the lock file, changed after the plan was made.
    Changed,
    /// A file or directory cannot be written.
    Write(String, io::Error),
    /// The file system changes what is written: names, or which files can be executed.
    Unfaithful(String),
    /// The lock file.
    Lock(LockFileError),
}

impl ApplyError {
    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        match self {
            Self::Changed => "what is installed changed after the plan was shown".into(),
            Self::Write(place, cause) => {
                message!["cannot write `", quote(place), "`: ", quote_display(cause)]
            }
            Self::Unfaithful(place) => message![
                "`",
                quote(place),
                "` cannot be written there as it is: the file system changes its files"
            ],
            Self::Lock(error) => error.message(),
        }
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().shown(&()).fmt(f)
    }
}

impl std::error::Error for ApplyError {}

impl From<LockFileError> for ApplyError {
    fn from(error: LockFileError) -> Self {
        Self::Lock(error)
    }
}

/// What is about to be done: a test stops there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApplyStep {
    /// Another process holds the lock, and it is waited for.
    Wait,
    /// A directory is written beside its place.
    Stage,
    /// It takes its place.
    Place,
    /// What was there before is removed.
    Clean,
    /// The lock file is written.
    Record,
}

/// Installs a skill. `before` is called before each step.
pub fn apply_install(
    root: &InstallRoot,
    plan: &InstallPlan,
    before: &mut dyn FnMut(ApplyStep),
) -> Result<(), ApplyError> {
    let mut lock = OpenLock::open_to_write(root, || before(ApplyStep::Wait))?;
    put_in_order(root, &plan.record)?;
    let again = plan_install(root, &lock.lock, plan.request.clone());
    let is_same =
        |again: &InstallPlan| again.steps == plan.steps && again.recorded == plan.recorded;
    if !again.is_ok_and(|again| is_same(&again)) {
        return Err(ApplyError::Changed);
    }
    for (place, action) in &plan.steps {
        match action {
            PlaceAction::Keep => {}
            PlaceAction::Link => {
                before(ApplyStep::Place);
                link(root, &plan.record, place)
                    .map_err(|cause| ApplyError::Write(place.clone(), cause))?;
            }
            _ if plan.record.links.contains(place) => {
                before(ApplyStep::Place);
                replace_by_link(root, &plan.record, place)
                    .map_err(|cause| ApplyError::Write(place.clone(), cause))?;
            }
            _ => install(root, plan, place, before)?,
        }
    }
    before(ApplyStep::Record);
    lock.lock.insert(plan.record.clone());
    Ok(lock.finish()?)
}

fn install(
    root: &InstallRoot,
    plan: &InstallPlan,
    place: &str,
    before: &mut dyn FnMut(ApplyStep),
) -> Result<(), ApplyError> {
    let failed = |cause| ApplyError::Write(place.to_owned(), cause);
    before(ApplyStep::Stage);
    let staging = Staging::beside(&root.place(place)).map_err(failed)?;
    let staged = staging.write(plan.contents());
    let is_faithful = staged.is_ok() && is_written(&plan.record, &staging);
    if staged.is_err() || !is_faithful {
        staging.remove_new();
        staged.map_err(failed)?;
        return Err(ApplyError::Unfaithful(place.to_owned()));
    }
    before(ApplyStep::Place);
    let replaced = match staging.place() {
        Ok(replaced) => replaced,
        Err(cause) => {
            // What was at the place may be beside it: only what was written goes.
            staging.remove_new();
            return Err(failed(cause));
        }
    };
    if replaced.is_some_and(|replaced| !is_as_planned(plan, place, replaced)) {
        // It was changed after the last look: it goes back to its place.
        staging.put_back().map_err(failed)?;
        return Err(ApplyError::Changed);
    }
    before(ApplyStep::Clean);
    staging.clean();
    Ok(())
}

/// Returns `true` if what was at a place is what the plan shows as lost.
fn is_as_planned(plan: &InstallPlan, place: &str, replaced: &Path) -> bool {
    match plan.action(place) {
        Some(PlaceAction::Replace(edits)) => {
            let recorded = plan.recorded.as_ref();
            recorded.and_then(|recorded| differences(recorded, replaced)).as_ref() == Some(edits)
        }
        Some(PlaceAction::Overwrite(files)) => files_at(replaced) == *files,
        Some(PlaceAction::Keep | PlaceAction::Create | PlaceAction::Link) | None => false,
    }
}

/// Returns `true` if the directory beside the place has exactly the files that are recorded.
fn is_written(record: &AddedSkill, staging: &Staging) -> bool {
    let Ok((files, problems)) = list_folder(staging.new_directory()) else { return false };
    let is_same = |(path, file): (_, &AddedFile)| {
        record.files.get(path).is_some_and(|recorded| {
            recorded.digest == file.digest
                && (!cfg!(unix) || recorded.is_executable == file.is_executable)
        })
    };
    let listed: Vec<_> = files.iter().map(|file| (&file.path, AddedFile::from(file))).collect();
    problems.is_empty()
        && listed.len() == record.files.len()
        && listed.iter().all(|(path, file)| is_same((*path, file)))
}

/// Removes a skill. `before` is called before each step.
pub fn apply_remove(
    root: &InstallRoot,
    plan: &RemovePlan,
    is_forced: bool,
    before: &mut dyn FnMut(ApplyStep),
) -> Result<(), ApplyError> {
    let mut lock = OpenLock::open_to_write(root, || before(ApplyStep::Wait))?;
    let name = &plan.recorded.name;
    let recorded = lock.lock.get(name).ok_or(ApplyError::Changed)?.clone();
    put_in_order(root, &recorded)?;
    let again = plan_remove(root, &recorded, is_forced);
    if recorded != plan.recorded || !again.is_ok_and(|again| again.places == plan.places) {
        return Err(ApplyError::Changed);
    }
    for place in &plan.places {
        let failed = |cause| ApplyError::Write(place.clone(), cause);
        before(ApplyStep::Place);
        let path = root.place(place);
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            // It was another one under a second name.
            Err(error) if is_missing(&error) => continue,
            Err(error) => return Err(failed(error)),
        };
        if metadata.is_dir() {
            let staging = Staging::beside(&path).map_err(failed)?;
            staging.take_away().map_err(failed)?;
            before(ApplyStep::Clean);
            staging.remove_new();
        } else {
            remove_link(&path).map_err(failed)?;
        }
    }
    before(ApplyStep::Record);
    lock.lock.remove(name);
    Ok(lock.finish()?)
}

/// Puts back what an interruption has left beside the places of a skill, unless another process is writing
/// there.
pub fn recover(root: &InstallRoot, skill: &AddedSkill) -> Result<(), ApplyError> {
    let _lock = OpenLock::open(root, || ())?;
    put_in_order(root, skill)
}

/// What is beside a place is only touched while the lock file is locked: another process may write it.
fn put_in_order(root: &InstallRoot, skill: &AddedSkill) -> Result<(), ApplyError> {
    for place in skill.directories.iter().filter(|place| root.contains(place)) {
        Staging::recover(&root.place(place))
            .map_err(|cause| ApplyError::Write(place.clone(), cause))?;
    }
    Ok(())
}

/// Creates the symbolic link at a place, which is relative, so that the project can be moved.
fn link(root: &InstallRoot, record: &AddedSkill, place: &str) -> io::Result<()> {
    let path = root.place(place);
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let first = record.directories.first().ok_or(io::ErrorKind::NotFound)?;
    create_link(&link_target(Path::new(place), first), &path)?;
    // A link of a directory above can lead elsewhere than its name says.
    if place_state(root, record, place) == PlaceState::Current {
        return Ok(());
    }
    remove_link(&path)?;
    Err(io::Error::other("the link would not lead to the skill"))
}

fn replace_by_link(root: &InstallRoot, record: &AddedSkill, place: &str) -> io::Result<()> {
    let path = root.place(place);
    if !fs::symlink_metadata(&path)?.is_dir() {
        remove_link(&path)?;
        return link(root, record, place);
    }
    let staging = Staging::beside(&path)?;
    staging.take_away()?;
    match link(root, record, place) {
        Ok(()) => {
            staging.remove_new();
            Ok(())
        }
        Err(error) => {
            staging.bring_back()?;
            Err(error)
        }
    }
}

#[cfg(unix)]
fn create_link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(windows)]
fn create_link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(to, at)
}

fn remove_link(path: &Path) -> io::Result<()> {
    // On Windows, a link to a directory is removed as one.
    fs::remove_file(path).or_else(|error| fs::remove_dir(path).map_err(|_| error))
}
