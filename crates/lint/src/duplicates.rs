//! Skills of one run with the same name.
//!
//! Only skills in the same directory are compared. Repositories keep the same skill for several
//! clients (`.claude/skills/x`, `.agents/skills/x`), in several plugins, languages or authors'
//! directories, and a client loads one of them; but two skills side by side are both loaded.
//!
//! Skills are linted in any order and then compared in the order of their paths. By then a skill
//! is no longer in memory, so the finding is made while it is, without the path of the earlier
//! skill, and is reported if there is one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::judge::diagnostics::set_message;
use super::outcome::Outcome;
use super::rules::duplicate_skill;
use dibber_skill::diagnostic::{Finding, Place};
use dibber_skill::names::Roster;
use dibber_skill::protocol;
use dibber_skill::skill::{BundleKind, Skill};

/// The name of a skill, and the outcome if an earlier skill has the same one.
#[derive(Debug)]
pub(crate) struct SkillName {
    /// The directory that contains the skill's directory.
    parent: String,
    name: String,
    /// The path of the skill file.
    path: String,
    if_duplicate: Outcome,
}

impl SkillName {
    /// Reads the name of a skill: its `name`, or that of its directory; with a `skill.toml`, the name
    /// and version in it. `judge` returns the outcome of a finding in the skill.
    pub(crate) fn new(skill: &Skill, judge: impl FnOnce(Finding) -> Outcome) -> Option<Self> {
        let name = skill.string_field("name").map(|(name, span)| (name.trim(), span));
        let (name, place) = match name {
            Some((name, span)) if !name.is_empty() => (name, Place::SkillFile(span)),
            _ => (skill.bundle.name.as_deref()?, Place::File(skill.bundle.skill_file.clone())),
        };
        // In the Skills Protocol, the name is in `skill.toml`, and one name may have several versions.
        let name = match skill.bundle.kind {
            BundleKind::SkillsProtocol => protocol::identity(skill)?,
            BundleKind::AgentSkill => name.to_owned(),
        };
        let directory = skill.bundle.path.as_str();
        if directory.is_empty() {
            return None;
        }
        let parent = directory.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
        let if_duplicate = judge(duplicate_skill::finding(place));
        let path = skill.source.path().to_owned();
        Some(Self { parent, name, path, if_duplicate })
    }
}

/// The names of the skills of a run so far.
#[derive(Debug, Default)]
pub(crate) struct SeenNames {
    /// The path of the skill file, by the parent directory and the name.
    paths: HashMap<(String, String), String>,
}

impl SeenNames {
    /// Adds a skill. Returns an outcome if an earlier skill in the same directory has its name.
    /// Call it once for each skill, in the order of their paths.
    pub(crate) fn add(&mut self, skill: SkillName, roster: &Roster) -> Option<Outcome> {
        let SkillName { parent, name, path, mut if_duplicate } = skill;
        match self.paths.entry((parent, name)) {
            Entry::Vacant(entry) => {
                entry.insert(path);
                None
            }
            Entry::Occupied(entry) => {
                let (parent, name) = entry.key();
                let earlier = relative_to(parent, entry.get());
                let message = duplicate_skill::message(name, earlier);
                for diagnostic in &mut if_duplicate.diagnostics {
                    set_message(diagnostic, &message, roster);
                }
                Some(if_duplicate)
            }
        }
    }
}

/// Returns the path of a skill from the directory that contains it.
fn relative_to<'p>(parent: &str, path: &'p str) -> &'p str {
    path.strip_prefix(parent).unwrap_or(path).trim_start_matches('/')
}
