//! What ends a command before its time.

use std::{fmt, io};

use super::exit::Exit;
use dibber_skill::discover::{DiscoverError, DiscoverErrorKind};
use dibber_text::file::ReadError;

/// An error to show to the person at the terminal: what happened, and the way out.
#[derive(Clone, Debug)]
pub(super) struct CommandError {
    message: String,
    excerpt: Option<String>,
    hint: Option<String>,
    cause: Option<io::ErrorKind>,
    exit: Exit,
}

impl CommandError {
    /// Makes an error of a message: a fragment in lower case, without a full stop.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), excerpt: None, hint: None, cause: None, exit: Exit::Usage }
    }

    /// Makes an error of one that the system gave, saying what was being done.
    #[expect(clippy::needless_pass_by_value, reason = "so that it can stand in a `map_err`")]
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

    /// Makes the error of somebody who pressed Ctrl-C.
    pub(super) fn interrupted() -> Self {
        Self::io("interrupted", io::ErrorKind::Interrupted.into())
    }

    /// Puts what the error is about before the message.
    #[must_use]
    pub(super) fn with_context(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// Shows the place: lines that are escaped already.
    #[must_use]
    pub(super) fn excerpt(mut self, lines: impl Into<String>) -> Self {
        self.excerpt = Some(lines.into());
        self
    }

    /// Says the way out.
    #[must_use]
    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Ends the command with another code than that of a usage error.
    #[must_use]
    pub(super) fn exit(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }

    /// How the command ends.
    pub(super) fn exit_code(&self) -> Exit {
        if self.is_interrupted() { Exit::Interrupted } else { self.exit }
    }

    /// What happened.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// The lines that show the place.
    pub(super) fn excerpt_lines(&self) -> Option<&str> {
        self.excerpt.as_deref()
    }

    /// The way out.
    pub(super) fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Tells whether the reader of the output has gone away.
    pub(super) fn is_closed_pipe(&self) -> bool {
        self.cause == Some(io::ErrorKind::BrokenPipe)
    }

    /// Tells whether somebody pressed Ctrl-C.
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
