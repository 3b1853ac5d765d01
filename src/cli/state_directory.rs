//! The directories of what dibber keeps between its runs.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::error::CommandError;

/// The environment variable with the path of the directory of the database.
const DATA_VARIABLE: &str = "DIBBER_DATA";
/// The name of dibber's directory below the one where the user's programs keep their state.
const OWN_DIRECTORY: &str = "dibber";

/// Returns the directory of what belongs to the user: the journal, and what was published.
pub(super) fn state_directory() -> Result<PathBuf, CommandError> {
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        CommandError::new("cannot determine the state directory")
            .help("set DIBBER_DATA to the path of a directory")
    })?;
    let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Ok(state.join(OWN_DIRECTORY))
}

/// Returns the directory of the database of the embedded server: the one that was typed, that of
/// `DIBBER_DATA`, or the user's state directory.
pub(super) fn data_directory(typed: Option<&Path>) -> Result<PathBuf, CommandError> {
    if let Some(data) = typed {
        return Ok(data.to_owned());
    }
    let variable = std::env::var_os(DATA_VARIABLE).filter(|path| !path.is_empty());
    variable.map_or_else(state_directory, |data| Ok(PathBuf::from(data)))
}
