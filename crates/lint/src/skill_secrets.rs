//! The secrets of one skill, searched for once.
//!
//! The rule `secret` reports them, and every excerpt and message masks them.

use std::cell::OnceCell;

use crate::file_secrets::FileSecrets;
use dibber_skill::skill::Skill;
use dibber_text::Source;

/// The secrets of one skill, file by file; a file is searched when they are first needed.
#[derive(Debug)]
pub struct SkillSecrets<'a> {
    skill: &'a Skill,
    skill_file: OnceCell<FileSecrets<'a>>,
    resources: Vec<OnceCell<FileSecrets<'a>>>,
}

impl<'a> SkillSecrets<'a> {
    pub(crate) fn new(skill: &'a Skill) -> Self {
        let resources = skill.resources.iter().map(|_| OnceCell::new()).collect();
        Self { skill, skill_file: OnceCell::new(), resources }
    }

    /// Returns the secrets of a resource, or of `SKILL.md`.
    pub(crate) fn in_file(&self, resource: Option<usize>) -> &FileSecrets<'a> {
        let cell = resource.map_or(&self.skill_file, |index| &self.resources[index]);
        cell.get_or_init(|| FileSecrets::find(self.source(resource)))
    }

    /// Returns the text of a resource, or of `SKILL.md`.
    pub(crate) fn source(&self, resource: Option<usize>) -> &'a Source {
        resource.map_or(&self.skill.source, |index| &self.skill.resources[index].source)
    }
}
