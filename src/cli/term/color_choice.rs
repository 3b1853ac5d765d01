//! When output is coloured.

use std::env;

use super::style::Color;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum ColorChoice {
    /// If the output is a terminal and the environment does not forbid it.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Returns the colour of a stream: that of `--color`; else none if `NO_COLOR` is set
    /// (no-color.org); else colour if `FORCE_COLOR` (force-color.org) or `CLICOLOR_FORCE`
    /// (bixense.com/clicolors) is set, but not to `0`; else colour on a terminal.
    pub(super) fn of_stream(self, is_terminal: bool) -> Color {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_forced =
            |name: &str| is_set(name) && env::var_os(name).is_some_and(|value| value != "0");
        let is_colored = match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if is_set("NO_COLOR") => false,
            Self::Auto if is_forced("FORCE_COLOR") || is_forced("CLICOLOR_FORCE") => true,
            Self::Auto => is_terminal && env::var_os("TERM").is_none_or(|term| term != "dumb"),
        };
        if is_colored { Color::Always } else { Color::Never }
    }
}
