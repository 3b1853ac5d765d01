//! The walk: which folders hold a skill, and the names of all files below them.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, FileType};
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc;

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::{
    DiscoverError, DiscoverErrorKind, FoundFile, FoundKind, FoundSkill, is_skill_file_name,
    shown_path,
};
use crate::manifest::MANIFEST_FILE_NAME;
use crate::skill::{FILES_MAX, SKILL_FILE_NAME};

/// Folders that never hold skills of the project itself.
const SKIPPED_FOLDERS: [&str; 4] = [".git", ".hg", ".jj", "node_modules"];
/// The most threads that walk; more do not help, since the work is the system's.
const THREADS_MAX: usize = 8;

/// Finds the skills at and below `paths`, sorted by path, each once; and what went wrong.
///
/// A file inside a skill stands for the whole skill. `.gitignore` files are honoured below a
/// path, though not for `sprout.yaml`; hidden folders are walked, links are not followed except
/// for the paths themselves.
pub fn find(paths: &[PathBuf]) -> (Vec<FoundSkill>, Vec<DiscoverError>) {
    let mut errors = Vec::new();
    let mut folders = Vec::new();
    let mut skills = Vec::new();
    let mut known = HashSet::new();
    for path in paths {
        match starting_folder(path) {
            Ok(folder) => folders.push(folder),
            Err(error) => errors.push(error),
        }
    }
    for Start { folder, is_one_skill } in folders {
        let errors_before = errors.len();
        let listing = walk(&folder, &mut errors);
        let found = group(&folder, listing, is_one_skill, &mut errors);
        if found.is_empty() && errors.len() == errors_before {
            let shown = shown_path(&folder);
            let shown = if shown.is_empty() { ".".to_owned() } else { shown };
            errors.push(DiscoverError::new(shown, DiscoverErrorKind::NoSkill));
        }
        // No link is followed on the way down, so that below a real path all paths are real.
        let real = fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        let mut is_new = |skill: &FoundSkill| {
            known.insert(real.join(skill.folder.strip_prefix(&folder).unwrap_or(Path::new(""))))
        };
        skills.extend(found.into_iter().filter(|skill| is_new(skill)));
    }
    skills.sort_by(|a: &FoundSkill, b| a.shown.cmp(&b.shown));
    (skills, errors)
}

/// Where to start, and whether only the skill in that very folder is meant.
struct Start {
    folder: PathBuf,
    is_one_skill: bool,
}

fn starting_folder(path: &Path) -> Result<Start, DiscoverError> {
    let shown = || path.to_string_lossy().into_owned();
    let metadata = fs::metadata(path).map_err(|error| match fs::symlink_metadata(path) {
        Ok(link) if link.is_symlink() => DiscoverError::new(shown(), DiscoverErrorKind::BrokenLink),
        _ => DiscoverError::io(shown(), error),
    })?;
    if metadata.is_dir() {
        return Ok(Start { folder: path.to_owned(), is_one_skill: false });
    }
    let mut folder = folder_above(path);
    while let Some(candidate) = folder {
        if has_skill_file(&candidate) {
            return Ok(Start { folder: candidate, is_one_skill: true });
        }
        let is_top = fs::canonicalize(&candidate).map_or(true, |real| real.parent().is_none());
        if is_top || candidate.join(".git").exists() {
            break;
        }
        folder = folder_above(&candidate);
    }
    Err(DiscoverError::new(shown(), DiscoverErrorKind::NotInSkill))
}

/// The folder that a file or folder lies in, as seen from the current folder.
fn folder_above(path: &Path) -> Option<PathBuf> {
    match path.components().next_back() {
        None | Some(Component::CurDir) => Some(PathBuf::from("..")),
        Some(Component::ParentDir) => Some(path.join("..")),
        Some(Component::RootDir | Component::Prefix(_)) => None,
        Some(Component::Normal(_)) => match path.parent()? {
            parent if parent.as_os_str().is_empty() => Some(PathBuf::from(".")),
            parent => Some(parent.to_owned()),
        },
    }
}

fn has_skill_file(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_str().is_some_and(is_skill_file_name))
    })
}

/// One file or link, by its path from the start.
struct Listed {
    path: String,
    kind: FoundKind,
    /// The folder that it lies in, when the name of that cannot be written as text.
    folder: Option<PathBuf>,
}

/// Lists every file below `folder`, and every folder that bears the name of a skill's file.
fn walk(folder: &Path, errors: &mut Vec<DiscoverError>) -> Vec<Listed> {
    // A folder that is a skill itself is small, and idle threads of the walk would sleep longer
    // than it takes.
    let threads = if has_skill_file(folder) {
        1
    } else {
        std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX)
    };
    let walker = WalkBuilder::new(folder)
        .hidden(false)
        .require_git(false)
        .ignore(false)
        // What one person ignores everywhere is the same skill on another machine.
        .git_global(false)
        .threads(threads)
        .filter_entry(|entry| !is_skipped(entry))
        .build_parallel();
    let (sender, receiver) = mpsc::channel();
    walker.run(|| {
        let mut sender = Batch { sender: sender.clone(), items: Vec::new() };
        Box::new(move |entry| {
            match entry {
                Ok(entry) if entry.depth() > 0 => sender.push(listed(&entry, folder)),
                Ok(_) => {}
                Err(error) => sender.push(Some(Err(walk_error(&error, folder)))),
            }
            WalkState::Continue
        })
    });
    drop(sender);
    let mut listing = Vec::new();
    for item in receiver.into_iter().flatten() {
        match item {
            Ok(listed) => listing.push(listed),
            Err(error) => errors.push(error),
        }
    }
    listing.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    listing
}

type Item = Result<Listed, DiscoverError>;

/// What one thread has listed, handed over when the thread ends.
struct Batch {
    sender: mpsc::Sender<Vec<Item>>,
    items: Vec<Item>,
}

impl Batch {
    fn push(&mut self, item: Option<Item>) {
        self.items.extend(item);
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // The receiver outlives every thread of the walk.
        let _ = self.sender.send(std::mem::take(&mut self.items));
    }
}

fn is_skipped(entry: &DirEntry) -> bool {
    entry.depth() > 0
        && entry.file_name().to_str().is_some_and(|name| SKIPPED_FOLDERS.contains(&name))
        && entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn listed(entry: &DirEntry, start: &Path) -> Option<Item> {
    let file_type = entry.file_type()?;
    let below = entry.path().strip_prefix(start).unwrap_or(entry.path());
    let path = shown_path(below);
    if file_type.is_dir() {
        let is_misplaced = entry.file_name().to_str() == Some(SKILL_FILE_NAME);
        let shown = shown_path(entry.path());
        return is_misplaced.then(|| Err(DiscoverError::new(shown, DiscoverErrorKind::IsFolder)));
    }
    let kind = found_kind(file_type);
    let is_text = below.to_str().is_some();
    let folder = if is_text { None } else { entry.path().parent().map(Path::to_owned) };
    Some(Ok(Listed { path, kind, folder }))
}

fn found_kind(file_type: FileType) -> FoundKind {
    match file_type {
        kind if kind.is_file() => FoundKind::Regular,
        kind if kind.is_symlink() => FoundKind::Link,
        kind if kind.is_dir() => FoundKind::Folder,
        _ => FoundKind::Special,
    }
}

fn walk_error(error: &ignore::Error, start: &Path) -> DiscoverError {
    fn path_of(error: &ignore::Error) -> Option<&Path> {
        match error {
            ignore::Error::WithPath { path, .. } => Some(path),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
                path_of(err)
            }
            _ => None,
        }
    }
    let path = shown_path(path_of(error).unwrap_or(start));
    let kind = match error.io_error() {
        Some(io) => std::io::Error::from(io.kind()),
        None => std::io::Error::other(error.to_string()),
    };
    DiscoverError::io(path, kind)
}

/// Gives each file to every skill whose folder it lies in.
fn group(
    start: &Path,
    listing: Vec<Listed>,
    is_one_skill: bool,
    errors: &mut Vec<DiscoverError>,
) -> Vec<FoundSkill> {
    let mut skills: BTreeMap<String, FoundSkill> = BTreeMap::new();
    for listed in &listing {
        let (folder, name) = listed.path.rsplit_once('/').unwrap_or(("", &listed.path));
        if !is_skill_file_name(name) || (is_one_skill && !folder.is_empty()) {
            continue;
        }
        if listed.kind == FoundKind::Special {
            let shown = shown_path(&start.join(&listed.path));
            errors.push(DiscoverError::new(shown, DiscoverErrorKind::NotAFile));
            continue;
        }
        let skill = skills.entry(folder.to_owned()).or_insert_with(|| {
            let folder = match &listed.folder {
                Some(folder) => folder.clone(),
                None if folder.is_empty() => start.to_owned(),
                None => start.join(folder),
            };
            found(folder, name)
        });
        // The right spelling wins over any other in the same folder.
        if name == SKILL_FILE_NAME {
            name.clone_into(&mut skill.skill_file);
        }
    }
    forget_documents(&mut skills);
    for listed in listing {
        let mut folder = listed.path.as_str();
        loop {
            folder = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
            if let Some(skill) = skills.get_mut(folder) {
                add_file(skill, folder, &listed);
            }
            if folder.is_empty() {
                break;
            }
        }
    }
    let mut skills: Vec<FoundSkill> = skills.into_values().collect();
    skills.iter_mut().for_each(add_unlisted_manifest);
    skills
}

/// How a skill is published depends neither on what git ignores, nor on where the folder lies.
fn add_unlisted_manifest(skill: &mut FoundSkill) {
    let path = skill.folder.join(MANIFEST_FILE_NAME);
    if skill.files.iter().any(|file| file.path == MANIFEST_FILE_NAME)
        || fs::symlink_metadata(path).is_err()
    {
        return;
    }
    // Some systems find `Sprout.yaml` by that name, too, so that the folder has to say it.
    let Ok(entries) = fs::read_dir(&skill.folder) else { return };
    let manifest = entries.flatten().find(|entry| entry.file_name() == MANIFEST_FILE_NAME);
    let Some(Ok(file_type)) = manifest.map(|entry| entry.file_type()) else { return };
    let place = skill.files.partition_point(|file| file.path.as_str() < MANIFEST_FILE_NAME);
    let file = FoundFile { path: MANIFEST_FILE_NAME.to_owned(), kind: found_kind(file_type) };
    skill.files.insert(place, file);
}

/// Inside a skill, a file such as `references/skill.md` is a document and no skill of its own.
fn forget_documents(skills: &mut BTreeMap<String, FoundSkill>) {
    let is_inside = |folder: &str| {
        let parents = folder.match_indices('/').map(|(at, _)| &folder[..at]);
        !folder.is_empty()
            && parents.chain([""]).any(|parent| parent != folder && skills.contains_key(parent))
    };
    let documents: Vec<String> = skills
        .iter()
        .filter(|(folder, skill)| skill.skill_file != SKILL_FILE_NAME && is_inside(folder))
        .map(|(folder, _)| folder.clone())
        .collect();
    for folder in documents {
        skills.remove(&folder);
    }
}

fn found(folder: PathBuf, skill_file: &str) -> FoundSkill {
    FoundSkill {
        shown: shown_path(&folder),
        folder,
        skill_file: skill_file.to_owned(),
        files: Vec::new(),
        files_left_out: 0,
    }
}

fn add_file(skill: &mut FoundSkill, folder: &str, listed: &Listed) {
    let path = if folder.is_empty() { &listed.path } else { &listed.path[folder.len() + 1..] };
    if skill.files.len() >= FILES_MAX && path != MANIFEST_FILE_NAME {
        skill.files_left_out += 1;
        return;
    }
    skill.files.push(FoundFile { path: path.to_owned(), kind: listed.kind });
}
