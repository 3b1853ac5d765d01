//! The settings of a command, and how errors in `dibber.toml` are shown.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};

use super::arguments::LintOptions;
use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_lint::workspace::{ConfigChoice, ConfigurationError, Environment, load_settings};
use dibber_lint::{LevelSetting, Privacy, Settings};
use dibber_skill::config::ConfigError;
use dibber_skill::discover::ConfigFileError;
use dibber_text::{
    LineColumn, Mask, message, quote_display, quote_in_full, quote_lines, quote_path,
};

/// The most characters of a line that are shown on each side of what is wrong in it.
const EXCERPT_SIDE_CHARACTERS_MAX: usize = 80;

/// Reads the configuration and joins it with the levels of the command line.
pub(super) fn settings(options: &LintOptions, ui: &mut Ui) -> Result<Settings, CommandError> {
    load(&options.config, options.input.paths(), &options.levels, ui)
}

/// Returns the settings of the `dibber.toml` that is nearest to these paths, with these levels.
#[cfg(feature = "remote")]
pub(in crate::cli) fn settings_near(
    paths: &[PathBuf],
    levels: &[LevelSetting],
    ui: &mut Ui,
) -> Result<Settings, CommandError> {
    load(&ConfigChoice::Nearest, paths, levels, ui)
}

fn load(
    choice: &ConfigChoice,
    paths: &[PathBuf],
    levels: &[LevelSetting],
    ui: &mut Ui,
) -> Result<Settings, CommandError> {
    let environment =
        Environment { today: today(), current_dir: current_dir(), roster: ui.names()? };
    load_settings(choice, paths, levels, &environment).map_err(|error| match error {
        ConfigurationError::File(path, error) => match choice {
            ConfigChoice::File(_) => file_error(&path, error)
                .help("without `--config`, the nearest `dibber.toml` is used"),
            ConfigChoice::Nearest | ConfigChoice::Nothing => file_error(&path, error),
        },
        ConfigurationError::Invalid(errors) => show_all_but_last(&errors, ui),
    })
}

/// Shows all errors but the last, which ends the command.
fn show_all_but_last(errors: &[ConfigError], ui: &mut Ui) -> CommandError {
    let (last, others) = errors.split_last().expect("there is an error to show");
    for error in others {
        ui.error(&to_command_error(error, ui));
    }
    to_command_error(last, ui)
}

fn to_command_error(error: &ConfigError, ui: &Ui) -> CommandError {
    config_error(error, ui.privacy())
}

/// Returns an error as it is shown, with its line.
pub(in crate::cli) fn config_error(error: &ConfigError, privacy: Privacy<'_>) -> CommandError {
    let mut message = message![quote_in_full(&error.path)];
    if let Some(LineColumn { line, column }) = error.range.as_ref().map(|range| range.start) {
        message.push(message![":", line, ":", column]);
    }
    message.push(message![": ", error.message.clone()]);
    if let (Some(range), Some(line)) = (&error.range, &error.line) {
        let LineColumn { line: number, column } = range.start;
        let shown = excerpt(&privacy.mask(line), column);
        if !shown.is_empty() {
            message.push(message!["\n  ", number, " | ", quote_lines(&shown)]);
        }
    }
    match &error.help {
        Some(help) => CommandError::new(message).help(help.clone()),
        None => CommandError::new(message),
    }
}

/// Returns the characters around a column of a line in which everything that is hidden is masked.
fn excerpt(masked: &str, column: usize) -> String {
    let start = column.saturating_sub(EXCERPT_SIDE_CHARACTERS_MAX);
    masked.chars().skip(start).take(2 * EXCERPT_SIDE_CHARACTERS_MAX).collect()
}

/// Returns the error of a configuration that cannot be read.
pub(in crate::cli) fn file_error(path: &Path, error: ConfigFileError) -> CommandError {
    match error {
        ConfigFileError::Read(error) => CommandError::read(path, error),
        error @ ConfigFileError::NotUtf8 => {
            CommandError::new(message![quote_path(path), " ", quote_display(error)])
        }
    }
}

/// Returns the current directory, without symbolic links.
pub(in crate::cli) fn current_dir() -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    fs::canonicalize(&current).unwrap_or(current)
}

/// Returns today's date in UTC, so that a waiver expires at the same moment on every machine.
pub(in crate::cli) fn today() -> Date {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX);
    let now = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
    now.to_zoned(TimeZone::UTC).date()
}
