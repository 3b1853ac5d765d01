//! What the Python files of a skill show without being run: functions, and secrets that are read.
//!
//! Nothing here parses Python: comments and strings are kept apart from code, and what is not certain
//! counts as right.

mod functions;
mod secrets;
mod statement;
mod tokens;

use std::path::Path;

pub(super) use functions::{Definition, definition, functions};
pub(super) use secrets::secrets_read;

/// Returns `true` if a path is that of a Python file.
pub(super) fn is_python(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "py")
}
