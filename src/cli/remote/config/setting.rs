//! A setting, and where its value comes from.

use std::fmt;
use std::path::{Path, PathBuf};

use dibber_skill::discover::shown_path;
use dibber_text::{Source, Span};

/// A setting.
pub(super) struct Setting {
    pub(super) name: String,
    /// The value; `None` if there is none.
    pub(super) value: Option<String>,
    pub(super) origin: Origin,
    /// Why it does not come from where it seems to be set.
    pub(super) note: Option<&'static str>,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// An option of the command line.
    Flag(&'static str),
    /// An environment variable.
    Variable(&'static str),
    /// A file, and the line in it if it is one of several settings there.
    File { path: PathBuf, line: Option<usize> },
    /// This computer.
    Computer,
    /// Nothing has set it.
    Default,
}

impl Setting {
    pub(super) fn new(
        name: impl Into<String>,
        value: impl Into<Option<String>>,
        origin: Origin,
    ) -> Self {
        Self { name: name.into(), value: value.into(), origin, note: None }
    }

    pub(super) fn with_note(self, note: Option<&'static str>) -> Self {
        Self { note, ..self }
    }
}

impl Origin {
    /// Returns the origin of a part of a file.
    pub(super) fn in_file(path: &Path, source: &Source, span: Span) -> Self {
        let line = source.line_column(span.start).line;
        Self::File { path: path.to_owned(), line: Some(line) }
    }

    /// Returns its name in JSON.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Flag(_) => "flag",
            Self::Variable(_) => "environment",
            Self::File { .. } => "file",
            Self::Computer => "computer",
            Self::Default => "default",
        }
    }

    /// Returns the option or the variable.
    pub(super) const fn by(&self) -> Option<&'static str> {
        match self {
            Self::Flag(name) | Self::Variable(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            _ => None,
        }
    }

    pub(super) const fn line(&self) -> Option<usize> {
        match self {
            Self::File { line, .. } => *line,
            _ => None,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Variable(name) => f.write_str(name),
            Self::File { path, line: Some(line) } => write!(f, "{}:{line}", shown_path(path)),
            Self::File { path, line: None } => f.write_str(&shown_path(path)),
            Self::Computer => f.write_str("this computer"),
            Self::Default => f.write_str("default"),
        }
    }
}
