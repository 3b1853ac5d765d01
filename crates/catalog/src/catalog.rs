//! The skills of some folders, described and digested.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dibber_skill::discover::{self, FoundKind, FoundSkill};
use dibber_skill::skill::{SKILL_BYTES_MAX, SKILL_FILE_NAME, SKILL_FILE_NAMES};
use dibber_text::folder::{FileError, Folder, read_whole};
use dibber_text::{Message, Problem, Source, message, parallel, quote_display};

use crate::contents::{ContentsLimits, ListedFile, SkillContents, bundle_digest};
use crate::description::{SkillDescription, describe};
use crate::digest::Digest;
use crate::folder::{FolderProblem, list_files, read_files};
use crate::skill_file::parse_skill_file;

/// The skills for which another thread is started.
const SKILLS_PER_THREAD: usize = 4;

/// The skills of some folders.
#[derive(Debug, Default)]
pub struct Catalog {
    /// The skills, sorted by name, then by directory.
    pub skills: Vec<CatalogSkill>,
    /// What is wrong with these and others.
    pub problems: Vec<CatalogProblem>,
}

/// A skill in a folder.
#[derive(Debug)]
pub struct CatalogSkill {
    /// Its directory, as it is opened.
    pub directory: PathBuf,
    /// Its directory, as it is shown.
    pub shown: String,
    /// What it says of itself.
    pub description: SkillDescription,
    /// Its files, sorted by path, with those of skills in directories below.
    pub files: Vec<ListedFile>,
    /// The digest of all of it: see [`bundle_digest`].
    pub digest: Digest,
    /// It is in the directory of another skill.
    pub is_nested: bool,
}

/// What is wrong with a skill.
#[derive(Debug)]
pub struct CatalogProblem {
    /// The file or directory, as it is shown.
    pub path: String,
    /// The line and column in that file, from 1, if the problem has a place there.
    pub position: Option<(usize, usize)>,
    /// What is wrong.
    pub message: Message,
    /// The skill is not in the catalogue.
    pub is_left_out: bool,
}

impl Catalog {
    /// Reads the skills at and below some paths, each once.
    pub fn read(paths: &[PathBuf]) -> Self {
        let (mut found, errors) = discover::find(paths);
        // Skills in the directory of another one come right after it.
        found.sort_by(|a, b| a.directory.cmp(&b.directory));
        let read = parallel::map(&WithNested::all(&found), SKILLS_PER_THREAD, read_skill);
        let mut catalog = Self::default();
        for error in errors {
            let (path, message) = (error.path.clone(), error.message());
            catalog.problems.push(CatalogProblem {
                path,
                position: None,
                message,
                is_left_out: true,
            });
        }
        for (skill, problems) in read {
            catalog.skills.extend(skill);
            catalog.problems.extend(problems);
        }
        catalog.skills.sort_by(|a, b| {
            (&a.description.name, &a.directory).cmp(&(&b.description.name, &b.directory))
        });
        catalog
    }
}

impl CatalogSkill {
    /// Returns the name of the skill's own file, as it is written on disk.
    pub fn skill_file(&self) -> &str {
        let is_there = |name: &&&str| self.files.iter().any(|file| file.path.as_str() == **name);
        SKILL_FILE_NAMES.iter().find(is_there).copied().unwrap_or(SKILL_FILE_NAME)
    }

    /// Reads the files of the skill into memory; none if they are not a skill any more.
    pub fn read(&self, limits: ContentsLimits) -> (Option<SkillContents>, Vec<FolderProblem>) {
        let paths = self.files.iter().map(|file| file.path.clone());
        read_files(&self.directory, paths, limits)
    }

    /// Reads a file of the skill again; at most `bytes_max` bytes.
    pub fn read_file(&self, path: &str, bytes_max: u64) -> Result<Vec<u8>, FileError> {
        let real = self.directory.canonicalize()?;
        read_whole(Folder::open(&real)?.open_file(path)?, bytes_max)
    }
}

/// A skill that was found, with those in directories below it.
struct WithNested<'a> {
    found: &'a FoundSkill,
    nested: &'a [FoundSkill],
    is_nested: bool,
}

impl<'a> WithNested<'a> {
    /// Returns each skill with those below it. They are sorted by directory.
    fn all(found: &'a [FoundSkill]) -> Vec<Self> {
        let mut outer: Option<&Path> = None;
        let mut all = Vec::new();
        for (at, skill) in found.iter().enumerate() {
            let is_below = |other: &FoundSkill| other.directory.starts_with(&skill.directory);
            let after = &found[at + 1..];
            let end = after.iter().position(|other| !is_below(other)).unwrap_or(after.len());
            let is_nested = outer.is_some_and(|outer| skill.directory.starts_with(outer));
            if !is_nested {
                outer = Some(&skill.directory);
            }
            all.push(Self { found: skill, nested: &after[..end], is_nested });
        }
        all
    }

    /// Returns the paths of all files, each once, with their kinds.
    fn files(&self) -> BTreeMap<String, FoundKind> {
        let mut files = BTreeMap::new();
        for skill in std::iter::once(self.found).chain(self.nested) {
            let below =
                skill.directory.strip_prefix(&self.found.directory).unwrap_or(Path::new(""));
            let names = below.components().map(|name| name.as_os_str().to_string_lossy());
            let below: String = names.flat_map(|name| [name, "/".into()]).collect();
            files.extend(skill.listed_files().map(|(path, kind)| (format!("{below}{path}"), kind)));
        }
        files
    }
}

fn read_skill(with_nested: &WithNested) -> (Option<CatalogSkill>, Vec<CatalogProblem>) {
    let found = with_nested.found;
    let mut problems = Vec::new();
    let shown_file = found.shown_skill_file();
    let left_out = |message| CatalogProblem {
        path: shown_file.clone(),
        position: None,
        message,
        is_left_out: true,
    };
    let bytes = match read_skill_file(&found.directory, &found.skill_file) {
        Ok(bytes) => bytes,
        Err(error) => return (None, vec![left_out(quote_display(error))]),
    };
    let skill = parse_skill_file(&shown_file, bytes.clone());
    let described = describe(&skill);
    let is_left_out = described.description.is_none();
    let at = |problem: &Problem| position(&skill.source, problem.place.start);
    problems.extend(described.problems.iter().map(|problem| CatalogProblem {
        path: shown_file.clone(),
        position: Some(at(problem)),
        message: problem.message.clone(),
        is_left_out,
    }));
    let Some(description) = described.description else { return (None, problems) };
    let (files, others) = list_files(&found.directory, &with_nested.files());
    problems.extend(others.into_iter().map(|problem| CatalogProblem {
        path: found.shown.clone(),
        position: None,
        message: message![problem.with_path(), "; it is left out"],
        is_left_out: false,
    }));
    let digest = bundle_digest(&files, &bytes);
    let skill = CatalogSkill {
        directory: found.directory.clone(),
        shown: found.shown.clone(),
        description,
        files,
        digest,
        is_nested: with_nested.is_nested,
    };
    (Some(skill), problems)
}

fn read_skill_file(directory: &Path, name: &str) -> Result<Vec<u8>, FileError> {
    let folder = Folder::open(&directory.canonicalize()?)?;
    read_whole(folder.open_file(name)?, SKILL_BYTES_MAX as u64)
}

fn position(source: &Source, at: usize) -> (usize, usize) {
    let place = source.line_column(at);
    (place.line, place.column)
}
