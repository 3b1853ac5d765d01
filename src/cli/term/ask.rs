//! Questions at a terminal.
//!
//! A question is shown above the line on which it is answered, and is asked again until the answer
//! can be used. Everything untrusted is escaped, and secrets and the names of children are masked.

use std::io;

use super::answer_line::{AnswerLine, is_back, is_help, is_quit, item_of, yes_or_no};
use super::rendered::Rendered;
use super::sheet::Sheet;
use super::style::{Ink, Style, paint};
use super::ui::Ui;
use crate::cli::error::CommandError;
use dibber_lint::Privacy;
use dibber_lint::report::layout::{columns, wrap};
use dibber_skill::names::Roster;
use dibber_text::{Message, Shown, message, quote};

/// What `back` shows at the first question.
pub(in crate::cli) const FIRST_QUESTION: &str =
    "This is the first question. Ctrl-C ends the questions.";
/// What precedes an answer.
const PROMPT: &str = "> ";
/// The lines of a question, with what is above it and the line of its answer.
const QUESTION_LINES: usize = 6;
/// The lines of a terminal that does not say how many it has.
const HEIGHT_DEFAULT: usize = 24;

/// The answer to a question from which one can go back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Reply {
    /// What was typed; empty if Enter was pressed.
    Given(String),
    /// The question before is to be asked again.
    Back,
    /// What the question means is to be explained.
    Help,
}

/// The answer to a question for yes or no.
enum Decision {
    Made(bool),
    /// The question before is to be asked again.
    Back,
    /// Another answer, as it was typed.
    Other(String),
}

/// Asks questions.
pub(in crate::cli) struct Asker<'a> {
    ui: &'a mut Ui,
    roster: &'a Roster,
}

impl<'a> Asker<'a> {
    /// Creates an asker at the terminal of standard error.
    pub(in crate::cli) fn new(ui: &'a mut Ui, roster: &'a Roster) -> Self {
        Self { ui, roster }
    }

    /// Returns the names that are masked.
    pub(in crate::cli) fn roster(&self) -> &'a Roster {
        self.roster
    }

    /// Shows a sentence between the questions, wrapped.
    pub(in crate::cli) fn eprintln(&mut self, sentence: impl Into<Message>) {
        let sentence = self.shown(&sentence.into());
        for line in wrap(&sentence, self.ui.width()) {
            self.ui.eprint_rendered(&Rendered::new(line.to_owned()));
        }
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
        self.ui.item_error(error);
    }

    /// Asks for a string. An empty answer is the default, or the empty string.
    pub(in crate::cli) fn input(
        &mut self,
        question: impl Into<Message>,
        default: Option<&str>,
    ) -> Result<String, CommandError> {
        self.show_question(&question.into(), default);
        let answer = self.read()?;
        Ok(default.filter(|_| answer.is_empty()).map_or(answer, str::to_owned))
    }

    /// Asks a question from which one can go back, with the numbered items that answer it, if any.
    pub(in crate::cli) fn reply(
        &mut self,
        question: impl Into<Message>,
        items: &[Message],
        default: Option<&str>,
    ) -> Result<Reply, CommandError> {
        let mut question = question.into();
        self.ui.eprintln("");
        if !items.is_empty() {
            self.show_items(&question, items);
            question = message!["Type a number, or the beginning of the words."];
        }
        self.show_question(&question, default);
        self.read_reply()
    }

    /// Asks the last question again below what is wrong with its answer, without repeating it.
    pub(in crate::cli) fn reply_again(&mut self) -> Result<Reply, CommandError> {
        self.ui.eprint_prompt(PROMPT);
        self.read_reply()
    }

    fn read_reply(&mut self) -> Result<Reply, CommandError> {
        loop {
            let answer = self.read()?;
            if is_back(&answer) {
                return Ok(Reply::Back);
            }
            if is_help(&answer) {
                return Ok(Reply::Help);
            }
            if !is_quit(&answer) {
                return Ok(Reply::Given(answer));
            }
            self.eprintln("Press Ctrl-C to end the questions; nothing has been written so far.");
            self.ui.eprint_prompt(PROMPT);
        }
    }

    /// Shows numbered answers, each after what it is about. Returns the number of their lines.
    pub(in crate::cli) fn show_answers(&mut self, rows: &[(Message, String)]) -> usize {
        let rows: Vec<_> = rows.iter().map(|(label, answer)| (self.shown(label), answer)).collect();
        let label_columns = rows.iter().map(|(label, _)| columns(label)).max().unwrap_or_default();
        let digits = rows.len().to_string().len();
        let indent = digits + label_columns + 6;
        let mut count = 0;
        for (index, (label, answer)) in rows.into_iter().enumerate() {
            let answer = Shown::new(answer, &self.privacy()).in_full().to_string();
            let lines = wrap(&answer, self.ui.width().saturating_sub(indent));
            count += lines.len();
            let lines = lines.join(&format!("\n{:indent$}", ""));
            let gap = label_columns - columns(&label);
            let line = format!("  {:>digits$}. {label}{:gap$}  {lines}", index + 1, "");
            self.ui.eprint_rendered(&Rendered::new(line));
        }
        count
    }

    /// Returns `true` if so many lines above a question may be out of sight.
    pub(in crate::cli) fn scrolls_away(&self, lines: usize) -> bool {
        lines + QUESTION_LINES > self.ui.height().unwrap_or(HEIGHT_DEFAULT)
    }

    /// Returns the columns of a line.
    pub(in crate::cli) fn width(&self) -> usize {
        self.ui.width()
    }

    /// Asks for one item of a list and returns its index.
    pub(in crate::cli) fn select(
        &mut self,
        question: impl Into<Message>,
        items: &[Message],
        first: usize,
    ) -> Result<usize, CommandError> {
        let question = question.into();
        let items = self.show_items(&question, items);
        let number = (first + 1).to_string();
        loop {
            let words = "Type a number, or the beginning of the words.";
            self.show_question(&words.into(), Some(&number));
            let answer = self.read()?;
            let answer = if answer.is_empty() { number.as_str() } else { &answer };
            match item_of(answer, &items) {
                Some(index) => return Ok(index),
                None => self.reject(answer, "is not one of these"),
            }
        }
    }

    /// Asks for any number of items of a list and returns their indices.
    pub(in crate::cli) fn multi_select(
        &mut self,
        question: impl Into<Message>,
        items: &[Message],
    ) -> Result<Vec<usize>, CommandError> {
        let question = question.into();
        let items = self.show_items(&question, items);
        'asking: loop {
            let words = "Type numbers with commas between them; nothing for none.";
            let answer = self.input(words, None)?;
            let mut chosen = Vec::new();
            for part in answer.split(',').map(str::trim).filter(|part| !part.is_empty()) {
                let Some(index) = item_of(part, &items) else {
                    self.reject(part, "is not one of these");
                    continue 'asking;
                };
                if !chosen.contains(&index) {
                    chosen.push(index);
                }
            }
            chosen.sort_unstable();
            return Ok(chosen);
        }
    }

    /// Asks for yes or no.
    pub(in crate::cli) fn confirm(
        &mut self,
        question: impl Into<Message>,
        default: bool,
    ) -> Result<bool, CommandError> {
        let explanation = if default {
            "Type yes or no; Enter alone means yes."
        } else {
            "Type yes or no; Enter alone means no."
        };
        self.confirm_explained(question, explanation, default)
    }

    /// Asks for yes or no. The answer `?` shows the explanation.
    pub(in crate::cli) fn confirm_explained(
        &mut self,
        question: impl Into<Message>,
        explanation: &'static str,
        default: bool,
    ) -> Result<bool, CommandError> {
        let question = question.into();
        loop {
            if let Some(answer) = self.confirm_or_back(question.clone(), explanation, default)? {
                return Ok(answer);
            }
            self.show_no_way_back(explanation);
        }
    }

    /// Asks for yes or no. Returns none if the question before is to be asked again.
    pub(in crate::cli) fn confirm_or_back(
        &mut self,
        question: impl Into<Message>,
        explanation: &'static str,
        default: bool,
    ) -> Result<Option<bool>, CommandError> {
        let question = message![question.into(), " (yes or no)"];
        loop {
            match self.decision(&question, explanation, default)? {
                Decision::Made(answer) => return Ok(Some(answer)),
                Decision::Back => return Ok(None),
                Decision::Other(answer) => self.reject(&answer, "is neither yes nor no"),
            }
        }
    }

    /// Asks for yes, which must be typed, or no. The answer `show` shows pages, and asks again.
    #[cfg(feature = "remote")]
    pub(in crate::cli) fn confirm_or_show<Pages: Iterator<Item = Rendered>>(
        &mut self,
        question: impl Into<Message>,
        explanation: &'static str,
        pages: impl Fn() -> Pages,
    ) -> Result<bool, CommandError> {
        let question = message![question.into(), " (yes, no, or show to read them)"];
        loop {
            match self.decision(&question, explanation, false)? {
                Decision::Made(answer) => return Ok(answer),
                Decision::Back => self.show_no_way_back(explanation),
                Decision::Other(answer) if answer.eq_ignore_ascii_case("show") => {
                    for page in pages() {
                        self.ui.eprintln("");
                        self.eprint_rendered(&page);
                    }
                    self.ui.eprintln("");
                }
                Decision::Other(answer) => self.reject(&answer, "is not yes, no, or show"),
            }
        }
    }

    /// Asks a question for yes or no, again after its explanation.
    fn decision(
        &mut self,
        question: &Message,
        explanation: &'static str,
        default: bool,
    ) -> Result<Decision, CommandError> {
        loop {
            let answer = self.input(question.clone(), Some(yes_or_no_word(default)))?;
            if is_back(&answer) {
                return Ok(Decision::Back);
            }
            if !is_help(&answer) {
                return Ok(yes_or_no(&answer).map_or(Decision::Other(answer), Decision::Made));
            }
            self.eprintln(explanation);
        }
    }

    fn show_no_way_back(&mut self, explanation: &'static str) {
        self.eprintln(message!["No answer leads back from here. ", explanation]);
    }

    /// Shows a question and the numbered items from which to choose, and returns their words.
    fn show_items(&mut self, question: &Message, items: &[Message]) -> Vec<String> {
        let items: Vec<_> = items.iter().map(|item| self.shown(item)).collect();
        self.show_strong(&self.shown(question));
        let digits = items.len().to_string().len();
        let indent = digits + 4;
        for (index, item) in items.iter().enumerate() {
            let room = self.ui.width().saturating_sub(indent);
            let lines = wrap(item, room).join(&format!("\n{:indent$}", ""));
            let line = format!("  {:>digits$}. {lines}", index + 1);
            self.ui.eprint_rendered(&Rendered::new(line));
        }
        items
    }

    /// Shows a question, its default, and the beginning of the line on which it is answered.
    fn show_question(&mut self, question: &Message, default: Option<&str>) {
        let mut text = self.shown(question);
        if let Some(default) = default {
            text += &format!(" [{}]", Shown::new(default, &self.privacy()).in_full());
        }
        self.show_strong(&text);
        self.ui.eprint_prompt(PROMPT);
    }

    fn show_strong(&mut self, text: &str) {
        for line in text.lines().flat_map(|line| wrap(line, self.ui.width())).collect::<Vec<_>>() {
            let mut painted = String::new();
            paint(&mut painted, self.ui.stderr_color(), Ink::Strong, line);
            self.ui.eprint_rendered(&Rendered::new(painted));
        }
    }

    /// Reads answers until one is text.
    fn read(&mut self) -> Result<String, CommandError> {
        loop {
            match AnswerLine::read() {
                Ok(AnswerLine::Typed(text)) => return Ok(text),
                Ok(AnswerLine::Unreadable) => {
                    let error = CommandError::new("the line has a character that is not text");
                    self.show_error(&error.help("type it again, without arrow keys"));
                    self.ui.eprint_prompt(PROMPT);
                }
                // The terminal was closed, or Ctrl-D was pressed.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    self.ui.eprintln("");
                    return Err(CommandError::interrupted());
                }
                Err(error) => return Err(CommandError::io("cannot ask at the terminal", error)),
            }
        }
    }

    fn reject(&mut self, answer: &str, problem: &'static str) {
        let error = CommandError::new(message!["`", quote(answer), "` ", problem]);
        self.show_error(&error);
    }

    /// Returns a message as it may be shown.
    fn shown(&self, message: &Message) -> String {
        message.shown(&self.privacy()).to_string()
    }

    fn privacy(&self) -> Privacy<'a> {
        Privacy { roster: self.roster }
    }
}

const fn yes_or_no_word(is_yes: bool) -> &'static str {
    if is_yes { "yes" } else { "no" }
}
