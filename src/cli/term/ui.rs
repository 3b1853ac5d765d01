//! The standard streams: data on one, everything else on the other.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal, Stderr, Stdout, Write};
use std::sync::Arc;

use serde::Serialize;

use super::color_choice::ColorChoice;
use super::rendered::Rendered;
use super::sheet::Sheet;
use super::style::{Color, Ink, Style, paint};
use super::suggested_options::SuggestedOptions;
use super::wording::quantity;
use crate::cli::error::CommandError;
use crate::cli::error_json::{ErrorDocumentV1, ErrorV1};
use crate::cli::exit::Exit;
use crate::cli::names_file::Names;
use dibber_lint::Privacy;
use dibber_lint::report::layout::wrap_after;
#[cfg(feature = "remote")]
use dibber_lint::report::write_json;
use dibber_lint::report::write_json_pretty;
#[cfg(feature = "remote")]
use dibber_skill::names::Name;
use dibber_skill::names::Roster;
use dibber_text::Mask;
use dibber_text::{Message, Shown, message, quote_in_full};

/// The columns of a report without a terminal.
const WIDTH_DEFAULT: usize = 100;
/// The fewest columns of a report.
const WIDTH_MIN: usize = 40;
/// The most columns: longer lines are hard to read.
const WIDTH_MAX: usize = 120;

/// The most errors that are kept for a document of them.
const ERRORS_KEPT_MAX: usize = 1_000;

/// The standard streams, with the children's names that must not reach them.
pub(in crate::cli) struct Ui {
    color: ColorChoice,
    names: Names,
    /// Whether notes are written to standard error.
    has_notes: bool,
    stdout: Stdout,
    stderr: Stderr,
    /// Whether anything was written to standard output.
    has_printed: bool,
    /// The errors that were shown and are in no document.
    errors: Vec<CommandError>,
    /// What is added to the commands that messages suggest.
    suggested: Option<Arc<SuggestedOptions>>,
    /// The number of errors beyond the limit, and the exit code that matters most of theirs.
    more_errors: Option<(usize, Exit)>,
}

impl Ui {
    /// Creates the streams; these names are masked on both of them.
    pub(in crate::cli) fn new(color: ColorChoice, names: Names) -> Self {
        let (stdout, stderr) = (io::stdout(), io::stderr());
        let (has_notes, has_printed) = (true, false);
        let (errors, suggested, more_errors) = (Vec::new(), None, None);
        Self {
            color,
            names,
            has_notes,
            stdout,
            stderr,
            has_printed,
            errors,
            suggested,
            more_errors,
        }
    }

    /// Sets whether notes are written to standard error, besides warnings and errors.
    pub(in crate::cli) fn with_notes(mut self, has_notes: bool) -> Self {
        self.has_notes = has_notes;
        self
    }

    /// Returns `true` if only results, warnings and errors are wanted.
    #[cfg_attr(not(feature = "remote"), expect(dead_code, reason = "`push` prints its plan"))]
    pub(in crate::cli) const fn is_quiet(&self) -> bool {
        !self.has_notes
    }

    /// Sets what is added to the commands that messages suggest.
    pub(in crate::cli) fn with_suggested(mut self, options: Option<Arc<SuggestedOptions>>) -> Self {
        self.suggested = options;
        self
    }

    /// Returns the same streams for another thread.
    #[cfg(feature = "remote")]
    pub(in crate::cli) fn for_thread(&self) -> Self {
        let ui = Self::new(self.color, self.names.clone()).with_notes(self.has_notes);
        ui.with_suggested(self.suggested.clone())
    }

    /// Returns a message with the commands that it suggests as they have to be typed.
    fn suggested<'a>(&self, message: &'a Message) -> Cow<'a, Message> {
        match &self.suggested {
            Some(options) => Cow::Owned(options.add_to(message)),
            None => Cow::Borrowed(message),
        }
    }

    /// Returns the children's names, which no output may show. A command that shows the contents
    /// of files needs them and fails without them.
    pub(in crate::cli) fn names(&self) -> Result<Arc<Roster>, CommandError> {
        self.names.get()
    }

    /// Adds the names of a family's children to those that no output may show, and that are found in
    /// what is checked.
    #[cfg(feature = "remote")]
    pub(in crate::cli) fn add_children(&mut self, children: &[Name]) {
        self.names.add_children(children);
    }

    /// Adds the names of a family's children to those that no output may show.
    #[cfg(feature = "remote")]
    pub(in crate::cli) fn mask_children(&mut self, children: &[Name]) {
        self.names.mask_children(children);
    }

    /// Returns what masks everything that these streams mask, for what writes elsewhere.
    #[cfg(feature = "remote")]
    pub(in crate::cli) fn mask(&self) -> impl Mask + Send + Sync + 'static {
        self.names.clone()
    }

    /// Returns what may be shown of an untrusted string: with secrets and the names of children
    /// masked.
    pub(in crate::cli) fn shown<'a>(&'a self, text: &'a str) -> Shown<'a> {
        Shown::new(text, &self.names)
    }

    /// Returns what no output may show: secrets and the names of children.
    pub(in crate::cli) fn privacy(&self) -> Privacy<'_> {
        Privacy { roster: self.names.roster() }
    }

    /// Returns the text with secrets and the names of children masked, and nothing escaped.
    pub(in crate::cli) fn masked<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.names.mask(text)
    }

    /// Returns an empty sheet for standard output.
    pub(in crate::cli) fn sheet(&self) -> Sheet<'_> {
        let style = Style { color: self.stdout_color(), width: self.width() };
        Sheet::new(style, self.names.roster())
    }

    /// Writes data to standard output.
    pub(in crate::cli) fn print(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        self.has_printed |= !bytes.is_empty();
        let mut stdout = self.stdout.lock();
        stdout
            .write_all(bytes)
            .and_then(|()| stdout.flush())
            .map_err(|error| CommandError::io("cannot write to standard output", error))
    }

    /// Writes data to standard output as JSON.
    pub(in crate::cli) fn print_json(
        &mut self,
        value: &impl Serialize,
    ) -> Result<(), CommandError> {
        let mut json = Vec::new();
        write_json_pretty(value, &mut json);
        self.print(&json)
    }

    /// Writes data to standard output as JSON on one line.
    #[cfg(feature = "remote")]
    pub(in crate::cli) fn print_json_line(
        &mut self,
        value: &impl Serialize,
    ) -> Result<(), CommandError> {
        let mut json = Vec::new();
        write_json(value, &mut json);
        json.push(b'\n');
        self.print(&json)
    }

    /// Writes a note to standard error, unless none are wanted. A closed stream is ignored.
    pub(in crate::cli) fn eprintln(&mut self, line: impl Into<Message>) {
        if self.has_notes {
            let out = self.wrapped(String::new(), &line.into(), 0);
            let _ = writeln!(self.stderr.lock(), "{out}");
        }
    }

    /// Writes a command to copy to standard error, after what precedes it on its line, unless no
    /// notes are wanted. It is never wrapped.
    pub(in crate::cli) fn eprint_command(&mut self, lead: &'static str, command: Message) {
        if self.has_notes {
            let code = message!["`", command, "`"];
            let shown = self.suggested(&code).shown(&self.names).to_string();
            let _ = writeln!(self.stderr.lock(), "{lead}{}", shown.trim_matches('`'));
        }
    }

    /// Adds a message after this many columns, wrapped for a terminal. A program, or a person who
    /// copies a command from a log, wants whole lines.
    fn wrapped(&self, mut out: String, message: &Message, columns: usize) -> String {
        let text = self.suggested(message).shown(&self.names).to_string();
        if self.has_live_stderr() {
            push_wrapped(&mut out, &text, columns, self.width());
        } else {
            out += &text;
        }
        out
    }

    fn write_line(&mut self, line: &Message) {
        let _ = writeln!(self.stderr.lock(), "{}", line.shown(&self.names));
    }

    /// Writes what was rendered to standard error.
    pub(in crate::cli) fn eprint_rendered(&mut self, page: &Rendered) {
        let _ = writeln!(self.stderr.lock(), "{}", page.trim_end_matches('\n'));
    }

    /// Writes a report to standard error. A closed stream is ignored.
    pub(in crate::cli) fn eprint(&mut self, bytes: &[u8]) {
        let _ = self.stderr.lock().write_all(bytes);
    }

    /// Writes what precedes an answer, and leaves the cursor after it.
    pub(in crate::cli) fn eprint_prompt(&mut self, prompt: &str) {
        let mut stderr = self.stderr.lock();
        // A closed stream is noticed when the answer is read.
        let _ = stderr.write_all(prompt.as_bytes()).and_then(|()| stderr.flush());
    }

    /// Prints the errors that were shown as JSON, unless something else was printed.
    pub(in crate::cli) fn print_errors_json(&mut self) -> Result<(), CommandError> {
        let document = ErrorDocumentV1::new(&self.listed_errors(), self.names.roster());
        document.filter(|_| !self.has_printed).map_or(Ok(()), |document| self.print_json(&document))
    }

    /// Returns the errors that were shown and belong to no item of a document.
    pub(in crate::cli) fn errors_json(&self) -> Vec<ErrorV1> {
        let errors = self.listed_errors();
        errors.iter().map(|error| ErrorV1::new(error, self.names.roster())).collect()
    }

    /// Returns the errors that were kept, and one that counts the others.
    fn listed_errors(&self) -> Vec<CommandError> {
        let more = self.more_errors.map(|(count, exit)| {
            let errors = quantity(count, "error", "errors");
            CommandError::new(message!["and ", quote_in_full(&errors), " more"]).exit(exit)
        });
        self.errors.iter().cloned().chain(more).collect()
    }

    /// Shows an error, its excerpt and its help, and keeps it for [`Ui::print_errors_json`].
    pub(in crate::cli) fn error(&mut self, error: &CommandError) {
        self.item_error(error);
        self.keep_error(error.clone());
    }

    /// Keeps an error that was shown for [`Ui::print_errors_json`].
    pub(in crate::cli) fn keep_error(&mut self, mut error: CommandError) {
        if let Some(help) = error.help_text() {
            let help = self.suggested(help).into_owned();
            error = error.help(help);
        }
        if self.errors.len() < ERRORS_KEPT_MAX {
            self.errors.push(error);
        } else {
            let (count, worst) = self.more_errors.unwrap_or((0, Exit::Done));
            self.more_errors = Some((count + 1, worst.worst(error.exit_code())));
        }
    }

    /// Shows the error of an item, which the document of the command has as well.
    pub(in crate::cli) fn item_error(&mut self, error: &CommandError) {
        self.labelled(Ink::Error, "error", error.message());
        if let Some(lines) = error.excerpt_lines() {
            self.write_line(lines);
        }
        if let Some(help) = error.help_text() {
            let help = help.shown_as_help(&self.names).into_owned();
            self.labelled(Ink::Help, "help", &help);
        }
    }

    /// Shows a warning: the command goes on.
    pub(in crate::cli) fn warning(&mut self, message: impl Into<Message>) {
        self.labelled(Ink::Warning, "warning", &message.into());
    }

    /// Returns whether standard output is coloured.
    pub(in crate::cli) fn stdout_color(&self) -> Color {
        self.color.of_stream(self.stdout.is_terminal())
    }

    /// Returns whether standard error is coloured.
    pub(in crate::cli) fn stderr_color(&self) -> Color {
        self.color.of_stream(self.stderr.is_terminal())
    }

    /// Returns a heading for standard output, bold if there is colour.
    pub(in crate::cli) fn heading(&self, text: &str) -> String {
        painted(self.stdout_color(), Ink::Strong, text)
    }

    /// Returns `true` if standard output is a terminal, which acts on control characters.
    pub(in crate::cli) fn has_live_stdout(&self) -> bool {
        self.stdout.is_terminal()
    }

    /// Returns `true` if standard error is a terminal, where progress can be shown.
    pub(in crate::cli) fn has_live_stderr(&self) -> bool {
        self.stderr.is_terminal()
    }

    /// Returns `true` if questions can be asked: standard error and standard input are a terminal.
    pub(in crate::cli) fn can_ask(&self) -> bool {
        self.stderr.is_terminal() && io::stdin().is_terminal()
    }

    /// Returns the width to write for, in columns.
    pub(in crate::cli) fn width(&self) -> usize {
        let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let terminal =
            || terminal_size::terminal_size_of(&self.stdout).map(|(width, _)| usize::from(width.0));
        columns.or_else(terminal).unwrap_or(WIDTH_DEFAULT).clamp(WIDTH_MIN, WIDTH_MAX)
    }

    /// Returns the lines of the terminal of standard output; none if it is not a terminal.
    pub(in crate::cli) fn height(&self) -> Option<usize> {
        let lines = env::var("LINES").ok().and_then(|lines| lines.parse().ok());
        let terminal = || {
            terminal_size::terminal_size_of(&self.stdout).map(|(_, height)| usize::from(height.0))
        };
        lines.or_else(terminal).filter(|_| self.has_live_stdout())
    }

    /// Writes a message after its label.
    fn labelled(&mut self, ink: Ink, label: &'static str, message: &Message) {
        let mut out = painted(self.stderr_color(), ink, label);
        out += ": ";
        let out = self.wrapped(out, message, label.len() + 2);
        let _ = writeln!(self.stderr.lock(), "{out}");
    }
}

/// Adds the lines of a string, wrapped and indented; the first line follows `indent` columns.
fn push_wrapped(out: &mut String, text: &str, indent: usize, width: usize) {
    for (index, line) in text.split('\n').enumerate() {
        let first = if index == 0 { indent } else { 0 };
        // What is wrapped keeps the indentation of its line.
        let rest = first + line.len() - line.trim_start().len();
        let room = |indent: usize| width.saturating_sub(indent);
        for (place, part) in wrap_after(line, room(first), room(rest)).into_iter().enumerate() {
            match (index, place) {
                (0, 0) => {}
                (_, 0) => out.push('\n'),
                _ => *out += &format!("\n{:rest$}", ""),
            }
            *out += part;
        }
    }
}

fn painted(color: Color, ink: Ink, text: &str) -> String {
    let mut out = String::new();
    paint(&mut out, color, ink, text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_beyond_the_limit_are_counted() {
        let mut ui = Ui::new(ColorChoice::Never, Names::default());
        for _ in 0..ERRORS_KEPT_MAX + 2 {
            ui.keep_error(CommandError::new("unknown skill").exit(Exit::NotFound));
        }
        let errors = ui.listed_errors();
        assert_eq!(errors.len(), ERRORS_KEPT_MAX + 1);
        let last = errors.last().expect("an error");
        assert_eq!(last.message().shown(&()).to_string(), "and 2 errors more");
        assert_eq!(last.exit_code(), Exit::NotFound);
    }
}
