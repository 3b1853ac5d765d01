//! Skills of one run that bear the same name.
//!
//! Only skills in the same folder are compared. Repositories keep the same skill for several
//! clients (`.claude/skills/x`, `.agents/skills/x`), in several plugins, languages or authors'
//! folders, and a client loads one of them; but two skills side by side are both loaded.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::rules::duplicate_skill;
use dibber_skill::diagnostic::{Finding, Place};
use dibber_skill::skill::Skill;
use dibber_text::ellipsize;

/// What has to be known of a skill to tell whether it is a duplicate.
#[derive(Debug)]
pub struct Named {
    /// The folder that the skill's folder lies in.
    parent: String,
    name: String,
    /// The path of the skill's file.
    path: String,
    /// Where the name stands.
    place: Place,
}

impl Named {
    /// Reads the name of a skill: the one that it says it has, or that of its folder.
    pub fn of(skill: &Skill) -> Option<Self> {
        let name = skill.string_field("name").map(|(name, span)| (name.trim(), span));
        let (name, place) = match name {
            Some((name, span)) if !name.is_empty() => (name, Place::SkillFile(span)),
            _ => (skill.bundle.name.as_deref()?, Place::File(skill.bundle.skill_file.clone())),
        };
        let path = skill.bundle.path.as_str();
        if path.is_empty() {
            return None;
        }
        let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
        Some(Self { parent, name: name.to_owned(), path: skill.source.path().to_owned(), place })
    }
}

/// The names of the skills that were looked at so far.
#[derive(Debug, Default)]
pub struct Seen {
    /// By the folder that the skill's folder lies in, and the name: the path of the file.
    paths: HashMap<(String, String), String>,
}

impl Seen {
    /// Notes a skill, and reports it when one that was noted before has its name and lies beside
    /// it. Call it once for each skill, in the order of their paths.
    pub fn observe(&mut self, skill: Named) -> Option<Finding> {
        let Named { parent, name, path, place } = skill;
        match self.paths.entry((parent, name)) {
            Entry::Vacant(entry) => {
                entry.insert(path);
                None
            }
            Entry::Occupied(entry) => {
                let (parent, name) = entry.key();
                let earlier = name_in(parent, entry.get());
                Some(duplicate_skill::finding(place, &ellipsize(name), &earlier))
            }
        }
    }
}

/// The path of the earlier skill from the folder that both lie in.
fn name_in<'p>(parent: &str, path: &'p str) -> std::borrow::Cow<'p, str> {
    let below = path.strip_prefix(parent).unwrap_or(path);
    ellipsize(below.trim_start_matches('/'))
}
