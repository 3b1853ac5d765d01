//! Colour at a terminal.

use anstyle::{AnsiColor, Effects, Style as Ansi};

pub(in crate::cli) use dibber_lint::report::{Color, Style};

/// What a piece of text is painted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Ink {
    /// The word `error`.
    Error,
    /// The word `warning`.
    Warning,
    /// The word `help`.
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
    const fn ansi(self) -> Ansi {
        match self {
            Self::Error => AnsiColor::Red.on_default().effects(Effects::BOLD),
            Self::Warning => AnsiColor::Yellow.on_default().effects(Effects::BOLD),
            Self::Help => AnsiColor::Cyan.on_default().effects(Effects::BOLD),
            Self::Place => AnsiColor::Cyan.on_default(),
            Self::Good => AnsiColor::Green.on_default().effects(Effects::BOLD),
            Self::Strong => Ansi::new().effects(Effects::BOLD),
            Self::Faint => Ansi::new().effects(Effects::DIMMED),
        }
    }
}

/// Appends `text`, painted if there is colour. The text must be escaped already.
pub(in crate::cli) fn paint(out: &mut String, color: Color, ink: Ink, text: &str) {
    match color {
        Color::Never => out.push_str(text),
        Color::Always => {
            let ansi = ink.ansi();
            *out += &format!("{ansi}{text}{ansi:#}");
        }
    }
}
