//! Why a program has no result.

use std::fmt;
use std::io::ErrorKind;
use std::time::Duration;

use super::job::Outcome;
use crate::firing::finish::Retry;

/// Why a program has no result. It does not name the program: the family reads it.
#[derive(Debug)]
pub(super) enum CommandError {
    NoDirectory(ErrorKind),
    NotStarted(ErrorKind),
    Files(ErrorKind),
    Streams(ErrorKind),
    TooLate(Duration),
    TooLong(u64),
    Failed(Option<i32>),
    Invalid(String),
}

impl CommandError {
    /// Returns how the attempt ended, with the last lines of what the program wrote to standard
    /// error.
    ///
    /// A program that is missing, although it was there when the server started, may be one that is being
    /// replaced. One that ended well, and whose result is not valid, has had its effects: another attempt
    /// would repeat them. One that was killed may have had them.
    pub(super) fn into_outcome(self, last_lines: &str) -> Outcome {
        let retry = match &self {
            Self::TooLong(_) | Self::Invalid(_) => Retry::Never,
            Self::Streams(_) | Self::TooLate(_) | Self::Failed(None) => Retry::MayRepeat,
            Self::NoDirectory(_) | Self::NotStarted(_) | Self::Files(_) | Self::Failed(Some(_)) => {
                Retry::Later
            }
        };
        let mut reason = self.to_string();
        if !last_lines.is_empty() && matches!(self, Self::Failed(_) | Self::TooLate(_)) {
            reason = format!("{reason}: {last_lines}");
        }
        Outcome::Failed { reason, retry }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDirectory(error) => {
                write!(f, "the working directory of the program cannot be used: {error}")
            }
            Self::NotStarted(ErrorKind::NotFound) => {
                f.write_str("the program does not exist, or cannot be found in PATH")
            }
            Self::NotStarted(ErrorKind::PermissionDenied) => {
                f.write_str("the program is not executable")
            }
            Self::NotStarted(error) => write!(f, "the program cannot be started: {error}"),
            Self::Files(error) => {
                write!(f, "the files for the program cannot be written: {error}")
            }
            Self::Streams(error) => {
                write!(f, "the output of the program cannot be read: {error}")
            }
            Self::TooLate(timeout) => {
                write!(f, "the program has not ended after {:.0} seconds", timeout.as_secs_f32())
            }
            Self::TooLong(max) => write!(f, "the program writes more than {max} bytes"),
            Self::Failed(Some(code)) => write!(f, "the program ended with exit code {code}"),
            Self::Failed(None) => f.write_str("the program was ended by a signal"),
            Self::Invalid(why) => f.write_str(why),
        }
    }
}
