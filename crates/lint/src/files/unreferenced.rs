//! The references and scripts of a skill that are never mentioned.
//!
//! The search starts at `SKILL.md` and continues in every file that is mentioned. It prefers to
//! miss an unreferenced file over reporting a referenced one: a name counts anywhere as a word,
//! and so does a pattern or the name of the whole directory.

use std::collections::{HashMap, HashSet};

use aho_corasick::{AhoCorasick, MatchKind};

use super::mentions::{MentionKind, TopDirectories, file_names, is_in_name};
use dibber_skill::skill::{NestedSkills, Skill};
use dibber_text::Span;

/// Directories of files that a model is told to read.
const REFERENCE_DIRECTORIES: [&str; 2] = ["references", "reference"];
/// The directory of scripts that a model is told to run.
const SCRIPT_DIRECTORY: &str = "scripts";
/// Extensions of scripts.
const SCRIPT_EXTENSIONS: [&str; 10] =
    ["py", "sh", "bash", "js", "mjs", "cjs", "ts", "rb", "ps1", "pl"];
/// Prefixes of the names of files that are written for people and not for a model.
const HUMAN_FILE_PREFIXES: [&str; 3] = ["readme", "changelog", "license"];

/// A file that should be mentioned somewhere.
struct Candidate<'s> {
    path: &'s str,
    /// Its text, if it was read.
    text: Option<&'s str>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unmentioned,
    Mentioned,
}

/// The candidates, sorted by path, and the state of the search.
struct Candidates<'s> {
    files: Vec<Candidate<'s>>,
    /// The mentioned ones whose text has not been searched yet.
    queue: Vec<usize>,
    unmentioned: usize,
}

struct Search<'s> {
    candidates: Candidates<'s>,
    /// The candidates by the name of their file.
    by_name: HashMap<&'s str, Vec<usize>>,
    /// The bytes of the longest of these names.
    name_bytes_max: usize,
    directories: TopDirectories<'s>,
    /// Prefixes of paths whose files are all mentioned.
    prefixes: HashSet<&'s str>,
    /// The text that was searched, by file.
    searched: Vec<&'s str>,
}

/// Returns the paths of the references and scripts that are never mentioned, sorted.
pub(crate) fn files(skill: &Skill) -> Vec<&str> {
    let files = candidates(skill);
    let Some(directories) = TopDirectories::new(&skill.bundle).filter(|_| !files.is_empty()) else {
        return Vec::new();
    };
    let mut search = Search::new(files, directories);
    search.read(skill.source.text());
    search.read_mentioned();
    for resource in skill.resources.iter().filter(|resource| is_root(&resource.path)) {
        if search.candidates.unmentioned == 0 {
            break;
        }
        search.read(resource.source.text());
        search.read_mentioned();
    }
    if search.candidates.unmentioned > 0 {
        search.search_words();
    }
    let files = search.candidates.files.into_iter();
    files.filter(|file| file.state == State::Unmentioned).map(|file| file.path).collect()
}

fn candidates(skill: &Skill) -> Vec<Candidate<'_>> {
    let nested = skill.bundle.nested_skills();
    let files = skill.bundle.files.iter().map(|file| file.path.as_str());
    let candidates: Vec<&str> = files.filter(|path| is_candidate(path, skill, &nested)).collect();
    let text_of = |path: &str| {
        let index = skill.resources.binary_search_by(|resource| resource.path.as_str().cmp(path));
        index.ok().map(|index| skill.resources[index].source.text())
    };
    let candidate = |path| Candidate { path, text: text_of(path), state: State::Unmentioned };
    candidates.into_iter().map(candidate).collect()
}

fn is_candidate(path: &str, skill: &Skill, nested: &NestedSkills<'_>) -> bool {
    let Some((directory, rest)) = path.split_once('/') else { return false };
    let name = rest.rsplit_once('/').map_or(rest, |(_, name)| name);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    if stem.is_empty() || starts_with_any(name, &HUMAN_FILE_PREFIXES) || nested.own(path) {
        return false;
    }
    if REFERENCE_DIRECTORIES.contains(&directory) {
        return extension == "md";
    }
    directory == SCRIPT_DIRECTORY
        && rest == name
        && SCRIPT_EXTENSIONS.contains(&extension)
        && !is_helper(stem)
        && skill.bundle.file("scripts/__init__.py").is_none()
}

fn starts_with_any(name: &str, words: &[&str]) -> bool {
    let begins = |word: &&str| {
        name.as_bytes().get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word.as_bytes()))
    };
    words.iter().any(begins)
}

/// Returns `true` if a script is, judging by its name, a test or a module of other scripts.
fn is_helper(stem: &str) -> bool {
    stem.starts_with(['_', '.'])
        || ["test_", "test-", "conftest"].iter().any(|start| stem.starts_with(start))
        || ["_test", "-test", ".test", ".spec", ".d", ".config"]
            .iter()
            .any(|end| stem.ends_with(end))
        || matches!(stem, "test" | "tests" | "setup" | "index" | "utils" | "common" | "lib")
}

/// Returns `true` if a file is used without being mentioned, and so are the files it mentions.
fn is_root(path: &str) -> bool {
    let (directory, name) = path.split_once('/').unwrap_or(("", path));
    directory != SCRIPT_DIRECTORY
        && !REFERENCE_DIRECTORIES.contains(&directory)
        && !starts_with_any(name, &HUMAN_FILE_PREFIXES)
}

impl<'s> Search<'s> {
    fn new(files: Vec<Candidate<'s>>, directories: TopDirectories<'s>) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            by_name.entry(name_of(file.path)).or_default().push(index);
        }
        Self {
            name_bytes_max: by_name.keys().map(|name| name.len()).max().unwrap_or(0),
            candidates: Candidates { unmentioned: files.len(), files, queue: Vec::new() },
            by_name,
            directories,
            prefixes: HashSet::new(),
            searched: Vec::new(),
        }
    }

    fn read_mentioned(&mut self) {
        while self.candidates.unmentioned > 0
            && let Some(index) = self.candidates.queue.pop()
        {
            if let Some(text) = self.candidates.files[index].text {
                self.read(text);
            }
        }
    }

    /// Marks the files and directories that `text` mentions by name.
    fn read(&mut self, text: &'s str) {
        self.searched.push(text);
        for name in file_names(text, self.name_bytes_max, is_extension) {
            // A name is removed once it is found, so that later files are searched for fewer.
            for index in self.by_name.remove(name).unwrap_or_default() {
                self.candidates.mark(index);
            }
        }
        if self.candidates.unmentioned > 0 {
            self.read_directories(text);
        }
    }

    /// Marks files that are mentioned without their extension, as in imports, or whose names have
    /// spaces. This is much slower than [`Self::read`], so it comes last.
    fn search_words(&mut self) {
        let (words, mut owners) = self.candidates.words();
        let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(words);
        let Ok(automaton) = automaton else { return };
        let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| is_in_name(*byte));
        let mut next = 0;
        while self.candidates.unmentioned > 0
            && let Some(&text) = self.searched.get(next)
        {
            next += 1;
            for hit in automaton.find_iter(text) {
                let before = hit.start().checked_sub(1).map(|at| &text.as_bytes()[at]);
                if !is_word(before) && !is_word(text.as_bytes().get(hit.end())) {
                    let found = std::mem::take(&mut owners[hit.pattern().as_usize()]);
                    for index in found {
                        self.candidates.mark(index);
                    }
                }
            }
            self.read_mentioned();
        }
    }

    /// Marks the files in directories that `text` mentions as a whole, or by a pattern.
    fn read_directories(&mut self, text: &'s str) {
        for mention in self.directories.mentions(text, Span::new(0, text.len())) {
            let fixed = mention.path.find(['<', '>', '{', '}', '*', '$', '%', '~']);
            let prefix = match (mention.kind, fixed) {
                (MentionKind::Pattern, Some(end)) => &mention.path[..end],
                _ if mention.path.ends_with('/') => mention.path,
                _ => continue,
            };
            // A prefix that was seen before has marked its files already.
            if self.prefixes.insert(prefix) {
                self.candidates.mark_below(prefix);
            }
        }
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn is_extension(extension: &str) -> bool {
    extension == "md" || SCRIPT_EXTENSIONS.contains(&extension)
}

impl<'s> Candidates<'s> {
    /// Returns the names of the unmentioned files, with and without extension, and for each the
    /// files that have it.
    fn words(&self) -> (Vec<&'s str>, Vec<Vec<usize>>) {
        let mut owners: HashMap<&str, Vec<usize>> = HashMap::new();
        let files = self.files.iter().enumerate();
        for (index, file) in files.filter(|(_, file)| file.state == State::Unmentioned) {
            let name = name_of(file.path);
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            owners.entry(name).or_default().push(index);
            owners.entry(stem).or_default().push(index);
        }
        owners.into_iter().unzip()
    }

    fn mark(&mut self, index: usize) {
        let file = &mut self.files[index];
        if file.state == State::Unmentioned {
            file.state = State::Mentioned;
            self.unmentioned -= 1;
            self.queue.push(index);
        }
    }

    fn mark_below(&mut self, prefix: &str) {
        let first = self.files.partition_point(|file| file.path < prefix);
        let below = self.files[first..].iter().take_while(|file| file.path.starts_with(prefix));
        for index in first..first + below.count() {
            self.mark(index);
        }
    }
}
