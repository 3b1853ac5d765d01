//! Colour, for the formats that people read.

use super::Color;
use dibber_skill::diagnostic::Level;

/// What a piece of text is painted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The word for an error.
    Error,
    /// The word for a warning.
    Warning,
    /// The word in front of a way out.
    Help,
    /// Where something is.
    Place,
    /// What went well.
    Good,
    /// What is to be read first.
    Strong,
    /// What is to be read last.
    Faint,
}

impl Ink {
    /// The ink for findings of a level.
    pub const fn of(level: Level) -> Self {
        match level {
            Level::Deny => Self::Error,
            Level::Allow | Level::Warn => Self::Warning,
        }
    }

    const fn code(self) -> &'static str {
        match self {
            Self::Error => "\u{1B}[1;31m",
            Self::Warning => "\u{1B}[1;33m",
            Self::Help => "\u{1B}[1;36m",
            Self::Place => "\u{1B}[36m",
            Self::Good => "\u{1B}[1;32m",
            Self::Strong => "\u{1B}[1m",
            Self::Faint => "\u{1B}[2m",
        }
    }
}

/// Appends `text`, painted when there is colour. The text must be escaped already.
pub fn paint(out: &mut String, color: Color, ink: Ink, text: &str) {
    match color {
        Color::Never => out.push_str(text),
        Color::Always => {
            out.push_str(ink.code());
            out.push_str(text);
            out.push_str("\u{1B}[0m");
        }
    }
}
