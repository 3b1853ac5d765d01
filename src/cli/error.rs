//! The error of a command.

use std::path::Path;
use std::{fs, io, mem};

use serde_json::Value;

use super::exit::Exit;
use dibber_skill::discover::{DiscoverError, DiscoverErrorKind};
#[cfg(feature = "remote")]
use dibber_text::Mask;
use dibber_text::file::ReadError;
use dibber_text::{Message, closest_match, message, quote, quote_display, quote_path};

/// What went wrong, for the person at the terminal, and the exit code for it.
#[derive(Clone, Debug)]
pub(super) struct CommandError {
    words: Box<Words>,
    cause: Option<io::ErrorKind>,
    exit: Exit,
}

/// What is shown of an error.
#[derive(Clone, Debug)]
struct Words {
    message: Message,
    excerpt: Option<Message>,
    help: Option<Message>,
    /// The error of a server in its own words, unmasked.
    server_error: Option<Value>,
}

impl CommandError {
    /// Creates an error with this message: a fragment in lower case, without a full stop.
    pub(super) fn new(message: impl Into<Message>) -> Self {
        let words =
            Words { message: message.into(), excerpt: None, help: None, server_error: None };
        Self { words: Box::new(words), cause: None, exit: Exit::Usage }
    }

    /// Converts an error of the system; `doing` says what failed, as in "cannot read x".
    #[expect(clippy::needless_pass_by_value, reason = "for use in `map_err`")]
    pub(super) fn io(doing: impl Into<Message>, cause: io::Error) -> Self {
        Self {
            cause: Some(cause.kind()),
            ..Self::new(message![doing.into(), ": ", quote_display(&cause)])
        }
    }

    /// Returns the error of a file that cannot be read.
    pub(super) fn read(path: &Path, error: ReadError) -> Self {
        let shown = quote_path(path);
        match error {
            ReadError::Io(cause) => Self::io(message!["cannot read ", shown], cause),
            error => Self::new(message![shown, " ", quote_display(error)]),
        }
    }

    /// Creates the error of a question that cannot be asked.
    pub(super) fn cannot_confirm(help: &'static str) -> Self {
        Self::new("cannot ask for confirmation: this is not a terminal").help(help)
    }

    /// Returns the error that Ctrl-C causes.
    pub(super) fn interrupted() -> Self {
        Self::io("interrupted", io::ErrorKind::Interrupted.into())
    }

    /// Replaces the message.
    #[cfg(feature = "remote")]
    #[must_use]
    pub(super) fn with_message(mut self, message: impl Into<Message>) -> Self {
        self.words.message = message.into();
        self
    }

    /// Puts what the error is about before the message.
    #[must_use]
    pub(super) fn with_context(mut self, what: impl Into<Message>) -> Self {
        let message = mem::take(&mut self.words.message);
        self.words.message = message![what.into(), ": ", message];
        self
    }

    /// Adds the lines where the problem is.
    #[must_use]
    pub(super) fn excerpt(mut self, lines: impl Into<Message>) -> Self {
        self.words.excerpt = Some(lines.into());
        self
    }

    /// Adds what to do about it.
    #[must_use]
    pub(super) fn help(mut self, help: impl Into<Message>) -> Self {
        self.words.help = Some(help.into());
        self
    }

    /// Adds another thing to do about it.
    #[cfg(feature = "remote")]
    #[must_use]
    pub(super) fn more_help(self, help: impl Into<Message>) -> Self {
        let help = match self.help_text() {
            Some(first) => message![first.clone(), "; ", help.into()],
            None => help.into(),
        };
        self.help(help)
    }

    /// Adds the error of the server in its own words, for programs.
    #[cfg(feature = "remote")]
    #[must_use]
    pub(super) fn with_server_error(mut self, error: Value) -> Self {
        self.words.server_error = Some(error);
        self
    }

    /// Masks what must not be shown, in addition to what is masked where it is printed.
    #[cfg(feature = "remote")]
    #[must_use]
    pub(super) fn masked(mut self, mask: &dyn Mask) -> Self {
        let words = &mut self.words;
        words.message = words.message.masked(mask);
        for part in [&mut words.excerpt, &mut words.help] {
            *part = part.take().map(|message| message.masked(mask));
        }
        words.server_error = words.server_error.take().map(|error| mask_strings(error, mask));
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

    pub(super) fn message(&self) -> &Message {
        &self.words.message
    }

    pub(super) fn excerpt_lines(&self) -> Option<&Message> {
        self.words.excerpt.as_ref()
    }

    pub(super) fn help_text(&self) -> Option<&Message> {
        self.words.help.as_ref()
    }

    /// Returns the error of the server in its own words, unmasked.
    pub(super) fn server_error(&self) -> Option<&Value> {
        self.words.server_error.as_ref()
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
        let error = Self::new(quote_display(problem));
        match problem.kind {
            DiscoverErrorKind::NotFound => error.help(missing_path_help(&problem.path)),
            // The panic hook has shown what to do about it.
            DiscoverErrorKind::Internal(_) => error.exit(Exit::InternalError),
            _ => error,
        }
    }
}

/// Returns a value with this masked in every string.
#[cfg(feature = "remote")]
fn mask_strings(value: Value, mask: &dyn Mask) -> Value {
    match value {
        Value::String(text) => mask.mask(&text).into(),
        Value::Array(items) => items.into_iter().map(|item| mask_strings(item, mask)).collect(),
        Value::Object(entries) => {
            let entries = entries.into_iter();
            entries.map(|(key, value)| (key, mask_strings(value, mask))).collect()
        }
        other => other,
    }
}

/// Returns what to type instead of a path that does not exist: what is there under a similar name.
pub(super) fn missing_path_help(path: &str) -> Message {
    let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
    let entries = fs::read_dir(parent).into_iter().flatten().filter_map(Result::ok);
    let names: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    match closest_match(name, names.iter().map(String::as_str)) {
        Some(meant) if parent == "." => message!["did you mean `", quote(meant), "`?"],
        Some(meant) => message!["did you mean `", quote(parent), "/", quote(meant), "`?"],
        None => "give the directory of a skill, or a file in one".into(),
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
        assert!(
            error.message().shown(&()).to_string().starts_with("a/SKILL.md: internal error"),
            "{error:?}"
        );
        assert_eq!(error.exit_code(), Exit::InternalError);
    }
}
