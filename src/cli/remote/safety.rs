//! The safety check that is configured for the server of this program.
//!
//! It is a program that runs, so only files of the user's count: the configuration in the directory
//! of the database, and otherwise the user's own. That of a project never does.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::{selection_error, server_options};
use crate::cli::error::CommandError;
use crate::cli::lint::configuration::current_dir;
use crate::cli::term::ui::Ui;
use dibber_client::{ConfigProblem, ConfigProblemKind, SelectionError};
use dibber_lint::Privacy;
use dibber_server::{OnSafetyLine, SafetyCommand, Server};
use dibber_skill::config::{CONFIG_FILE_NAME, SafetyEntry};
use dibber_skill::discover;
use dibber_skill::names::Roster;
use dibber_text::{message, quote_in_full};

/// Where the lines go that the safety check writes to standard error.
#[derive(Clone, Copy)]
pub(super) enum SafetyLog {
    /// The log of the server.
    Server,
    /// Standard error, as warnings: a server without a process of its own has no log.
    Warnings,
}

/// Returns the server over the database in `data` with its safety check, if there is one.
pub(super) fn add_safety_check(
    server: Server,
    data: &Path,
    log: SafetyLog,
    ui: &Ui,
) -> Result<Server, CommandError> {
    let Some(ConfiguredSafety { entry, path, .. }) = configured(data)? else { return Ok(server) };
    let command = command(entry, path.parent().unwrap_or(Path::new("/")));
    let command = command.with_log_mask(Arc::new(ui.mask()));
    Ok(server.with_safety_command(match log {
        SafetyLog::Server => command,
        SafetyLog::Warnings => command.with_on_line(warn_of_line(ui)),
    }))
}

/// Returns what shows a line of the program as a warning.
fn warn_of_line(ui: &Ui) -> OnSafetyLine {
    let ui = Mutex::new(ui.for_thread());
    Arc::new(move |line: &str| {
        let mut ui = ui.lock().unwrap_or_else(PoisonError::into_inner);
        ui.warning(message!["the safety check wrote to standard error: ", quote_in_full(line)]);
    })
}

/// Returns the `[safety]` that counts for the database in `data`, with its file.
pub(super) fn configured(data: &Path) -> Result<Option<ConfiguredSafety>, CommandError> {
    let user_config = server_options::user_config();
    configured_entry(data, user_config.as_deref()).map_err(|error| {
        let privacy = Privacy { roster: &Roster::default() };
        selection_error::to_command_error(error, user_config.as_deref(), privacy)
    })
}

/// A `[safety]` of a configuration.
pub(super) struct ConfiguredSafety {
    pub(super) entry: SafetyEntry,
    pub(super) source: Arc<dibber_text::Source>,
    pub(super) path: PathBuf,
}

fn configured_entry(
    data: &Path,
    user_config: Option<&Path>,
) -> Result<Option<ConfiguredSafety>, SelectionError> {
    let current_dir = current_dir();
    let data_config = current_dir.join(data).join(CONFIG_FILE_NAME);
    let project = discover::nearest_config(Path::new("."), &current_dir);
    let project = project.map(|path| real_path(&current_dir.join(path)));
    for path in [Some(data_config.as_path()), user_config].into_iter().flatten() {
        let Some((entry, source)) = entry(path, &current_dir)? else { continue };
        if project.as_deref() == Some(real_path(path).as_path()) {
            let kind = ConfigProblemKind::SafetyInProject;
            return Err(ConfigProblem { file: source, span: entry.span, kind }.into());
        }
        return Ok(Some(ConfiguredSafety { entry, source, path: path.to_owned() }));
    }
    Ok(None)
}

/// Returns the `[safety]` of a file, if there is such a file, with the file.
fn entry(
    path: &Path,
    current_dir: &Path,
) -> Result<Option<(SafetyEntry, Arc<dibber_text::Source>)>, SelectionError> {
    // Whatever it is: what cannot be read is reported, and not passed over.
    if std::fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    let (config, errors) = discover::read_config(path, current_dir)
        .map_err(|cause| SelectionError::ConfigFile { path: path.to_owned(), cause })?;
    match errors.into_iter().next() {
        Some(error) => Err(SelectionError::Config(Box::new(error))),
        None => Ok(config.safety.map(|entry| (entry, config.source))),
    }
}

/// Returns the command; a program with a directory in its path is found from the file.
fn command(entry: SafetyEntry, directory: &Path) -> SafetyCommand {
    let mut words = entry.command.into_iter().map(|(word, _)| word);
    let program = PathBuf::from(words.next().unwrap_or_default());
    let is_name = program.components().count() == 1;
    let program = if is_name { program } else { directory.join(program) };
    SafetyCommand::new(program, words.collect(), directory.to_owned())
}

fn real_path(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
