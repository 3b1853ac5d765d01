//! The folders that skills were moved to since they were published.

use std::path::Path;

use super::super::resolve;
use super::super::session::Session;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_client::publish::{
    LockFiles, LockKey, MoveEvidence, MovedDirectory, Published, find_moved_directories,
};
use dibber_skill::contract::SkillId;
use dibber_skill::discover::{from_current_directory, shown_path};
use dibber_text::{message, quote_argument, quote_in_full};

/// The folders that were moved, in the projects of the arguments and of the current folder.
pub(super) struct MovedFolders(Vec<MovedDirectory>);

/// Returns a folder in each of the projects of the arguments and of the current folder.
pub(super) fn projects(arguments: &[String], into: Option<&Path>) -> Vec<LockKey> {
    let mut projects = vec![LockKey::below_current_directory()];
    projects.extend(into.map(LockKey::below));
    for argument in arguments {
        // An argument that names nothing is reported when it is resolved.
        if let Ok(Some(found)) = resolve::skill_in(argument) {
            projects.push(LockKey::new(&found.directory));
        }
    }
    projects.sort_by(|a, b| a.lock_file().cmp(b.lock_file()));
    projects.dedup_by(|a, b| a.lock_file() == b.lock_file());
    projects
}

impl MovedFolders {
    pub(super) fn find(
        projects: &[LockKey],
        session: &Session,
        locks: &mut LockFiles,
    ) -> Result<Self, CommandError> {
        let mut folders = Vec::new();
        for project in projects {
            let directory = project.skill_directory();
            folders.extend(find_moved_directories(&directory, session.publisher()?, locks)?);
        }
        Ok(Self(folders))
    }

    /// Returns the skill of a folder, if it was moved there.
    pub(super) fn skill_at(&self, argument: &str) -> Option<&SkillId> {
        let found = resolve::skill_in(argument).ok()??;
        let key = LockKey::new(&found.directory);
        let folder = self.0.iter().find(|folder| folder.key == key)?;
        Some(&folder.moved.published.skill_id)
    }

    /// Returns the folder that a skill was moved to, if its content says so, and what is recorded of
    /// it.
    pub(super) fn certain_folder_of(&self, skill_id: &SkillId) -> Option<(String, &Published)> {
        let is_it = |folder: &&MovedDirectory| {
            folder.moved.published.skill_id == *skill_id
                && folder.moved.evidence == MoveEvidence::SameContent
        };
        let MovedDirectory { key, moved } = self.0.iter().find(is_it)?;
        Some((shown(key), &moved.published))
    }

    /// Returns the folder that a skill was moved to, and what is recorded of it.
    ///
    /// # Errors
    /// If it may as well be another skill: only its name, its summary or its prompt is the same.
    pub(super) fn folder_of(
        &self,
        skill_id: &SkillId,
        session: &Session,
    ) -> Result<Option<(String, &Published)>, CommandError> {
        let is_it = |folder: &&MovedDirectory| folder.moved.published.skill_id == *skill_id;
        let Some(MovedDirectory { key, moved }) = self.0.iter().find(is_it) else {
            return Ok(None);
        };
        if moved.evidence == MoveEvidence::SameContent {
            return Ok(self.certain_folder_of(skill_id));
        }
        let path = shown(key);
        let (argument, path) = (quote_argument(&path), quote_in_full(&path));
        let id = quote_in_full(skill_id.as_str());
        let options = quote_in_full(&session.server.typed_options);
        let from = shown(&moved.from);
        let error = message![
            id,
            " was not written: it was published from ",
            quote_in_full(&from),
            ", and ",
            path,
            " may be that folder at a new path"
        ];
        let help = message![
            "`dibber skill link ",
            argument,
            " ",
            id,
            options,
            "` says that it is the same skill; `--into` names a folder for another copy"
        ];
        Err(CommandError::new(error).help(help).exit(Exit::BadInput))
    }
}

/// Returns the folder of a skill from the current one.
pub(super) fn shown(key: &LockKey) -> String {
    let path = shown_path(&from_current_directory(key.skill_directory()));
    if path.is_empty() { ".".to_owned() } else { path }
}
