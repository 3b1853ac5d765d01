//! The error of a command.

use std::{fmt, io};

use super::exit::Exit;
use dibber_skill::discover::{DiscoverError, DiscoverErrorKind};
use dibber_text::file::ReadError;

/// What went wrong, for the person at the terminal, and the exit code for it.
#[derive(Clone, Debug)]
pub(super) struct CommandError {
    message: String,
    excerpt: Option<String>,
    help: Option<String>,
    cause: Option<io::ErrorKind>,
    exit: Exit,
}

impl CommandError {
    /// Creates an error with this message: a fragment in lower case, without a full stop.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), excerpt: None, help: None, cause: None, exit: Exit::Usage }
    }

    /// Converts an error of the system; `doing` says what failed, as in "cannot read x".
    #[expect(clippy::needless_pass_by_value, reason = "for use in `map_err`")]
    pub(super) fn io(doing: impl fmt::Display, cause: io::Error) -> Self {
        Self { cause: Some(cause.kind()), ..Self::new(format!("{doing}: {cause}")) }
    }

    /// Returns the error of a file that cannot be read; `shown` is its path, escaped.
    pub(super) fn read(shown: &impl fmt::Display, error: ReadError) -> Self {
        match error {
            ReadError::Io(cause) => Self::io(format_args!("cannot read {shown}"), cause),
            error => Self::new(format!("{shown} {error}")),
        }
    }

    /// Returns the error that Ctrl-C causes.
    pub(super) fn interrupted() -> Self {
        Self::io("interrupted", io::ErrorKind::Interrupted.into())
    }

    /// Puts what the error is about before the message.
    #[must_use]
    pub(super) fn with_context(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// Adds the lines where the problem is, escaped already.
    #[must_use]
    pub(super) fn excerpt(mut self, lines: impl Into<String>) -> Self {
        self.excerpt = Some(lines.into());
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Replaces the exit code, which is that of a usage error by default.
    #[must_use]
    pub(super) fn exit(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }

    /// Returns how the command ends.
    pub(super) fn exit_code(&self) -> Exit {
        if self.is_interrupted() { Exit::Interrupted } else { self.exit }
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn excerpt_lines(&self) -> Option<&str> {
        self.excerpt.as_deref()
    }

    pub(super) fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Returns `true` if the reader of the output has closed the pipe.
    pub(super) fn is_closed_pipe(&self) -> bool {
        self.cause == Some(io::ErrorKind::BrokenPipe)
    }

    /// Returns `true` if Ctrl-C caused it.
    pub(super) fn is_interrupted(&self) -> bool {
        self.cause == Some(io::ErrorKind::Interrupted)
    }
}

impl From<&DiscoverError> for CommandError {
    fn from(problem: &DiscoverError) -> Self {
        let error = Self::new(problem.to_string());
        match problem.kind {
            // The panic hook has shown what to do about it.
            DiscoverErrorKind::Internal(_) => error.exit(Exit::InternalError),
            _ => error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dibber_skill::discover;

    #[test]
    fn a_panic_on_a_skill_has_its_own_exit_code() {
        let panicked: Result<(), _> = discover::isolated("a/SKILL.md", || panic!("Zebulonka"));
        let error = CommandError::from(&panicked.expect_err("an error"));
        assert!(error.message().starts_with("a/SKILL.md: internal error"), "{error:?}");
        assert_eq!(error.exit_code(), Exit::InternalError);
    }
}
