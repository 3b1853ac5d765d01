//! The blocks `[[added]]` of `dibber.lock`.
//!
//! The file has other sections, which belong to what publishes skills. So the blocks are cut out of the
//! text and put back at its end: no other byte changes, and a file whose other sections would not remain
//! is refused. A block that says what it said before keeps its text, and one that changes keeps its
//! comments. A block has a line for each fact and for each file, and the blocks are sorted by name: two
//! branches that add different skills merge.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use dibber_skill::skill::name;
use dibber_text::double_quoted as quoted;

use super::record::{AddedFile, AddedSkill};
use crate::clients::{SKILL_CLIENTS, SkillClient};
use crate::digest::Digest;
use crate::path::SkillPath;

/// The first line of a block.
const BLOCK: &str = "[[added]]";

/// What the header of a table in a block begins with.
const TABLE: &str = "[added.";

/// The newest version of the file's shape that is known.
const VERSION_MAX: i64 = 2;

/// The beginning of a file that has no other section.
const HEADER: &str = "\
# What was published and added, and where. dibber keeps this file; commit it.
version = 2
";

/// The prefixes of the lines that git writes around a conflict.
const CONFLICT_MARKERS: [&str; 2] = ["<<<<<<< ", ">>>>>>> "];

/// The skills that were added, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedLock {
    skills: BTreeMap<String, AddedSkill>,
}

/// Why the text of a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedLockError {
    /// The line, from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for AddedLockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for AddedLockError {}

#[derive(Deserialize)]
struct FileV2 {
    version: i64,
    #[serde(default)]
    added: Vec<SkillV1>,
}

/// The blocks alone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlocksV2 {
    #[serde(default)]
    added: Vec<SkillV1>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SkillV1 {
    name: String,
    source: String,
    revision: Option<String>,
    #[serde(default)]
    path: String,
    #[serde(default)]
    directories: Vec<String>,
    #[serde(default)]
    links: Vec<String>,
    digest: Digest,
    #[serde(default)]
    files: BTreeMap<String, FileV1>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a digest, or `{ digest = \"…\", executable = true }`")]
enum FileV1 {
    Plain(Digest),
    Mode { digest: Digest, executable: bool },
}

impl AddedLock {
    /// Parses the blocks of the text of a file. Other sections are not looked at.
    pub fn parse(text: &str) -> Result<Self, AddedLockError> {
        let is_marker = |line: &str| CONFLICT_MARKERS.iter().any(|marker| line.starts_with(marker));
        if let Some(line) = text.lines().position(is_marker) {
            let message = "it contains conflict markers".to_owned();
            return Err(AddedLockError { line: Some(line + 1), message });
        }
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let file: FileV2 = toml::from_str(text).map_err(|error| AddedLockError {
            line: error.span().map(|span| text[..span.start].matches('\n').count() + 1),
            message: error.message().to_owned(),
        })?;
        if file.version > VERSION_MAX {
            let message = format!(
                "its version is {}, and this dibber supports versions to {VERSION_MAX}",
                file.version
            );
            return Err(AddedLockError { line: None, message });
        }
        let mut lock = Self::default();
        for skill in file.added {
            let skill = AddedSkill::try_from(skill)?;
            let name = skill.name.clone();
            if lock.skills.insert(name.clone(), skill).is_some() {
                let message = format!("it has two blocks for the added skill `{name}`");
                return Err(AddedLockError { line: None, message });
            }
        }
        if !lock.skills.is_empty() && !can_be_cut(text, &lock) {
            let message = format!("its `{BLOCK}` tables are not written as dibber writes them");
            return Err(AddedLockError { line: None, message });
        }
        Ok(lock)
    }

    /// Returns the skill of that name.
    pub fn get(&self, name: &str) -> Option<&AddedSkill> {
        self.skills.get(name)
    }

    /// Returns the skills, sorted by name.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &AddedSkill> {
        self.skills.values()
    }

    /// Records a skill in place of that of the same name.
    pub fn insert(&mut self, skill: AddedSkill) {
        self.skills.insert(skill.name.clone(), skill);
    }

    /// Removes the skill of that name.
    pub fn remove(&mut self, name: &str) -> Option<AddedSkill> {
        self.skills.remove(name)
    }

    /// Returns the text of a file with these blocks in place of its own. Everything else remains.
    pub fn write_into(&self, text: &str) -> String {
        let (mut rest, blocks) = split(text);
        let mut old_blocks = BTreeMap::new();
        for text in blocks {
            for skill in parse_blocks(&text).unwrap_or_default().skills.into_values() {
                old_blocks.insert(skill.name.clone(), (skill, text.clone()));
            }
        }
        if rest.trim().is_empty() {
            HEADER.clone_into(&mut rest);
        }
        if !rest.ends_with('\n') {
            rest.push('\n');
        }
        for skill in self.skills.values() {
            rest.push('\n');
            match old_blocks.get(&skill.name) {
                Some((same, text)) if same == skill => rest += text,
                Some((_, text)) => rest += &with_comments(&block(skill), text),
                None => rest += &block(skill),
            }
            if !rest.ends_with('\n') {
                rest.push('\n');
            }
        }
        rest
    }
}

/// Returns the text of a file without its blocks, and each of these, as it is written.
///
/// Blank lines and comments after a block are no part of it, and the blank line before one is written
/// anew.
fn split(text: &str) -> (String, Vec<String>) {
    let (mut rest, mut blocks) = (String::new(), Vec::<String>::new());
    let mut is_in_block = false;
    // Whether blank lines and comments are in a block is known at the line after them.
    let mut pending = String::new();
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        if start.is_empty() || start.starts_with('#') {
            pending.push_str(line);
            continue;
        }
        if start.starts_with(BLOCK) {
            rest += &pending;
            if pending.ends_with("\n\n") || pending == "\n" {
                rest.pop();
            }
            pending.clear();
            blocks.push(String::new());
            is_in_block = true;
        } else if start.starts_with('[') && !start.starts_with(TABLE) {
            is_in_block = false;
        }
        let part = blocks.last_mut().filter(|_| is_in_block).unwrap_or(&mut rest);
        part.push_str(&pending);
        part.push_str(line);
        pending.clear();
    }
    rest += &pending;
    (rest, blocks)
}

/// Returns `true` if the blocks can be cut out of a text, and everything else remains.
fn can_be_cut(text: &str, lock: &AddedLock) -> bool {
    let (rest, blocks) = split(text);
    let table = |text: &str| text.parse::<toml::Table>().ok();
    let whole = table(text).map(|mut whole| {
        whole.remove("added");
        whole
    });
    whole.is_some()
        && whole == table(&rest)
        && parse_blocks(&blocks.concat()).as_ref() == Some(lock)
}

fn parse_blocks(blocks: &str) -> Option<AddedLock> {
    let file: BlocksV2 = toml::from_str(blocks).ok()?;
    let skills = file.added.into_iter().map(AddedSkill::try_from);
    let skills = skills.map(|skill| skill.map(|skill| (skill.name.clone(), skill)));
    Some(AddedLock { skills: skills.collect::<Result<_, _>>().ok()? })
}

/// Returns a block with the comments that another one has on lines of their own.
fn with_comments(block: &str, commented: &str) -> String {
    let comments: String =
        commented.split_inclusive('\n').filter(|line| line.trim_start().starts_with('#')).collect();
    match block.split_once('\n') {
        Some((first, others)) => format!("{first}\n{comments}{others}"),
        None => block.to_owned(),
    }
}

/// Returns the block of a skill.
fn block(skill: &AddedSkill) -> String {
    let name = quoted(&skill.name);
    // As for published skills: the first line differs from those of every other block.
    let mut out = format!("{BLOCK} # {name}\nname = {name}\nsource = {}\n", quoted(&skill.source));
    if let Some(revision) = &skill.revision {
        out += &format!("revision = {}\n", quoted(revision));
    }
    if !skill.path.is_empty() {
        out += &format!("path = {}\n", quoted(&skill.path));
    }
    for (key, list) in [("directories", &skill.directories), ("links", &skill.links)] {
        if !list.is_empty() {
            let list: Vec<_> = list.iter().map(|path| quoted(path)).collect();
            out += &format!("{key} = [{}]\n", list.join(", "));
        }
    }
    out += &format!("digest = \"{}\"\n[added.files]\n", skill.digest);
    for (path, file) in &skill.files {
        let (path, digest) = (quoted(path.as_str()), file.digest);
        out += &if file.is_executable {
            format!("{path} = {{ digest = \"{digest}\", executable = true }}\n")
        } else {
            format!("{path} = \"{digest}\"\n")
        };
    }
    out
}

/// Returns `true` if a skill of that name can be installed there: in the directory of a client.
fn is_place(place: &str, name: &str) -> bool {
    let is_of = |client: &SkillClient, above| client.project == above || client.user == above;
    place.rsplit_once('/').is_some_and(|(above, last)| {
        last == name && SKILL_CLIENTS.iter().any(|client| is_of(client, above))
    })
}

impl TryFrom<SkillV1> for AddedSkill {
    type Error = AddedLockError;

    fn try_from(skill: SkillV1) -> Result<Self, AddedLockError> {
        let SkillV1 { name, source, revision, path, digest, files, .. } = skill;
        let SkillV1 { mut directories, mut links, .. } = skill;
        directories.sort();
        links.sort();
        let invalid = |what: &str, text: &str| AddedLockError {
            line: None,
            message: format!("the added skill `{name}` has an invalid {what} `{text}`"),
        };
        if !name::is_valid(&name) || !name.is_ascii() {
            return Err(invalid("name", &name));
        }
        for place in directories.iter().chain(&links) {
            // A place is one that `dibber add` makes: the removal of a skill removes nothing else.
            if !is_place(place, &name) {
                return Err(invalid("directory", place));
            }
        }
        if directories.is_empty() && !links.is_empty() {
            return Err(invalid("link without a directory", &links[0]));
        }
        let mut recorded = BTreeMap::new();
        for (path, file) in files {
            let path = SkillPath::new(path.as_str()).map_err(|_| invalid("file", &path))?;
            let (digest, is_executable) = match file {
                FileV1::Plain(digest) => (digest, false),
                FileV1::Mode { digest, executable } => (digest, executable),
            };
            recorded.insert(path, AddedFile { digest, is_executable });
        }
        Ok(Self { name, source, revision, path, directories, links, digest, files: recorded })
    }
}
