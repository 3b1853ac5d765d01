//! A skill that is added to an agent.

use std::path::PathBuf;

use crate::catalog::Catalog;
use crate::description::SkillDescription;

/// A skill that is added to an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct ProxySkill {
    /// What it says of itself.
    pub description: SkillDescription,
    /// Its directory.
    pub directory: PathBuf,
    /// The name of its own file in that directory.
    pub skill_file: String,
}

/// Reads what follows the frontmatter of a skill, when it is called; none if that cannot be read.
pub type ReadBody<'a> = dyn FnMut(&ProxySkill) -> Option<String> + 'a;

impl ProxySkill {
    /// Returns the skills of folders that an agent announces.
    pub fn of_catalog(catalog: &Catalog) -> Vec<Self> {
        let skills = catalog.skills.iter().filter(|skill| !skill.is_nested);
        let skills = skills.map(|skill| Self {
            description: skill.description.clone(),
            directory: skill.directory.clone(),
            skill_file: skill.skill_file().to_owned(),
        });
        skills.collect()
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.description.name
    }
}
