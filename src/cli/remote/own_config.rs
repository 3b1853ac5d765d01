//! Tables of the configuration that name programs, for the server of this program.
//!
//! What they name runs, so only files of the user's count: the configuration in the directory of the
//! database, and otherwise the user's own. That of a project never does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{selection_error, server_options};
use crate::cli::error::CommandError;
use crate::cli::lint::configuration::current_dir;
use dibber_client::{ConfigProblem, ConfigProblemKind, SelectionError};
use dibber_lint::Privacy;
use dibber_skill::config::{
    CONFIG_FILE_NAME, Config, RunnerEntry, SafetyEntry, SandboxEntry, SpannedString,
};
use dibber_skill::discover;
use dibber_skill::names::Roster;
use dibber_text::{Source, Span};

/// A table that names a program.
pub(in crate::cli) trait OwnTable: Sized {
    /// Takes it from a configuration.
    fn take(config: &mut Config) -> Option<Self>;
    /// The bytes of its header.
    fn span(&self) -> Span;
    /// What is wrong if it is in the configuration of a project.
    fn in_project() -> ConfigProblemKind;
}

/// A table of a configuration, with its file.
pub(in crate::cli) struct Configured<T> {
    pub(in crate::cli) entry: T,
    pub(super) source: Arc<Source>,
    pub(in crate::cli) path: PathBuf,
}

impl OwnTable for SafetyEntry {
    fn take(config: &mut Config) -> Option<Self> {
        config.safety.take()
    }

    fn span(&self) -> Span {
        self.span
    }

    fn in_project() -> ConfigProblemKind {
        ConfigProblemKind::SafetyInProject
    }
}

impl OwnTable for RunnerEntry {
    fn take(config: &mut Config) -> Option<Self> {
        config.runner.take()
    }

    fn span(&self) -> Span {
        self.span
    }

    fn in_project() -> ConfigProblemKind {
        ConfigProblemKind::RunnerInProject
    }
}

impl OwnTable for SandboxEntry {
    fn take(config: &mut Config) -> Option<Self> {
        config.sandbox.take()
    }

    fn span(&self) -> Span {
        self.span
    }

    fn in_project() -> ConfigProblemKind {
        ConfigProblemKind::SandboxInProject
    }
}

/// `skills` in `[server]`: the code in these directories runs.
pub(super) struct ServedSkills {
    /// The directories, from that of the file; never empty.
    pub(super) directories: Vec<SpannedString>,
}

impl OwnTable for ServedSkills {
    fn take(config: &mut Config) -> Option<Self> {
        let directories = std::mem::take(&mut config.server.skills);
        (!directories.is_empty()).then_some(Self { directories })
    }

    fn span(&self) -> Span {
        self.directories[0].1
    }

    fn in_project() -> ConfigProblemKind {
        ConfigProblemKind::SkillsInProject
    }
}

impl<T> Configured<T> {
    /// Returns the directory from which the paths of the file are seen.
    pub(super) fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }
}

/// Returns the table that counts for the database in `data`.
pub(in crate::cli) fn configured<T: OwnTable>(
    data: &Path,
) -> Result<Option<Configured<T>>, CommandError> {
    let user_config = server_options::user_config();
    find(data, user_config.as_deref()).map_err(|error| {
        let privacy = Privacy { roster: &Roster::default() };
        selection_error::to_command_error(error, user_config.as_deref(), privacy)
    })
}

/// Returns the program that a configuration in `directory` names; one with a directory in its path is
/// found from there.
pub(in crate::cli) fn program(name: &str, directory: &Path) -> PathBuf {
    let program = PathBuf::from(name);
    // The components have no `.` between them, which would only be noise in messages.
    if is_bare_name(&program) { program } else { directory.join(program).components().collect() }
}

/// Returns `true` for the name of a program that is searched for in PATH.
pub(in crate::cli) fn is_bare_name(program: &Path) -> bool {
    program.components().count() == 1 && !program.is_absolute()
}

fn find<T: OwnTable>(
    data: &Path,
    user_config: Option<&Path>,
) -> Result<Option<Configured<T>>, SelectionError> {
    let current_dir = current_dir();
    let data_config = current_dir.join(data).join(CONFIG_FILE_NAME);
    let project = discover::nearest_config(Path::new("."), &current_dir);
    let project = project.map(|path| real_path(&current_dir.join(path)));
    for path in [Some(data_config.as_path()), user_config].into_iter().flatten() {
        let Some((entry, source)) = read::<T>(path, &current_dir)? else { continue };
        if project.as_deref() == Some(real_path(path).as_path()) {
            let (span, kind) = (entry.span(), T::in_project());
            return Err(ConfigProblem { file: source, span, kind }.into());
        }
        return Ok(Some(Configured { entry, source, path: path.to_owned() }));
    }
    Ok(None)
}

/// Returns the table of a file, if there is such a file, with the file.
fn read<T: OwnTable>(
    path: &Path,
    current_dir: &Path,
) -> Result<Option<(T, Arc<Source>)>, SelectionError> {
    // Whatever it is: what cannot be read is reported, and not passed over.
    if std::fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    let (mut config, errors) = discover::read_config(path, current_dir)
        .map_err(|cause| SelectionError::ConfigFile { path: path.to_owned(), cause })?;
    match errors.into_iter().next() {
        Some(error) => Err(SelectionError::Config(Box::new(error))),
        None => Ok(T::take(&mut config).map(|entry| (entry, config.source))),
    }
}

fn real_path(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
