//! The two files of configuration that may name a server: the project's and the user's own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{ConfigProblem, ConfigProblemKind, SelectionError};
use super::server::ServerSource;
use dibber_skill::config::{Config, ConfigError};
use dibber_skill::discover::{self, ConfigFileError};

/// Returns the nearest configuration that names a server.
pub(super) fn naming_server(
    user_config: Option<&Path>,
    current_dir: &Path,
) -> Result<Option<(Config, ServerSource)>, SelectionError> {
    if let Some(path) = discover::nearest_config(Path::new("."), current_dir) {
        let config = read_project(&path, current_dir)?;
        if config.server.url.is_some() {
            return Ok(Some((config, ServerSource::Project(path))));
        }
    }
    let Some((config, path)) = user(user_config, current_dir)? else { return Ok(None) };
    Ok(config.server.url.is_some().then_some((config, ServerSource::User(path))))
}

/// Reads the user's own configuration, if there is one.
pub(super) fn user(
    path: Option<&Path>,
    current_dir: &Path,
) -> Result<Option<(Config, PathBuf)>, SelectionError> {
    let Some(path) = path.filter(|path| path.is_file()) else { return Ok(None) };
    let config = checked(path, discover::read_config(path, current_dir))?;
    if let Some(span) = config.lint_span {
        let (file, kind) = (Arc::clone(&config.source), ConfigProblemKind::LintInUserFile);
        return Err(ConfigProblem { file, span, kind }.into());
    }
    Ok(Some((config, path.to_owned())))
}

fn read_project(path: &Path, current_dir: &Path) -> Result<Config, SelectionError> {
    let config = checked(path, discover::read_nearest_config(path, current_dir))?;
    if let Some(&(_, span)) = config.server.trusted.first() {
        let (file, kind) = (Arc::clone(&config.source), ConfigProblemKind::TrustedInProject);
        return Err(ConfigProblem { file, span, kind }.into());
    }
    if let Some(&(_, span)) = config.server.skills.first() {
        let (file, kind) = (Arc::clone(&config.source), ConfigProblemKind::SkillsInProject);
        return Err(ConfigProblem { file, span, kind }.into());
    }
    if let Some(safety) = &config.safety {
        let (file, kind) = (Arc::clone(&config.source), ConfigProblemKind::SafetyInProject);
        return Err(ConfigProblem { file, span: safety.span, kind }.into());
    }
    if let Some(runner) = &config.runner {
        let (file, kind) = (Arc::clone(&config.source), ConfigProblemKind::RunnerInProject);
        return Err(ConfigProblem { file, span: runner.span, kind }.into());
    }
    if let Some(sandbox) = &config.sandbox {
        let (file, kind) = (Arc::clone(&config.source), ConfigProblemKind::SandboxInProject);
        return Err(ConfigProblem { file, span: sandbox.span, kind }.into());
    }
    if let Some(span) = config.servers_span {
        let (file, kind) = (Arc::clone(&config.source), ConfigProblemKind::ServersInProject);
        return Err(ConfigProblem { file, span, kind }.into());
    }
    Ok(config)
}

/// Returns a configuration that was read, or its first error.
fn checked(
    path: &Path,
    read: Result<(Config, Vec<ConfigError>), ConfigFileError>,
) -> Result<Config, SelectionError> {
    let (config, errors) =
        read.map_err(|cause| SelectionError::ConfigFile { path: path.to_owned(), cause })?;
    match errors.into_iter().next() {
        Some(error) => Err(SelectionError::Config(Box::new(error))),
        None => Ok(config),
    }
}
