//! Looking for skills in the roots.
//!
//! The directories of one depth are looked at together, in threads, before those of the next. Files in
//! a skill are not listed: the names that matter are known.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dibber_text::folder::{FileError, Folder};
use dibber_text::{message, parallel, quote_display};

use super::problem::IndexProblem;
use super::root::Root;
use super::scanned::{ScannedSkill, scan_folder};
use super::watched::Watched;

/// The directories for which another thread is started: looking at a few takes less than that.
pub(super) const ITEMS_PER_THREAD: usize = 64;

/// The most directories of a root that are looked at.
const DIRECTORIES_MAX: usize = 100_000;

/// The most files and directories of a directory that is not a skill.
const ENTRIES_MAX: usize = 20_000;

/// The deepest directory below a root that is looked at.
const DEPTH_MAX: usize = 32;

/// A directory that has no skills of the project itself.
const DEPENDENCIES: &str = "node_modules";

/// What was found in the roots, in their order.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) roots: Vec<RootScan>,
}

/// What was found in one root.
#[derive(Debug, Default)]
pub(super) struct RootScan {
    /// The directory without symbolic links; none if it cannot be read.
    pub(super) directory: Option<PathBuf>,
    /// The directories that are not only skills, sorted.
    pub(super) containers: Vec<Watched>,
    /// The skills, sorted by directory.
    pub(super) skills: Vec<Arc<ScannedSkill>>,
    pub(super) problems: Vec<IndexProblem>,
    /// Whether all of it was read twice, with enough time in between for a change to have another
    /// time.
    pub(super) is_settled: bool,
}

impl Scan {
    /// Looks for skills; what has not changed since the previous scan is not read.
    pub(super) fn new(roots: &[Root], previous: Option<&Self>) -> Self {
        let scan = |(at, root)| RootScan::new(root, previous.and_then(|scan| scan.roots.get(at)));
        Self { roots: roots.iter().enumerate().map(scan).collect() }
    }
}

impl RootScan {
    fn new(root: &Root, previous: Option<&Self>) -> Self {
        let scanned = fs::canonicalize(&root.directory)
            .map_err(FileError::from)
            .and_then(|directory| Self::of_directory(directory, &root.label, previous));
        scanned.unwrap_or_else(|error| Self::unreadable(root, &error, previous))
    }

    /// Keeps the skills of a root that cannot be read now.
    fn unreadable(root: &Root, error: &FileError, previous: Option<&Self>) -> Self {
        let skills = previous.map(|previous| previous.skills.clone()).unwrap_or_default();
        let path = root.directory.clone();
        let mut reason = message!["the directory ", quote_display(error)];
        let problem = if skills.is_empty() {
            let help = "create the directory, or start the server without it".into();
            IndexProblem::skipped(path, &reason, &help)
        } else {
            reason.push("; the skills found before are still listed");
            let help = "restore the directory, or start the server again".into();
            IndexProblem::served(path, &reason, &help)
        };
        Self { skills, problems: vec![problem], is_settled: true, ..Self::default() }
    }

    fn of_directory(
        directory: PathBuf,
        label: &str,
        previous: Option<&Self>,
    ) -> Result<Self, FileError> {
        let known = previous.map(|previous| &previous.skills[..]).unwrap_or_default();
        let known = known.iter().map(|skill| (skill.directory.as_path(), skill)).collect();
        let mut walk = Walk { label, known, scan: Self::default(), left: DIRECTORIES_MAX };
        let top = walk.visit_root(&directory)?;
        let mut level = walk.add([top]);
        for _ in 1..=DEPTH_MAX {
            if level.is_empty() {
                break;
            }
            walk.limit(&directory, &mut level);
            let visited = parallel::map(&level, ITEMS_PER_THREAD, |path| walk.visit(path));
            level = walk.add(visited);
        }
        for path in level {
            let reason = message!["the directory is deeper than ", DEPTH_MAX, " directories"];
            walk.scan.problems.push(IndexProblem::skipped(path, &reason, &"move it up".into()));
        }
        let mut scan = walk.scan;
        scan.skills.sort_by(|a, b| a.directory.cmp(&b.directory));
        scan.containers.sort_by(|a, b| a.path.cmp(&b.path));
        scan.is_settled = scan.skills.iter().all(|skill| skill.is_confirmed)
            && previous.is_some_and(|previous| previous.containers == scan.containers);
        scan.directory = Some(directory);
        Ok(scan)
    }
}

/// The walk through one root.
struct Walk<'a> {
    label: &'a str,
    known: HashMap<&'a Path, &'a Arc<ScannedSkill>>,
    scan: RootScan,
    /// How many more directories are looked at.
    left: usize,
}

/// What was found in one directory.
#[derive(Default)]
struct Visited {
    container: Option<Watched>,
    skill: Option<Arc<ScannedSkill>>,
    below: Vec<PathBuf>,
    problem: Option<IndexProblem>,
}

impl Walk<'_> {
    /// Looks at a root, which may be a skill and contain others.
    fn visit_root(&self, path: &Path) -> Result<Visited, FileError> {
        let folder = Folder::open(path)?;
        let container = Watched::new(path.to_owned(), Some(&folder.metadata()?));
        let skill = scan_folder(path, &folder, &container, self.label, self.known(path));
        let visited = Visited { skill: skill.map(Arc::new), ..Visited::default() };
        list(&folder, container, visited)
    }

    /// Looks at a directory below a root. What is in a skill is part of it.
    fn visit(&self, path: &Path) -> Visited {
        let known = self.known(path);
        if let Some(known) = known
            && known.is_confirmed
            && known.is_same()
        {
            return Visited { skill: Some(Arc::clone(known)), ..Visited::default() };
        }
        self.visit_changed(path, known).unwrap_or_else(|error| match error {
            // Removed since its parent was listed, whose time shows it.
            FileError::NotFound | FileError::NotADirectory | FileError::Link => Visited::default(),
            error => Visited {
                container: Some(Watched::now(path.to_owned())),
                problem: Some(IndexProblem::skipped(
                    path.to_owned(),
                    &message!["the directory ", quote_display(error)],
                    &"check the permissions".into(),
                )),
                ..Visited::default()
            },
        })
    }

    fn visit_changed(
        &self,
        path: &Path,
        known: Option<&Arc<ScannedSkill>>,
    ) -> Result<Visited, FileError> {
        let folder = Folder::open(path)?;
        let container = Watched::new(path.to_owned(), Some(&folder.metadata()?));
        match scan_folder(path, &folder, &container, self.label, known) {
            Some(skill) => Ok(Visited { skill: Some(Arc::new(skill)), ..Visited::default() }),
            None => list(&folder, container, Visited::default()),
        }
    }

    fn known(&self, path: &Path) -> Option<&Arc<ScannedSkill>> {
        self.known.get(path).copied()
    }

    /// Adds what was found, and returns the directories to look at next.
    fn add(&mut self, found: impl IntoIterator<Item = Visited>) -> Vec<PathBuf> {
        let mut below = Vec::new();
        for visited in found {
            self.scan.containers.extend(visited.container);
            self.scan.skills.extend(visited.skill);
            self.scan.problems.extend(visited.problem);
            below.extend(visited.below);
        }
        below
    }

    /// Leaves out the last directories of a depth if there are too many.
    fn limit(&mut self, root: &Path, level: &mut Vec<PathBuf>) {
        if level.len() > self.left {
            level.sort();
            level.truncate(self.left);
            let reason = message![
                "there are more than ",
                DIRECTORIES_MAX,
                " directories; the others were not searched"
            ];
            let help = "name the directories in which the skills are".into();
            self.scan.problems.push(IndexProblem::served(root.to_owned(), &reason, &help));
        }
        self.left -= level.len();
    }
}

/// Adds the directories in a directory.
fn list(folder: &Folder, container: Watched, visited: Visited) -> Result<Visited, FileError> {
    let path = container.path.clone();
    let entries = folder.entries("", ENTRIES_MAX)?;
    let problem = entries.is_none().then(|| {
        let reason = message!["the directory has more than ", ENTRIES_MAX, " entries"];
        let help = "move the skills to a directory of their own".into();
        IndexProblem::skipped(path.clone(), &reason, &help)
    });
    let entries = entries.unwrap_or_default().into_iter();
    let directories = entries.filter(|entry| entry.is_directory() && entry.name != DEPENDENCIES);
    let below = directories.map(|entry| path.join(entry.name)).collect();
    Ok(Visited { container: Some(container), below, problem, ..visited })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_too_many_directories_the_first_ones_are_searched() {
        let (known, scan) = (HashMap::new(), RootScan::default());
        let mut walk = Walk { label: "tests", known, scan, left: 3 };
        let mut level: Vec<PathBuf> = ["c", "a"].map(PathBuf::from).into();
        walk.limit(Path::new("root"), &mut level);
        assert_eq!((level.len(), walk.scan.problems.len()), (2, 0));
        let mut level: Vec<PathBuf> = ["c", "a", "b"].map(PathBuf::from).into();
        walk.limit(Path::new("root"), &mut level);
        assert_eq!(level, [PathBuf::from("a")]);
        assert_eq!(
            walk.scan.problems[0].reason,
            "there are more than 100000 directories; the others were not searched"
        );
        walk.limit(Path::new("root"), &mut level);
        assert!(level.is_empty());
    }
}
