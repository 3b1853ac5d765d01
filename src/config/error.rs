//! What is wrong with a configuration, and where.

use std::fmt;

use crate::diagnostic::{Excerpt, Range};
use crate::text::{Source, Span, escape_line};

/// How alike two names are at least, from 0 to 1, for one to be taken as a slip for the other.
const LIKENESS_MIN: f64 = 0.6;

/// Something that is wrong with a `dibber.toml`, or with a level on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The path of the file as it is shown; for the command line, the option as it was given.
    pub path: String,
    /// The place in the file; none on the command line.
    pub range: Option<Range>,
    /// The lines around the place.
    pub excerpt: Option<Excerpt>,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}

impl ConfigError {
    /// Makes an error at a place in a file.
    pub fn new(source: &Source, span: Span, message: impl Into<String>) -> Self {
        Self {
            path: source.path().to_owned(),
            range: Some(Range::new(source, span)),
            excerpt: Some(Excerpt::new(source, span)),
            message: message.into(),
            help: None,
        }
    }

    /// Makes an error about an option of the command line.
    pub fn on_command_line(option: impl Into<String>, message: impl Into<String>) -> Self {
        let (path, message) = (option.into(), message.into());
        Self { path, range: None, excerpt: None, message, help: None }
    }

    /// Says the way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// One line, `path:line:column: message`, with everything in it escaped.
impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape_line(&self.path))?;
        if let Some(range) = &self.range {
            write!(f, ":{}:{}", range.start.line, range.start.column)?;
        }
        write!(f, ": {}", escape_line(&self.message))
    }
}

impl std::error::Error for ConfigError {}

/// The known name that `name` is most like, if it is so much like it that it may be a slip.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    known
        .into_iter()
        .map(|known| (strsim::normalized_damerau_levenshtein(&lower, known), known))
        .filter(|(likeness, _)| *likeness > LIKENESS_MIN)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

/// Cuts a text that would make a message too long.
pub(crate) fn cut(text: &str) -> String {
    const CHARACTERS_MAX: usize = 60;
    match text.char_indices().nth(CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
