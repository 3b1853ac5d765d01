//! Why the text of a lock file is not valid.

use std::fmt;

/// Why a string is not a valid `dibber.lock`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockError {
    /// The line, from 1, if it is known.
    pub line: Option<usize>,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for LockError {}
