//! The skills that are offered, and finding them by their URIs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value};

use dibber_skill::skill::{SKILL_FILE_NAME, name};
use dibber_text::{Message, message, quote};

use super::addresses::Addresses;
use super::directory::{DirectoryEntry, entries};
use super::offered::{OfferedFile, OfferedSkill, OfferedSource};
use crate::catalog::{Catalog, CatalogSkill};
use crate::contents::{ContentsLimits, ListedFile, SkillContents};
use crate::description::SkillDescription;
use crate::skill_uri::{SCHEME, canonical_uri};

/// The skills that a server offers.
#[derive(Debug, Default)]
pub struct Offer {
    /// Sorted by URI.
    skills: Vec<OfferedSkill>,
    /// Every file, by its URI: which skill, and which of its files.
    files: BTreeMap<String, (usize, usize)>,
}

/// Why a skill is not offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferProblem {
    /// The directory, as it is shown.
    pub path: String,
    /// What is wrong.
    pub message: Message,
}

impl Offer {
    /// Offers the skills of some folders, which the catalogue has read. No folder has one of the names
    /// `reserved` in its URIs.
    pub fn of_folders(
        folders: &[PathBuf],
        catalog: Catalog,
        reserved: &[&str],
    ) -> (Self, Vec<OfferProblem>) {
        let mut addresses = Addresses::new(folders, reserved);
        let (mut skills, mut problems) = (Vec::new(), Vec::new());
        let mut found = catalog.skills;
        found.sort_by(|a, b| a.directory.cmp(&b.directory));
        for skill in found {
            match check(&skill.description, &skill.files) {
                Ok(()) => skills.push(of_folder(skill, &mut addresses)),
                Err(message) => problems.push(OfferProblem { path: skill.shown, message }),
            }
        }
        (Self::new(skills), problems)
    }

    /// Offers skills in memory, each at a path of its own. The last directory of each path is the name of
    /// the skill.
    pub fn of_contents(
        contents: impl IntoIterator<Item = (String, SkillContents)>,
    ) -> (Self, Vec<OfferProblem>) {
        let (mut skills, mut problems) = (Vec::new(), Vec::new());
        for (path, contents) in contents {
            match of_memory(&path, contents) {
                Ok(skill) => skills.push(skill),
                Err(message) => problems.push(OfferProblem { path, message }),
            }
        }
        (Self::new(skills), problems)
    }

    fn new(mut skills: Vec<OfferedSkill>) -> Self {
        skills.sort_by(|a, b| a.uri.cmp(&b.uri));
        let mut files = BTreeMap::new();
        for (at, skill) in skills.iter().enumerate() {
            for (of_skill, file) in skill.files.iter().enumerate() {
                files.entry(file.uri.clone()).or_insert((at, of_skill));
            }
        }
        Self { skills, files }
    }

    /// Returns the skills, sorted by URI.
    pub fn skills(&self) -> &[OfferedSkill] {
        &self.skills
    }

    /// Returns the skill whose `SKILL.md` has that URI.
    pub fn skill(&self, uri: &str) -> Option<&OfferedSkill> {
        let at = self.skills.binary_search_by(|skill| skill.uri.as_str().cmp(uri)).ok()?;
        Some(&self.skills[at])
    }

    /// Returns the file with that URI, whatever characters are escaped in it, and its skill.
    pub fn file(&self, uri: &str) -> Option<(&OfferedSkill, &OfferedFile)> {
        let found = self.files.get(uri).or_else(|| self.files.get(&canonical_uri(uri)?));
        let (skill, file) = found?;
        let skill = &self.skills[*skill];
        Some((skill, &skill.files[*file]))
    }

    /// Returns what is directly in the directory with that URI, sorted by URI; nothing if there is none.
    pub fn directory(&self, uri: &str) -> Vec<DirectoryEntry<'_>> {
        entries(&self.files, uri)
    }
}

fn of_folder(skill: CatalogSkill, addresses: &mut Addresses) -> OfferedSkill {
    let directory = addresses.add(&skill.directory, &skill.description.name);
    let skill_file = skill.skill_file().to_owned();
    let source = OfferedSource::Folder(skill.directory);
    offered(&directory, skill.description, (&skill.files, &skill_file), source)
}

fn of_memory(path: &str, contents: SkillContents) -> Result<OfferedSkill, Message> {
    let files = contents.list();
    let description = contents.describe().description;
    let description = description.ok_or("it has no name or no description")?;
    check(&description, &files)?;
    let skill_file = contents.skill_file().0.to_string();
    let source = OfferedSource::Memory(contents);
    let directory = format!("{SCHEME}{path}/");
    Ok(offered(&directory, description, (&files, &skill_file), source))
}

fn offered(
    directory: &str,
    description: SkillDescription,
    (files, skill_file): (&[ListedFile], &str),
    source: OfferedSource,
) -> OfferedSkill {
    let offer_file = |file: &ListedFile| {
        let path = file.path.as_str();
        // Some skills have it in lowercase, which the extension does not know.
        let name = if path == skill_file { SKILL_FILE_NAME } else { path };
        OfferedFile::new(directory, file, name)
    };
    OfferedSkill {
        uri: format!("{directory}{SKILL_FILE_NAME}"),
        name: description.name,
        description: description.description,
        frontmatter: description.frontmatter,
        files: files.iter().map(offer_file).collect(),
        source,
    }
}

/// Returns why the extension cannot offer a skill.
fn check(description: &SkillDescription, files: &[ListedFile]) -> Result<(), Message> {
    let ContentsLimits { files_max, bytes_max } = ContentsLimits::MCP;
    let size: u64 = files.iter().map(|file| file.size).sum();
    if files.len() > files_max {
        return Err(message!["it has ", files.len(), " files, and clients accept ", files_max]);
    }
    if size > bytes_max {
        return Err(message![
            "it has ",
            size,
            " bytes, and clients accept ",
            bytes_max >> 20,
            " MiB"
        ]);
    }
    let name = &description.name;
    if !name.is_ascii() || !name::is_valid(name) {
        let allowed = "lowercase letters, digits and single hyphens between them";
        return Err(message!["its name `", quote(name), "` does not consist of ", allowed]);
    }
    let strings = ["name", "description"].map(|key| string(&description.frontmatter, key));
    if strings[0] != Some(name) || strings[1].is_none() {
        return Err(
            "its name and its description are not strings without spaces around them".into()
        );
    }
    Ok(())
}

fn string<'a>(frontmatter: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    frontmatter.get(key).and_then(Value::as_str)
}
