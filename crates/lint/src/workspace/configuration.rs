//! Which `dibber.toml` applies, and the settings that it and the caller make together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::civil::Date;

use crate::levels::LevelSetting;
use crate::settings::Settings;
use dibber_skill::config::ConfigError;
use dibber_skill::discover::{ConfigFileError, nearest_config, read_config, read_nearest_config};
use dibber_skill::names::Roster;

/// Which `dibber.toml` is used.
#[derive(Clone, Debug)]
pub enum ConfigChoice {
    /// The one in the directory of the first path, or the nearest above it.
    Nearest,
    /// This file.
    File(PathBuf),
    /// None.
    Nothing,
}

/// What a run takes from the process, so that the library reads neither its clock nor its
/// directory.
#[derive(Clone, Debug)]
pub struct Environment {
    /// The day of the run, on which waivers may be expired.
    pub today: Date,
    /// The current directory, without symbolic links.
    pub current_dir: PathBuf,
    /// The names of children, which no diagnostic shows.
    pub roster: Arc<Roster>,
}

/// Why there are no settings.
#[derive(Debug)]
pub enum ConfigurationError {
    /// The file at this path cannot be read.
    File(PathBuf, ConfigFileError),
    /// The file, or a level of the caller, is invalid; at least one error, in the order of the
    /// file.
    Invalid(Vec<ConfigError>),
}

/// Loads the settings of a run over `paths`: those of the `dibber.toml` of `choice`, and
/// `levels`, which win over them.
pub fn load_settings(
    choice: &ConfigChoice,
    paths: &[PathBuf],
    levels: &[LevelSetting],
    environment: &Environment,
) -> Result<Settings, ConfigurationError> {
    let current_dir = &environment.current_dir;
    let file = match choice {
        ConfigChoice::Nearest => {
            let first = paths.first().map_or(Path::new("."), PathBuf::as_path);
            nearest_config(first, current_dir)
        }
        ConfigChoice::File(file) => Some(file.clone()),
        ConfigChoice::Nothing => None,
    };
    let (config, mut errors) = match file {
        Some(file) => {
            let read = match choice {
                ConfigChoice::Nearest => read_nearest_config(&file, current_dir),
                ConfigChoice::File(_) | ConfigChoice::Nothing => read_config(&file, current_dir),
            };
            let (config, errors) = read.map_err(|error| ConfigurationError::File(file, error))?;
            (Some(config), errors)
        }
        None => (None, Vec::new()),
    };
    let settings = Settings::new(config.as_ref(), levels, environment.today);
    let settings = settings.unwrap_or_else(|more| {
        errors.extend(more);
        Settings::default()
    });
    if errors.is_empty() {
        return Ok(settings.with_roster(Arc::clone(&environment.roster)));
    }
    errors.sort_by_key(|error| error.range.as_ref().map(|range| range.span));
    Err(ConfigurationError::Invalid(errors))
}
