//! Finding and reading `dibber.toml`.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::paths::shown_path;
use super::project::project_root;
use crate::config::{self, CONFIG_BYTES_MAX, CONFIG_FILE_NAME, Config, ConfigError};
use dibber_text::Source;
use dibber_text::file::{self, ReadError};

/// Why a `dibber.toml` cannot be read.
#[derive(Debug)]
pub enum ConfigFileError {
    /// The file cannot be opened or read.
    Read(ReadError),
    /// The file is not UTF-8.
    NotUtf8,
}

impl fmt::Display for ConfigFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::NotUtf8 => f.write_str("is not UTF-8"),
        }
    }
}

impl std::error::Error for ConfigFileError {}

/// Returns the path of the `dibber.toml` in a directory or the nearest above it. The search ends
/// at the root of a repository. A file below the current directory is returned as a relative
/// path.
pub fn nearest_config(start: &Path, current_dir: &Path) -> Option<PathBuf> {
    let start = current_dir.join(start);
    let start = fs::canonicalize(&start).unwrap_or(start);
    for directory in start.ancestors() {
        let file = directory.join(CONFIG_FILE_NAME);
        // Whatever it is: what cannot be read is reported, and not passed over.
        if fs::symlink_metadata(&file).is_ok() {
            let relative = file.strip_prefix(current_dir).map(Path::to_owned);
            return Some(relative.unwrap_or(file));
        }
        if directory.join(".git").exists() {
            return None;
        }
    }
    None
}

/// Reads the `dibber.toml` that [`nearest_config`] has found. A link that leads out of its project is
/// refused: the lines of a configuration are shown with its errors.
pub fn read_nearest_config(
    path: &Path,
    current_dir: &Path,
) -> Result<(Config, Vec<ConfigError>), ConfigFileError> {
    let directory = path.parent().unwrap_or(Path::new(""));
    file::check_inside(path, &project_root(directory)).map_err(ConfigFileError::Read)?;
    read_config(path, current_dir)
}

/// Reads a configuration, and returns it with everything that is wrong with it.
pub fn read_config(
    path: &Path,
    current_dir: &Path,
) -> Result<(Config, Vec<ConfigError>), ConfigFileError> {
    let bytes = file::read_regular_argument(path, CONFIG_BYTES_MAX as u64)
        .map_err(ConfigFileError::Read)?;
    let text = String::from_utf8(bytes).map_err(|_| ConfigFileError::NotUtf8)?;
    let (config, errors) = config::parse(Source::new(shown_path(path), text));
    Ok((config.seen_from(&shown_path(current_dir)), errors))
}
