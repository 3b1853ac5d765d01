//! One directory that is a skill, or should be.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dibber_skill::protocol::ProtocolProblem;
use dibber_skill::skill::{PROTOCOL_FILE_NAME, SKILL_FILE_NAME, SKILL_FILE_NAMES};
use dibber_text::message;

use super::problem::IndexProblem;
use super::watched::Watched;
use crate::skill::{
    LoadError, LoadErrorKind, ProtocolSkill, load_instructions, load_protocol, read_manifest,
};
use dibber_text::folder::{FileError, Folder};

/// A directory that is a skill, or should be.
#[derive(Debug)]
pub(super) struct ScannedSkill {
    pub(super) directory: PathBuf,
    /// What shows whether it has changed.
    watched: Vec<Watched>,
    /// Whether it was read twice without a change in between.
    pub(super) is_confirmed: bool,
    /// The skill; none if it cannot be used, which is a problem.
    pub(super) skill: Option<Arc<ProtocolSkill>>,
    pub(super) problem: Option<IndexProblem>,
}

impl ScannedSkill {
    /// Returns `true` if its files have not changed.
    pub(super) fn is_same(&self) -> bool {
        self.watched.iter().all(Watched::is_same)
    }
}

/// Reads the skill in a directory, if there is one; `known` is what was there before.
pub(super) fn scan_folder(
    path: &Path,
    folder: &Folder,
    container: &Watched,
    label: &str,
    known: Option<&Arc<ScannedSkill>>,
) -> Option<ScannedSkill> {
    let reading = Reading { path, container, label, known };
    match folder.open_file(PROTOCOL_FILE_NAME) {
        Ok(file) => Some(reading.protocol(file)),
        Err(FileError::NotFound) => {
            SKILL_FILE_NAMES.iter().find_map(|name| match folder.open_file(name) {
                Ok(file) => Some(reading.instructions(name, file)),
                Err(FileError::NotFound) => None,
                Err(error) => Some(reading.unreadable(SKILL_FILE_NAME, error)),
            })
        }
        Err(error) => Some(reading.unreadable(PROTOCOL_FILE_NAME, error)),
    }
}

struct Reading<'a> {
    path: &'a Path,
    container: &'a Watched,
    label: &'a str,
    known: Option<&'a Arc<ScannedSkill>>,
}

impl Reading<'_> {
    fn protocol(&self, file: std::fs::File) -> ScannedSkill {
        // The name can lead to another file without a change of this one, and the directory's time
        // changes with every file: the path is compared, and the file that is read.
        let manifest = self.path.join(PROTOCOL_FILE_NAME);
        let watched = vec![Watched::new(manifest, file.metadata().ok().as_ref())];
        let loaded = match read_manifest(file) {
            Ok(source) => {
                let same = self.known.filter(|known| {
                    let skill = known.skill.as_ref();
                    skill.is_some_and(|skill| skill.manifest_text() == Some(source.text()))
                });
                if let Some(known) = same {
                    let (skill, problem) = (known.skill.clone(), known.problem.clone());
                    return self.scanned(watched, skill, problem);
                }
                load_protocol(self.path.to_owned(), source)
            }
            Err(error) => Err(error),
        };
        match loaded {
            Ok((skill, unknown)) => {
                let problem = self.unknown_keys(&unknown);
                self.scanned(watched, Some(Arc::new(skill)), problem)
            }
            Err(kind) => self.scanned(watched, None, Some(self.problem(kind))),
        }
    }

    fn instructions(&self, name: &str, file: std::fs::File) -> ScannedSkill {
        // A `skill.toml` that is added changes the time of the directory.
        let skill_file = Watched::new(self.path.join(name), file.metadata().ok().as_ref());
        let watched = vec![self.container.clone(), skill_file];
        match load_instructions(self.path.to_owned(), file, self.label) {
            Ok(skill) => self.scanned(watched, Some(Arc::new(skill)), None),
            Err(kind) => self.scanned(watched, None, Some(self.problem(kind))),
        }
    }

    /// A file that is there and cannot be opened.
    fn unreadable(&self, name: &'static str, error: FileError) -> ScannedSkill {
        let watched = vec![self.container.clone(), Watched::now(self.path.join(name))];
        let problem = self.problem(LoadErrorKind::File(name, error));
        self.scanned(watched, None, Some(problem))
    }

    fn scanned(
        &self,
        watched: Vec<Watched>,
        skill: Option<Arc<ProtocolSkill>>,
        problem: Option<IndexProblem>,
    ) -> ScannedSkill {
        let is_confirmed = self.known.is_some_and(|known| known.watched == watched);
        ScannedSkill { directory: self.path.to_owned(), watched, is_confirmed, skill, problem }
    }

    fn problem(&self, kind: LoadErrorKind) -> IndexProblem {
        IndexProblem::from(&LoadError { directory: self.path.to_owned(), kind })
    }

    /// Reports keys that are ignored.
    fn unknown_keys(&self, unknown: &[ProtocolProblem]) -> Option<IndexProblem> {
        let first = &unknown.first()?.problem;
        let message = match unknown.len() - 1 {
            0 => first.message.clone(),
            others => message![first.message.clone(), " (and ", others, " more)"],
        };
        let reason = message![PROTOCOL_FILE_NAME, ": ", message];
        let help = first.help.clone().unwrap_or_default();
        Some(IndexProblem::served(self.path.to_owned(), &reason, &help))
    }
}
