//! Questions at a terminal.
//!
//! Questions and answers are written to standard error, with secrets and the names of
//! children masked, and with everything untrusted escaped.

use std::io;

use dialoguer::console::set_colors_enabled_stderr;
use dialoguer::theme::{ColorfulTheme, SimpleTheme, Theme};
use dialoguer::{Confirm, Input, MultiSelect, Select};

use super::interrupt;
use super::rendered::Rendered;
use super::sheet::Sheet;
use super::style::{Color, Style};
use super::ui::Ui;
use crate::cli::error::CommandError;
use dibber_lint::Privacy;
use dibber_lint::report::layout::truncate;
use dibber_skill::names::Roster;
use dibber_text::{Message, Shown};

/// The most entries of a list that are shown at once.
const LIST_LINES_MAX: usize = 12;

/// The columns before an entry, where it is marked.
const MARK_COLUMNS: usize = 6;

/// Asks questions.
pub(in crate::cli) struct Asker<'a> {
    ui: &'a mut Ui,
    roster: &'a Roster,
    theme: Box<dyn Theme>,
}

impl<'a> Asker<'a> {
    /// Creates an asker at the terminal of standard error.
    pub(in crate::cli) fn new(ui: &'a mut Ui, roster: &'a Roster) -> Self {
        let is_colored = ui.stderr_color() == Color::Always;
        set_colors_enabled_stderr(is_colored);
        let theme: Box<dyn Theme> =
            if is_colored { Box::new(ColorfulTheme::default()) } else { Box::new(SimpleTheme) };
        Self { ui, roster, theme }
    }

    /// Returns the names that are masked.
    pub(in crate::cli) fn roster(&self) -> &'a Roster {
        self.roster
    }

    /// Shows a line between the questions.
    pub(in crate::cli) fn eprintln(&mut self, line: impl Into<Message>) {
        self.ui.eprintln(line);
    }

    /// Shows rendered lines between the questions.
    pub(in crate::cli) fn eprint_rendered(&mut self, page: &Rendered) {
        self.ui.eprint_rendered(page);
    }

    /// Returns an empty sheet to show between the questions.
    pub(in crate::cli) fn sheet(&self) -> Sheet<'a> {
        let style = Style { color: self.ui.stderr_color(), width: self.ui.width() };
        Sheet::new(style, self.roster)
    }

    /// Shows what is wrong with an answer.
    pub(in crate::cli) fn show_error(&mut self, error: &CommandError) {
        self.ui.error(error);
    }

    /// Asks for a string. An empty answer is the default, or the empty string.
    pub(in crate::cli) fn input(
        &mut self,
        question: impl Into<Message>,
        default: Option<&str>,
    ) -> Result<String, CommandError> {
        let question = self.shown(&question.into());
        let mut input = Input::<String>::with_theme(&*self.theme)
            .with_prompt(question.as_str())
            .allow_empty(true)
            .report(false);
        if let Some(default) = default {
            input = input.default(self.shown_in_full(default));
        }
        let answer = input.interact_text().map_err(question_error)?;
        let answer = answer.trim();
        // The default is shown masked; accepting it means the unmasked one.
        let answer = match default {
            Some(default) if self.shown_in_full(default) == answer => default,
            _ => answer,
        };
        self.report(&question, answer);
        Ok(answer.to_owned())
    }

    /// Asks for one item of a list and returns its index.
    pub(in crate::cli) fn select(
        &mut self,
        question: impl Into<Message>,
        items: &[Message],
        first: usize,
    ) -> Result<usize, CommandError> {
        let question = self.shown(&question.into());
        let items: Vec<_> = items.iter().map(|item| self.shown(item)).collect();
        let list = Select::with_theme(&*self.theme)
            .with_prompt(question.as_str())
            .items(self.one_line_items(&items))
            .default(first)
            .max_length(LIST_LINES_MAX)
            .report(false);
        let chosen = list.interact().map_err(question_error)?;
        self.report(&question, &items[chosen]);
        Ok(chosen)
    }

    /// Asks for any number of items of a list and returns their indices.
    pub(in crate::cli) fn multi_select(
        &mut self,
        question: impl Into<Message>,
        items: &[Message],
    ) -> Result<Vec<usize>, CommandError> {
        let question = self.shown(&question.into());
        let items: Vec<_> = items.iter().map(|item| self.shown(item)).collect();
        let list = MultiSelect::with_theme(&*self.theme)
            .with_prompt(question.as_str())
            .items(self.one_line_items(&items))
            .max_length(LIST_LINES_MAX)
            .report(false);
        let chosen = list.interact().map_err(question_error)?;
        let names: Vec<&str> = chosen.iter().map(|index| items[*index].as_str()).collect();
        let names = names.iter().map(|name| name.split(' ').next().unwrap_or(name));
        self.report(&question, &names.collect::<Vec<_>>().join(", "));
        Ok(chosen)
    }

    /// Asks for yes or no.
    pub(in crate::cli) fn confirm(
        &mut self,
        question: impl Into<Message>,
        default: bool,
    ) -> Result<bool, CommandError> {
        let question = self.shown(&question.into());
        let confirm = Confirm::with_theme(&*self.theme)
            .with_prompt(question.as_str())
            .default(default)
            .report(false);
        let answer = confirm.interact().map_err(question_error)?;
        self.report(&question, if answer { "yes" } else { "no" });
        Ok(answer)
    }

    /// Cuts each item to one line: `dialoguer` clears only the first line of each item when it
    /// clears the list.
    fn one_line_items(&self, items: &[String]) -> Vec<String> {
        let room = self.ui.width().saturating_sub(MARK_COLUMNS);
        items.iter().map(|item| truncate(item, room)).collect()
    }

    /// Returns a message as it may be shown: `dialoguer` writes it to the terminal as it is.
    fn shown(&self, message: &Message) -> String {
        message.shown(&self.privacy()).to_string()
    }

    fn shown_in_full(&self, text: &str) -> String {
        Shown::new(text, &self.privacy()).in_full().to_string()
    }

    fn privacy(&self) -> Privacy<'a> {
        Privacy { roster: self.roster }
    }

    fn report(&mut self, question: &str, answer: &str) {
        let answer = if answer.is_empty() { "nothing" } else { answer };
        let line = format!("{question} {}", self.shown_in_full(answer));
        self.ui.eprint_rendered(&Rendered::new(line));
    }
}

/// Converts the error of a question without an answer: Ctrl-C, or a closed terminal.
fn question_error(error: dialoguer::Error) -> CommandError {
    interrupt::show_cursor();
    let dialoguer::Error::IO(error) = error;
    match error.kind() {
        io::ErrorKind::Interrupted => CommandError::interrupted(),
        _ => CommandError::io("cannot ask at the terminal", error),
    }
}
