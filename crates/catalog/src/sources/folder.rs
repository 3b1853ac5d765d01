//! Skills of a folder.

use std::path::Path;

use dibber_text::{message, quote_path};

use super::offered::{OfferedSkill, OpenSource, SourceError, SourceErrorKind};
use crate::catalog::{Catalog, CatalogSkill};
use crate::contents::{ContentsLimits, SkillContents};
use crate::folder::FolderProblem;

/// A folder that was opened. git's ignore rules apply.
#[derive(Debug)]
pub struct FolderSource {
    address: String,
    offered: Vec<OfferedSkill>,
    skills: Vec<(String, CatalogSkill)>,
}

impl FolderSource {
    /// Reads the skills of a folder, which is recorded by this address.
    pub fn open(folder: &Path, address: String) -> Result<Self, SourceError> {
        let catalog = Catalog::read(&[folder.to_owned()]);
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut skills: Vec<_> = catalog.skills.into_iter().filter(|it| !it.is_nested).collect();
        skills.sort_by(|a, b| a.directory.cmp(&b.directory));
        let path_of = |skill: &CatalogSkill| {
            let directory = skill.directory.canonicalize().ok()?;
            let below = directory.strip_prefix(&real).ok()?.to_owned();
            let names = below.iter().map(|name| name.to_str().map(str::to_owned));
            Some(names.collect::<Option<Vec<_>>>()?.join("/"))
        };
        let skills: Vec<_> =
            skills.into_iter().filter_map(|skill| Some((path_of(&skill)?, skill))).collect();
        if skills.is_empty() {
            let reason = catalog.problems.into_iter().find(|problem| problem.is_left_out);
            let message = match reason {
                Some(problem) => message![quote_path(folder), ": ", problem.message],
                None => message![quote_path(folder), " has no skill"],
            };
            return Err(SourceError::new(SourceErrorKind::NotFound, message));
        }
        let offered = skills.iter().map(|(path, skill)| OfferedSkill {
            path: path.clone(),
            name: skill.description.name.clone(),
            description: skill.description.description.clone(),
        });
        Ok(Self { address, offered: offered.collect(), skills })
    }
}

impl OpenSource for FolderSource {
    fn address(&self) -> String {
        self.address.clone()
    }

    fn revision(&self) -> Option<String> {
        None
    }

    fn skills(&self) -> &[OfferedSkill] {
        &self.offered
    }

    fn read(
        &self,
        path: &str,
        limits: ContentsLimits,
    ) -> Result<(SkillContents, Vec<FolderProblem>), SourceError> {
        let found = self.skills.iter().find(|(at, _)| at == path);
        let Some((_, skill)) = found else {
            return Err(SourceError::new(SourceErrorKind::NotFound, "the skill is not there"));
        };
        match skill.read(limits) {
            (Some(contents), problems) => Ok((contents, problems)),
            (None, problems) => {
                let message = problems.last().map(FolderProblem::with_path).unwrap_or_default();
                Err(SourceError::new(SourceErrorKind::Refused, message))
            }
        }
    }
}
