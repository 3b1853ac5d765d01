//! Colour, for the formats that people read.

use anstyle::{AnsiColor, Effects, Style as Ansi};

use super::style::Color;
use dibber_skill::diagnostic::Level;

pub(super) const ERROR: Ansi = AnsiColor::Red.on_default().effects(Effects::BOLD);
pub(super) const WARNING: Ansi = AnsiColor::Yellow.on_default().effects(Effects::BOLD);
pub(super) const HELP: Ansi = AnsiColor::Cyan.on_default().effects(Effects::BOLD);
pub(super) const PLACE: Ansi = AnsiColor::Cyan.on_default();
pub(super) const STRONG: Ansi = Ansi::new().effects(Effects::BOLD);
pub(super) const FAINT: Ansi = Ansi::new().effects(Effects::DIMMED);

/// Returns the style of the word for a level.
pub(super) const fn level_style(level: Level) -> Ansi {
    match level {
        Level::Deny => ERROR,
        Level::Allow | Level::Warn => WARNING,
    }
}

/// Appends `text`, which is escaped already, in the style if there is colour.
pub(super) fn paint(out: &mut String, color: Color, style: Ansi, text: &str) {
    match color {
        Color::Never => out.push_str(text),
        Color::Always => *out += &format!("{style}{text}{style:#}"),
    }
}
