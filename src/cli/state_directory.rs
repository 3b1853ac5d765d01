//! The directory of what dibber keeps between its runs: the database, the journal, answers.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::error::CommandError;

/// The environment variable with its path.
const PATH_VARIABLE: &str = "DIBBER_DATA";
/// Its name below the user's own directory for such things.
const OWN_DIRECTORY: &str = "dibber";

/// Returns the directory: the one that was typed, that of `DIBBER_DATA`, or the user's own.
pub(super) fn state_directory(typed: Option<&Path>) -> Result<PathBuf, CommandError> {
    if let Some(data) = typed {
        return Ok(data.to_owned());
    }
    if let Some(data) = std::env::var_os(PATH_VARIABLE).filter(|path| !path.is_empty()) {
        return Ok(PathBuf::from(data));
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        CommandError::new("cannot determine the state directory")
            .help("set DIBBER_DATA to the path of a directory")
    })?;
    let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Ok(state.join(OWN_DIRECTORY))
}
