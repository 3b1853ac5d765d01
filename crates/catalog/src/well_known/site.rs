//! The files of a site that lets clients find the skills of some folders.

use std::collections::BTreeMap;

use dibber_skill::skill::name;
use dibber_text::{Message, message, quote, quote_in_full};

use super::index::{INDEX_SCHEMA, IndexFile, IndexedSkill, IndexedType};
use crate::archive::{ArchiveFormat, ArchiveLayout, write_archive};
use crate::catalog::{Catalog, CatalogSkill};
use crate::contents::{ContentsLimits, SkillContents};
use crate::description::DESCRIPTION_CHARACTERS_MAX;
use crate::digest::Digest;

/// The directory of the index, from the top of the site.
pub(super) const DIRECTORY: &str = ".well-known/agent-skills";

/// The path of the index, from the top of the site.
pub const INDEX_PATH: &str = ".well-known/agent-skills/index.json";

/// The path of an index of version 0.1.0, from the top of the site.
pub const INDEX_PATH_OLD: &str = ".well-known/skills/index.json";

/// The files of a site, as data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// The files, the index last.
    pub files: Vec<SiteFile>,
    /// The skills that are in the index, sorted by name.
    pub skills: Vec<IndexedSkill>,
    /// The skills that are not, and why.
    pub problems: Vec<SiteProblem>,
}

/// A file of a site. A server answers GET and HEAD for it with these bytes and this type, and with
/// `Access-Control-Allow-Origin: *`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// The path from the top of the site.
    pub path: String,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
}

/// Why a skill, or a part of it, is not on a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteProblem {
    /// The directory of the skill, as it is shown.
    pub path: String,
    /// What is wrong.
    pub message: Message,
    /// The skill is not in the index.
    pub is_left_out: bool,
}

/// Returns the site for the skills of a catalogue.
///
/// A skill that is a `SKILL.md` alone is served as that; others are archives with `SKILL.md` at the top. A
/// skill in the directory of another one is a part of that one.
pub fn plan_site(catalog: &Catalog, limits: ContentsLimits) -> Site {
    let mut site = Site::default();
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    for skill in catalog.skills.iter().filter(|skill| !skill.is_nested) {
        let left_out =
            |message| SiteProblem { path: skill.shown.clone(), message, is_left_out: true };
        if let Some(message) = name_problem(skill) {
            site.problems.push(left_out(message));
            continue;
        }
        if let Some(other) = names.get(skill.description.name.as_str()) {
            let message = message!["has the same name as ", quote_in_full(other)];
            site.problems.push(left_out(message));
            continue;
        }
        let (contents, problems) = skill.read(limits);
        let is_left_out = contents.is_none() || !problems.is_empty();
        site.problems.extend(problems.into_iter().map(|problem| SiteProblem {
            path: skill.shown.clone(),
            message: problem.with_path(),
            is_left_out,
        }));
        let Some(contents) = contents.filter(|_| !is_left_out) else { continue };
        match artifact(&skill.description.name, &contents) {
            Ok((file, kind)) => {
                names.insert(&skill.description.name, &skill.shown);
                site.add(skill, file, kind);
            }
            Err(message) => site.problems.push(left_out(message)),
        }
    }
    let index = IndexFile { schema: INDEX_SCHEMA.into(), skills: site.skills.clone() };
    site.files.push(SiteFile {
        path: INDEX_PATH.into(),
        content_type: "application/json",
        bytes: index.to_bytes(),
    });
    site
}

impl Site {
    fn add(&mut self, skill: &CatalogSkill, file: SiteFile, kind: IndexedType) {
        self.skills.push(IndexedSkill {
            name: skill.description.name.clone(),
            kind,
            description: skill.description.description.clone(),
            // Names have only characters that mean themselves in a URL.
            url: format!("/{}", file.path),
            digest: Digest::of(&file.bytes),
        });
        self.files.push(file);
    }

    /// Returns the file at a path from the top of the site, without a `/` before it.
    pub fn file(&self, path: &str) -> Option<&SiteFile> {
        self.files.iter().find(|file| file.path == path)
    }
}

/// Returns why a skill cannot be in an index: its name is a part of its URL.
fn name_problem(skill: &CatalogSkill) -> Option<Message> {
    let described = &skill.description;
    if !described.name.is_ascii() || !name::is_valid(&described.name) {
        return Some(message!["has the name `", quote(&described.name), "`, which is not valid"]);
    }
    let characters = described.description.chars().count();
    (characters > DESCRIPTION_CHARACTERS_MAX).then(|| {
        message![
            "has a description of ",
            characters,
            " characters; the maximum is ",
            DESCRIPTION_CHARACTERS_MAX
        ]
    })
}

fn artifact(name: &str, contents: &SkillContents) -> Result<(SiteFile, IndexedType), Message> {
    if contents.files().len() == 1 {
        let file = SiteFile {
            path: format!("{DIRECTORY}/{name}/SKILL.md"),
            content_type: "text/markdown; charset=utf-8",
            bytes: contents.skill_file().1.bytes.clone(),
        };
        return Ok((file, IndexedType::SkillMd));
    }
    let format = ArchiveFormat::TarGz;
    let bytes = write_archive(contents, format, ArchiveLayout::Root)
        .map_err(|error| message!["cannot be packed: ", dibber_text::quote_display(error)])?;
    let path = format!("{DIRECTORY}/{name}{}", format.extension());
    Ok((SiteFile { path, content_type: format.media_type(), bytes }, IndexedType::Archive))
}
