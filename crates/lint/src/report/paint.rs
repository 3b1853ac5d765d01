//! Colour, for the text that people read.

use anstyle::{AnsiColor, Effects, Style as Ansi};

use super::style::Color;
use dibber_skill::diagnostic::Level;

/// The role of a piece of text, which has a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The word `error`.
    Error,
    /// The word `warning`.
    Warning,
    /// The word `help`.
    Help,
    /// A path or another place.
    Place,
    /// A good result.
    Good,
    /// The most important text.
    Strong,
    /// The least important text.
    Faint,
    /// A line of a diff that is not there any more.
    Removed,
    /// A line of a diff that is new.
    Added,
}

impl Ink {
    const fn ansi(self) -> Ansi {
        match self {
            Self::Error => AnsiColor::Red.on_default().effects(Effects::BOLD),
            Self::Warning => AnsiColor::Yellow.on_default().effects(Effects::BOLD),
            Self::Help => AnsiColor::Cyan.on_default().effects(Effects::BOLD),
            Self::Place => AnsiColor::Cyan.on_default(),
            Self::Good => AnsiColor::Green.on_default().effects(Effects::BOLD),
            Self::Strong => Ansi::new().effects(Effects::BOLD),
            Self::Faint => Ansi::new().effects(Effects::DIMMED),
            Self::Removed => AnsiColor::Red.on_default(),
            Self::Added => AnsiColor::Green.on_default(),
        }
    }
}

/// Returns the ink of the word for a level.
pub(super) const fn level_ink(level: Level) -> Ink {
    match level {
        Level::Deny => Ink::Error,
        Level::Allow | Level::Warn => Ink::Warning,
    }
}

/// Appends text, which is escaped already, painted if there is colour.
pub fn paint(out: &mut String, color: Color, ink: Ink, text: &str) {
    match color {
        Color::Never => out.push_str(text),
        Color::Always => {
            let ansi = ink.ansi();
            *out += &format!("{ansi}{text}{ansi:#}");
        }
    }
}
