//! Finding `dibber.toml`, and the settings that it and the command line make together.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use jiff::civil::Date;
use jiff::{Timestamp, tz::TimeZone};

use super::arguments::{ConfigChoice, Options};
use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_lint::{LevelSetting, Settings};
use dibber_skill::config::{self, CONFIG_BYTES_MAX, CONFIG_FILE_NAME, Config, ConfigError};
use dibber_skill::discover;
use dibber_text::Source;
use dibber_text::file;

/// Reads the configuration and joins it with the levels of the command line.
pub(super) fn settings(options: &Options, ui: &mut Ui) -> Result<Settings, CommandError> {
    match &options.config {
        ConfigChoice::Nearest => settings_near(options.input.paths(), &options.levels, ui),
        ConfigChoice::File(file) => joined(Some(file), &options.levels, ui),
        ConfigChoice::Nothing => joined(None, &options.levels, ui),
    }
}

/// Returns the settings of the `dibber.toml` that is nearest to these paths, with these levels.
pub(in crate::cli) fn settings_near(
    paths: &[PathBuf],
    levels: &[LevelSetting],
    ui: &mut Ui,
) -> Result<Settings, CommandError> {
    joined(nearest(first_of(paths)).as_deref(), levels, ui)
}

fn joined(
    file: Option<&Path>,
    levels: &[LevelSetting],
    ui: &mut Ui,
) -> Result<Settings, CommandError> {
    let (config, mut errors) = match file.map(read).transpose()? {
        Some((config, errors)) => (Some(config), errors),
        None => (None, Vec::new()),
    };
    let settings = Settings::new(config.as_ref(), levels, today()).unwrap_or_else(|more| {
        errors.extend(more);
        Settings::default()
    });
    errors.sort_by_key(|error| error.range.as_ref().map(|range| range.span));
    if errors.is_empty() { Ok(settings) } else { Err(show(&errors, ui)) }
}

/// Shows all errors, and makes one of them all to end with.
fn show(errors: &[ConfigError], ui: &mut Ui) -> CommandError {
    let (last, others) = errors.split_last().expect("there are errors to show");
    for error in others {
        ui.error(&to_command_error(error, ui));
    }
    to_command_error(last, ui)
}

fn to_command_error(error: &ConfigError, ui: &Ui) -> CommandError {
    // Names go before characters are escaped, which would part the letters of one.
    shown(error, |text| ui.masked(text).into_owned())
}

/// The error as it is shown, with its line.
pub(in crate::cli) fn shown(error: &ConfigError, masked: impl Fn(&str) -> String) -> CommandError {
    let (path, message) = (masked(&error.path), masked(&error.message));
    let mut message = ConfigError { path, message, ..error.clone() }.to_string();
    if let (Some(range), Some(excerpt)) = (&error.range, &error.excerpt) {
        let line = excerpt.text.lines().next().unwrap_or_default();
        message += &format!("\n  {} | {line}", range.start.line);
    }
    let message = dibber_lint::mask_secrets(&message);
    match &error.help {
        Some(help) => CommandError::new(message).help(dibber_lint::mask_secrets(help)),
        None => CommandError::new(message),
    }
}

/// The first of some paths, or the current folder.
fn first_of(paths: &[PathBuf]) -> &Path {
    paths.first().map_or(Path::new("."), PathBuf::as_path)
}

/// The `dibber.toml` in a folder or the nearest above it. The search ends at the top of a
/// repository.
pub(in crate::cli) fn nearest(start: &Path) -> Option<PathBuf> {
    let start = std::path::absolute(start).ok()?;
    let start = fs::canonicalize(&start).unwrap_or(start);
    for folder in start.ancestors() {
        let file = folder.join(CONFIG_FILE_NAME);
        if file.is_file() {
            return Some(shorter(file));
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}

/// The path from the current folder, when the file lies in it.
fn shorter(file: PathBuf) -> PathBuf {
    let current = current_folder();
    file.strip_prefix(current).map(Path::to_owned).unwrap_or(file)
}

fn current_folder() -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    fs::canonicalize(&current).unwrap_or(current)
}

/// Reads a configuration, and gives all that is wrong with it.
pub(in crate::cli) fn read(path: &Path) -> Result<(Config, Vec<ConfigError>), CommandError> {
    let bytes = file::read_regular_argument(path, CONFIG_BYTES_MAX as u64)
        .map_err(|error| CommandError::read(&path.display(), error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| CommandError::new(format!("{} is not UTF-8", path.display())))?;
    let (config, errors) = config::parse(Source::new(discover::shown_path(path), text));
    Ok((config.seen_from(&discover::shown_path(&current_folder())), errors))
}

/// Today, in UTC, so that a waiver expires at the same moment on every machine.
pub(in crate::cli) fn today() -> Date {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX);
    let now = Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX);
    now.to_zoned(TimeZone::UTC).date()
}
