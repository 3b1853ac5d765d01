//! The questions at a terminal: each until its answer can be used, then all answers to change.

use super::check;
use super::interview::Interview;
use super::kept_answers::KeptAnswers;
use super::render;
use super::topic::Topic;
use super::write;
use crate::cli::error::CommandError;
use crate::cli::term::answer_line::yes_or_no;
use crate::cli::term::ask::{Asker, Reply};
use dibber_schedule::AbbreviatedZone;
use dibber_skill::draft::cadence;
use dibber_skill::scaffold;
use dibber_text::{Message, message, quote_in_full};
use std::path::Path;

/// Asks what is missing.
pub(super) struct Wizard<'a, 'b, 'c> {
    pub(super) asker: &'a mut Asker<'b>,
    pub(super) interview: &'a mut Interview<'c>,
    pub(super) kept: &'a KeptAnswers,
    pub(super) into: &'a Path,
}

impl Wizard<'_, '_, '_> {
    /// Asks until nothing is missing.
    pub(super) fn ask_missing(&mut self) -> Result<(), CommandError> {
        while let Some(topic) = self.interview.next_topic() {
            self.ask(&topic)?;
        }
        Ok(())
    }

    /// Shows all answers and asks which to change. Returns `true` once the files are to be written.
    pub(super) fn is_agreed(&mut self) -> Result<bool, CommandError> {
        loop {
            let topics = self.interview.topics();
            if topics.is_empty() {
                let plan = self.plan();
                return render::is_agreed(self.asker, &plan);
            }
            self.show_answers(&topics);
            let question = "Write it? Enter means yes. A number changes an answer, `show` shows \
                            the files, `no` writes nothing.";
            let typed = match self.asker.reply(question, &[], Some("yes"))? {
                Reply::Back => {
                    self.interview.go_back(None);
                    self.ask_missing()?;
                    continue;
                }
                Reply::Given(typed) => typed,
            };
            let typed = if typed.is_empty() { "yes".to_owned() } else { typed };
            let number = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            match (number.and_then(|index| topics.get(index)), yes_or_no(&typed)) {
                (Some(topic), _) => {
                    self.interview.ask_again(topic);
                    self.ask(topic)?;
                    self.ask_missing()?;
                }
                (None, Some(true)) => return Ok(true),
                (None, Some(false)) => return Ok(false),
                (None, None) if typed.eq_ignore_ascii_case("show") => {
                    let plan = self.plan();
                    render::show(self.asker, &plan);
                }
                (None, None) => {
                    let problem = message!["`", quote_in_full(&typed), "` is not one of these"];
                    let help = "type yes, no, show, or the number of an answer";
                    self.asker.show_error(&CommandError::new(problem).help(help));
                }
            }
        }
    }

    /// Asks about one thing, until the answer can be used or the question before is asked for.
    fn ask(&mut self, topic: &Topic) -> Result<(), CommandError> {
        loop {
            let question = topic.question(self.interview.template());
            let items: Vec<Message> =
                topic.items().iter().map(|item| quote_in_full(item).into()).collect();
            let default = self.interview.default_of(topic);
            let typed = match self.asker.reply(question, &items, default.as_deref())? {
                Reply::Given(typed) => typed,
                Reply::Back if self.interview.go_back(Some(topic)) => return Ok(()),
                Reply::Back => {
                    self.asker.eprintln("This is the first question. Ctrl-C ends the questions.");
                    continue;
                }
            };
            let (before, had_name) = (self.interview.replies.clone(), self.interview.has_name());
            let errors = match self.interview.accept(topic, &typed) {
                Ok(()) => self.problems(),
                Err(error) => vec![error],
            };
            if errors.is_empty() {
                self.kept.write(&self.interview.replies)?;
                self.explain(topic, had_name);
                return Ok(());
            }
            self.interview.replies = before;
            for error in &errors {
                self.asker.show_error(error);
            }
        }
    }

    /// Returns what is wrong with the skill that the answers make so far.
    fn problems(&self) -> Vec<CommandError> {
        let Some(template) = self.interview.template() else { return Vec::new() };
        let answers = self.interview.answers();
        let mut errors = check::errors(template, &answers, self.asker.roster());
        if let Some(name) = &answers.name {
            errors.extend(write::check_free(self.into, name));
        }
        errors
    }

    /// Says what came of an answer, where that may surprise.
    fn explain(&mut self, topic: &Topic, had_name: bool) {
        if !had_name && self.interview.has_name() {
            self.asker.eprintln(
                "The name of a child is not written into the text of a skill: it becomes \
                 `child_name`, which is filled in each time.",
            );
        }
        let is_about_time = matches!(topic, Topic::Rhythm | Topic::Time | Topic::Zone);
        if is_about_time {
            let schedule = self.interview.answers().schedule;
            let zone = schedule.and_then(|it| AbbreviatedZone::find(&it.time_zone?));
            if let Some(zone) = zone {
                self.asker.eprintln(message!["Note: ", zone.message(), "; ", zone.help()]);
            }
        }
        if is_about_time && self.interview.next_topic() != Some(Topic::Time) {
            let schedule = self.interview.answers().schedule;
            let words = schedule.and_then(|it| cadence(&it.cron, it.time_zone.as_deref()));
            if let Some(words) = words {
                self.asker.eprintln(message![quote_in_full(&words), "."]);
            }
        }
    }

    fn show_answers(&mut self, topics: &[Topic]) {
        self.asker.eprintln("");
        let rows = topics.iter().map(|topic| (topic.label(), self.interview.shown(topic)));
        let rows: Vec<_> = rows.collect();
        self.asker.show_answers(&rows);
    }

    fn plan(&self) -> scaffold::Plan {
        let template = self.interview.template().expect("asked for before");
        scaffold::plan(template, &self.interview.answers())
    }
}
