//! The standard streams: data on one, everything else on the other.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal, Stderr, Stdout, Write};
use std::sync::Arc;

use serde::Serialize;

use super::error::CommandError;
use super::names_file::Names;
use dibber_lint::report::{Color, write_json_pretty};
use dibber_skill::names::Roster;

/// The width of a report when no terminal says otherwise, in columns.
const WIDTH_DEFAULT: usize = 100;
/// The narrowest width that a report is still made for.
const WIDTH_MIN: usize = 40;
/// The widest: longer lines are hard to read.
const WIDTH_MAX: usize = 120;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ColorChoice {
    /// When the output is a terminal and the environment does not object.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Where a command writes.
pub(super) struct Ui {
    color: ColorChoice,
    names: Names,
    stdout: Stdout,
    stderr: Stderr,
}

impl Ui {
    /// Writes to the standard streams, and keeps these names off them.
    pub(super) fn new(color: ColorChoice, names: Names) -> Self {
        Self { color, names, stdout: io::stdout(), stderr: io::stderr() }
    }

    /// The children's names that nothing may show. A command that shows what stands in files
    /// cannot go on without them.
    pub(super) fn names(&self) -> Result<Arc<Roster>, CommandError> {
        self.names.get()
    }

    /// A text without the names of children.
    pub(super) fn masked<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.names.hidden().mask(text)
    }

    /// Writes data to standard output.
    pub(super) fn print(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        let mut stdout = self.stdout.lock();
        stdout
            .write_all(bytes)
            .and_then(|()| stdout.flush())
            .map_err(|error| CommandError::io("cannot write to standard output", error))
    }

    /// Writes data to standard output as JSON.
    pub(super) fn print_json(&mut self, value: &impl Serialize) -> Result<(), CommandError> {
        let mut json = Vec::new();
        write_json_pretty(value, &mut json);
        self.print(&json)
    }

    /// Writes a line to standard error; a closed stream is nobody's loss.
    pub(super) fn say(&mut self, line: &str) {
        let _ = writeln!(self.stderr.lock(), "{line}");
    }

    /// Says why nothing happens for now: another process has locked a directory.
    #[cfg(feature = "remote")]
    pub(super) fn wait_for(&mut self, folder: &std::path::Path) {
        let folder = self.masked(&dibber_skill::discover::shown_path(folder)).into_owned();
        let folder = if folder.is_empty() { "." } else { folder.as_str() };
        let folder = dibber_text::escape(folder);
        self.say(&format!("waiting for another dibber process that has locked {folder}"));
    }

    /// Shows an error, and under it the way out.
    pub(super) fn error(&mut self, error: &CommandError) {
        let message = self.masked(error.message()).into_owned();
        let message = dibber_text::escape(&message);
        self.say(&format!("{}: {message}", self.paint("\x1B[1;31m", "error")));
        if let Some(lines) = error.excerpt_lines() {
            let lines = self.masked(lines).into_owned();
            self.say(&lines);
        }
        if let Some(hint) = error.hint_text() {
            let hint = self.masked(hint).into_owned();
            let hint = dibber_text::escape(&hint);
            self.say(&format!("{}: {hint}", self.paint("\x1B[1;36m", "hint")));
        }
    }

    /// Says what somebody should know who got what they asked for.
    pub(super) fn warning(&mut self, message: &str) {
        let message = self.masked(message).into_owned();
        let message = dibber_text::escape(&message);
        self.say(&format!("{}: {message}", self.paint("\x1B[1;33m", "warning")));
    }

    /// Whether standard output is to be coloured.
    pub(super) fn stdout_color(&self) -> Color {
        self.color_of(self.stdout.is_terminal())
    }

    /// Whether standard error is to be coloured.
    pub(super) fn stderr_color(&self) -> Color {
        self.color_of(self.stderr.is_terminal())
    }

    /// A heading for standard output, bold where there is colour.
    pub(super) fn heading(&self, text: &str) -> String {
        if self.stdout_color() == Color::Always {
            format!("\x1B[1m{text}\x1B[0m")
        } else {
            text.to_owned()
        }
    }

    /// Tells whether standard output is a terminal, which does what control characters say.
    pub(super) fn has_live_stdout(&self) -> bool {
        self.stdout.is_terminal()
    }

    /// Tells whether standard error is a terminal, where progress can be shown.
    pub(super) fn has_live_stderr(&self) -> bool {
        self.stderr.is_terminal()
    }

    /// Tells whether somebody can be asked: what is shown and what is typed is at a terminal.
    pub(super) fn can_ask(&self) -> bool {
        self.stderr.is_terminal() && io::stdin().is_terminal()
    }

    /// The width to write for, in columns.
    pub(super) fn width(&self) -> usize {
        let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let terminal =
            || terminal_size::terminal_size_of(&self.stdout).map(|(width, _)| usize::from(width.0));
        columns.or_else(terminal).unwrap_or(WIDTH_DEFAULT).clamp(WIDTH_MIN, WIDTH_MAX)
    }

    fn paint(&self, code: &str, word: &str) -> String {
        if self.stderr_color() == Color::Always {
            format!("{code}{word}\x1B[0m")
        } else {
            word.to_owned()
        }
    }

    /// Follows no-color.org, and `CLICOLOR_FORCE` for programs that read from a pipe.
    fn color_of(&self, is_terminal: bool) -> Color {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_colored = match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if is_set("NO_COLOR") => false,
            ColorChoice::Auto if is_set("CLICOLOR_FORCE") => true,
            ColorChoice::Auto => {
                is_terminal && env::var_os("TERM").is_none_or(|term| term != "dumb")
            }
        };
        if is_colored { Color::Always } else { Color::Never }
    }
}
