//! Asking at a terminal.
//!
//! What is asked and what was answered goes to standard error, without the names of children.

use std::io;

use dialoguer::console::set_colors_enabled_stderr;
use dialoguer::theme::{ColorfulTheme, SimpleTheme, Theme};
use dialoguer::{Confirm, Input, MultiSelect, Select};

use super::error::CommandError;
use super::interrupt;
use super::ui::Ui;
use dibber_lint::report::Color;
use dibber_skill::names::Roster;
use dibber_text::escape_line;

/// The most entries of a list that are shown at once.
const LIST_LINES_MAX: usize = 12;

/// The columns in front of an entry, in which it is marked.
const MARK_COLUMNS: usize = 6;

/// Asks questions.
pub(super) struct Asker<'a> {
    ui: &'a mut Ui,
    roster: &'a Roster,
    theme: Box<dyn Theme>,
}

impl<'a> Asker<'a> {
    /// Asks at the terminal of standard error.
    pub(super) fn new(ui: &'a mut Ui, roster: &'a Roster) -> Self {
        let is_colored = ui.stderr_color() == Color::Always;
        set_colors_enabled_stderr(is_colored);
        let theme: Box<dyn Theme> =
            if is_colored { Box::new(ColorfulTheme::default()) } else { Box::new(SimpleTheme) };
        Self { ui, roster, theme }
    }

    /// The names that are not shown.
    pub(super) fn roster(&self) -> &'a Roster {
        self.roster
    }

    /// Shows a line between the questions.
    pub(super) fn say(&mut self, line: &str) {
        self.ui.say(line);
    }

    /// Says what is wrong with an answer.
    pub(super) fn refuse(&mut self, error: &CommandError) {
        self.ui.error(error);
    }

    /// Asks for a text; an empty answer is the proposal, or an empty text.
    pub(super) fn text(
        &mut self,
        question: &str,
        proposal: Option<&str>,
    ) -> Result<String, CommandError> {
        let mut input = Input::<String>::with_theme(&*self.theme)
            .with_prompt(question)
            .allow_empty(true)
            .report(false);
        if let Some(proposal) = proposal {
            input = input.default(self.roster.mask(proposal).into_owned());
        }
        let answer = input.interact_text().map_err(ended)?;
        let answer = answer.trim();
        // The proposal is shown masked, and is meant as it is.
        let masked = proposal.map(|proposal| self.roster.mask(proposal));
        let answer = match proposal {
            Some(proposal) if masked.as_deref() == Some(answer) => proposal,
            _ => answer,
        };
        self.report(question, answer);
        Ok(answer.to_owned())
    }

    /// Asks for one of a list; gives its index.
    pub(super) fn choose(
        &mut self,
        question: &str,
        items: &[String],
        first: usize,
    ) -> Result<usize, CommandError> {
        let list = Select::with_theme(&*self.theme)
            .with_prompt(question)
            .items(self.fitted(items))
            .default(first)
            .max_length(LIST_LINES_MAX)
            .report(false);
        let chosen = list.interact().map_err(ended)?;
        self.report(question, &items[chosen]);
        Ok(chosen)
    }

    /// Asks for some of a list; gives their indices.
    pub(super) fn choose_some(
        &mut self,
        question: &str,
        items: &[String],
    ) -> Result<Vec<usize>, CommandError> {
        let list = MultiSelect::with_theme(&*self.theme)
            .with_prompt(question)
            .items(self.fitted(items))
            .max_length(LIST_LINES_MAX)
            .report(false);
        let chosen = list.interact().map_err(ended)?;
        let names: Vec<&str> = chosen.iter().map(|index| items[*index].as_str()).collect();
        let names = names.iter().map(|name| name.split(' ').next().unwrap_or(name));
        self.report(question, &names.collect::<Vec<_>>().join(", "));
        Ok(chosen)
    }

    /// Asks for a yes or a no.
    pub(super) fn confirm(&mut self, question: &str, default: bool) -> Result<bool, CommandError> {
        let confirm =
            Confirm::with_theme(&*self.theme).with_prompt(question).default(default).report(false);
        let answer = confirm.interact().map_err(ended)?;
        self.report(question, if answer { "yes" } else { "no" });
        Ok(answer)
    }

    /// The entries of a list, each cut to one line: a longer one is not cleared away.
    fn fitted(&self, items: &[String]) -> Vec<String> {
        let width = self.ui.width().saturating_sub(MARK_COLUMNS);
        let cut = |item: &String| match item.char_indices().nth(width) {
            Some(_) => item.chars().take(width - 1).chain(['…']).collect(),
            None => item.clone(),
        };
        items.iter().map(cut).collect()
    }

    fn report(&mut self, question: &str, answer: &str) {
        let answer = if answer.is_empty() { "nothing" } else { answer };
        let line = format!("{question} {}", escape_line(&self.roster.mask(answer)));
        self.ui.say(&line);
    }
}

/// What ends a question without an answer: Ctrl-C, or a terminal that is gone.
fn ended(error: dialoguer::Error) -> CommandError {
    interrupt::show_cursor();
    let dialoguer::Error::IO(error) = error;
    match error.kind() {
        io::ErrorKind::Interrupted => CommandError::interrupted(),
        _ => CommandError::io("cannot ask at the terminal", error),
    }
}
