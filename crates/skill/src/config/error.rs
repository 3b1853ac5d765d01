//! What is wrong with a configuration, and where.

use std::fmt;

use crate::diagnostic::Range;
use dibber_text::{MASKED, Message, Problem, Source, Span, escape_line};

/// Something that is wrong with a `dibber.toml`, or with a level on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The path of the file as it is shown; for the command line, the option as it was given.
    pub path: String,
    /// The place in the file; none on the command line.
    pub range: Option<Range>,
    /// The line where the place begins, in full: what must not be shown is found in it before it
    /// is cut.
    pub line: Option<String>,
    /// What is wrong, as a sentence fragment.
    pub message: Message,
    /// What to write instead.
    pub help: Option<Message>,
}

impl ConfigError {
    /// Creates an error at a place in a file.
    pub fn new(source: &Source, span: Span, message: impl Into<Message>) -> Self {
        Self {
            path: source.path().to_owned(),
            range: Some(Range::new(source, span)),
            line: Some(line_of(source, span)),
            message: message.into(),
            help: None,
        }
    }

    /// Creates an error of a problem in a file.
    pub fn of_problem(source: &Source, problem: Problem) -> Self {
        let Problem { place, message, help, labels: _ } = problem;
        Self { help, ..Self::new(source, place, message) }
    }

    /// Creates an error about an option of the command line.
    pub fn on_command_line(option: impl Into<String>, message: impl Into<Message>) -> Self {
        let (path, message) = (option.into(), message.into());
        Self { path, range: None, line: None, message, help: None }
    }

    /// Shows the key of the line without its value, which may be a secret.
    pub(super) fn hide_value(&mut self) {
        self.line = self.line.take().and_then(|line| line_without_value(&line));
    }

    /// Sets what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<Message>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Returns the header of a table as it is, and of another line only the key.
fn line_without_value(line: &str) -> Option<String> {
    let is_of_key = |c: char| c.is_ascii_alphanumeric() || "-_. []".contains(c);
    let (key, rest) = line.split_once('=').map_or((line, None), |(key, rest)| (key, Some(rest)));
    if !key.chars().all(is_of_key) {
        return None;
    }
    match rest {
        Some(_) => Some(format!("{key}= {MASKED}")),
        None => line.trim_start().starts_with('[').then(|| line.to_owned()),
    }
}

fn line_of(source: &Source, span: Span) -> String {
    let lines = source.lines();
    let line = lines.line_span(source.text(), lines.line(span.start));
    source.text()[line.range()].trim_end_matches(['\r', '\n']).to_owned()
}

/// One line, `path:line:column: message`, with everything in it escaped.
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape_line(&self.path))?;
        if let Some(range) = &self.range {
            write!(f, ":{}:{}", range.start.line, range.start.column)?;
        }
        write!(f, ": {}", self.message.shown(&()))
    }
}

impl std::error::Error for ConfigError {}
