//! The values of arguments that a shell is offered, as far as they are known without a server.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::names_file;
use dibber_lint::RULES;
use dibber_lint::report::FORMATS;
use dibber_schedule::zone_names;
use dibber_skill::discover::shown_path;
use dibber_skill::skill::SKILL_FILE_NAME;
use dibber_text::{Mask, escape_line};

/// How many directories below the current one skills are looked for.
const DEPTH_MAX: usize = 4;
/// The most directories that are looked into.
const DIRECTORIES_MAX: usize = 2_000;
/// Directories of build tools, with many files and no skills.
const SKIPPED: [&str; 2] = ["node_modules", "target"];
/// The directory in which many programs look for skills, also below a hidden one such as `.claude`.
const SKILLS: &str = "skills";

/// A value that can be typed.
pub(in crate::cli) struct Candidate {
    pub(in crate::cli) value: String,
    /// What it is, where the shell shows it.
    pub(in crate::cli) help: Option<&'static str>,
}

impl Candidate {
    /// Creates a value that explains itself.
    pub(in crate::cli) fn new(value: impl Into<String>) -> Self {
        Self { value: value.into(), help: None }
    }
}

/// Returns what lists the values of an argument with this name in the help.
pub(in crate::cli) type CandidateSource = fn(&str) -> Option<fn() -> Vec<Candidate>>;

/// The source of what needs no server.
pub(in crate::cli) fn source(name: &str) -> Option<fn() -> Vec<Candidate>> {
    Some(match name {
        "RULE" => || RULES.iter().map(|rule| named(rule.meta.id, rule.meta.summary)).collect(),
        "FORMAT[=FILE]" => {
            || FORMATS.iter().map(|format| named(format.name, format.summary)).collect()
        }
        "ZONE" => || zone_names().map(Candidate::new).collect(),
        "SKILL" => || skill_directories().into_iter().map(Candidate::new).collect(),
        _ => return None,
    })
}

fn named(value: &str, help: &'static str) -> Candidate {
    Candidate { help: Some(help), ..Candidate::new(value) }
}

/// Leaves out what must not be shown: secrets and names, and what a terminal would act on.
pub(super) fn without_private(candidates: Vec<Candidate>) -> impl Iterator<Item = Candidate> {
    let names = names_file::load();
    candidates.into_iter().filter(move |Candidate { value, .. }| {
        let is_plain = matches!(escape_line(value), Cow::Borrowed(_));
        is_plain && matches!(names.mask(value), Cow::Borrowed(_))
    })
}

/// Returns the directories of skills below the current one.
pub(in crate::cli) fn skill_directories() -> Vec<String> {
    let (mut found, mut looked_into) = (Vec::new(), 0);
    let mut directories = vec![(PathBuf::from("."), 0)];
    while let Some((directory, depth)) = directories.pop() {
        looked_into += 1;
        if looked_into > DIRECTORIES_MAX {
            break;
        }
        if directory.join(SKILL_FILE_NAME).is_file() {
            let path = shown_path(directory.strip_prefix(".").unwrap_or(&directory));
            found.push(if path.is_empty() { ".".to_owned() } else { path });
        }
        if depth < DEPTH_MAX {
            directories.extend(below(&directory).map(|directory| (directory, depth + 1)));
        }
    }
    found.sort();
    found
}

/// Returns the directories in a directory; links are not followed. Of a hidden one, only the directory
/// of skills in it is returned.
fn below(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    directories.filter_map(|entry| {
        let name = entry.file_name();
        let name = name.to_str()?;
        if name.starts_with('.') {
            return Some(entry.path().join(SKILLS)).filter(|skills| is_directory(skills));
        }
        (!SKIPPED.contains(&name)).then(|| entry.path())
    })
}

/// Returns `true` if a directory is at a path, and no link to one.
fn is_directory(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
}
