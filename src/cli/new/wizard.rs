//! The questions at a terminal: each until its answer can be used, then all answers to change.

use super::agreement::{Agreement, AgreementQuestion};
use super::arguments::short_ages;
use super::check;
use super::free_text::cut;
use super::interview::Interview;
use super::kept_answers::KeptAnswers;
use super::name_questions::{ask_about_names, ask_about_value};
use super::render;
use super::spoken_names::{
    CHILD_NAME, NAME_IS_INPUT, NAME_IS_LEFT_OUT, NAMES_ARE_INPUT, NameCount,
};
use super::topic::Topic;
use super::write;
use crate::cli::error::CommandError;
use crate::cli::locale_clock::clock_of_locale;
use crate::cli::term::ask::{Asker, FIRST_QUESTION, Reply};
use dibber_lint::report::layout::{columns, wrap};
use dibber_skill::draft::cadence;
use dibber_skill::scaffold::{self, FOR_WHOM};
use dibber_text::{Message, message, quote_in_full};
use std::path::Path;

/// What the line begins with that repeats the answers.
const IN_SHORT: &str = "In short: ";
/// What is between its parts.
const BETWEEN: &str = "; ";
/// When a skill runs that does not run by itself.
const ONLY_ON_REQUEST: &str = "only on request";
/// The most characters of a part of the line that repeats the answers.
const PART_CHARACTERS_MAX: usize = 30;

/// What came of a question.
enum Answered {
    Yes,
    /// The question before is to be asked again.
    Back,
}

/// Asks what is missing.
pub(super) struct Wizard<'a, 'b, 'c> {
    pub(super) asker: &'a mut Asker<'b>,
    pub(super) interview: &'a mut Interview<'c>,
    pub(super) kept: &'a KeptAnswers,
    pub(super) into: &'a Path,
    /// Whether the skill can be published at once.
    pub(super) can_publish: bool,
}

impl Wizard<'_, '_, '_> {
    /// Asks until nothing is missing.
    pub(super) fn ask_missing(&mut self) -> Result<(), CommandError> {
        let mut asked = Vec::new();
        while let Some(topic) = self.interview.next_topic() {
            let can_go_back = !asked.is_empty() || self.interview.before(Some(&topic)).is_some();
            match self.ask(&topic, can_go_back)? {
                Answered::Yes => asked.push(topic),
                Answered::Back => self.go_back(&mut asked, &topic),
            }
        }
        Ok(())
    }

    /// Asks for an answer of the summary again, and for what is missing with the new one. Going back
    /// from that question leaves everything as it was.
    fn change(&mut self, topic: &Topic) -> Result<(), CommandError> {
        let before = self.interview.replies.clone();
        let mut asked = Vec::new();
        self.interview.ask_again(topic);
        let mut next = Some(topic.clone());
        while let Some(topic) = next {
            match self.ask(&topic, true)? {
                Answered::Yes => asked.push(topic),
                Answered::Back if asked.is_empty() => {
                    self.interview.replies = before;
                    return self.kept.write(&self.interview.replies);
                }
                Answered::Back => self.go_back(&mut asked, &topic),
            }
            next = self.interview.next_topic();
        }
        Ok(())
    }

    /// Goes back to the question that was asked before; in a run that goes on with kept answers, to
    /// the one that is before in the order of all questions.
    fn go_back(&mut self, asked: &mut Vec<Topic>, from: &Topic) {
        if let Some(before) = asked.pop().or_else(|| self.interview.before(Some(from))) {
            self.interview.ask_again(&before);
        }
    }

    /// Shows all answers, or the files if options give all of them, and asks which to change, until
    /// it is agreed what becomes of the skill.
    pub(super) fn agreement(&mut self) -> Result<Agreement, CommandError> {
        let mut is_shown = false;
        loop {
            let topics = self.interview.topics();
            let has_answers = !topics.is_empty();
            let question = AgreementQuestion { can_publish: self.can_publish, has_answers };
            let reply = if is_shown {
                self.asker.reply_again()?
            } else {
                if has_answers {
                    self.show_answers(&topics);
                } else {
                    self.show_files();
                }
                self.asker.reply(question.text(), &[], Some("yes"))?
            };
            is_shown = true;
            let typed = match reply {
                Reply::Given(typed) => typed,
                Reply::Help => {
                    self.asker.eprintln(question.explanation());
                    continue;
                }
                Reply::Back => {
                    match self.interview.before(None) {
                        None => self.asker.eprintln(FIRST_QUESTION),
                        Some(last) => {
                            self.interview.ask_again(&last);
                            self.ask_missing()?;
                            is_shown = false;
                        }
                    }
                    continue;
                }
            };
            if let Some(agreement) = question.parse(&typed) {
                return Ok(agreement);
            }
            let number = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            if let Some(topic) = number.and_then(|index| topics.get(index)) {
                self.change(topic)?;
                is_shown = false;
            } else if typed.eq_ignore_ascii_case("show") {
                // Without answers, the files are shown above each question.
                if has_answers {
                    self.show_files();
                }
                is_shown = false;
            } else {
                let problem = message!["`", quote_in_full(&typed), "` is not one of these"];
                self.asker.show_error(&CommandError::new(problem).help(question.help()));
            }
        }
    }

    /// Asks about one thing, until the answer can be used or the question before is asked for.
    fn ask(&mut self, topic: &Topic, can_go_back: bool) -> Result<Answered, CommandError> {
        let mut is_shown = false;
        loop {
            let reply = if is_shown { self.asker.reply_again()? } else { self.ask_in_full(topic)? };
            is_shown = true;
            let typed = match reply {
                Reply::Given(typed) => typed,
                Reply::Back if can_go_back => return Ok(Answered::Back),
                Reply::Back => {
                    self.asker.eprintln(FIRST_QUESTION);
                    continue;
                }
                Reply::Help => {
                    self.asker.eprintln(topic.explanation());
                    continue;
                }
            };
            let typed = self.interview.or_default(topic, &typed);
            let Some(typed) = self.ask_about_value(topic, typed)? else {
                is_shown = false;
                continue;
            };
            let had_name = self.interview.has_name();
            let Some(is_asked) = self.ask_about_names(topic, &typed)? else {
                is_shown = false;
                continue;
            };
            is_shown &= !is_asked;
            let days = self.interview.propose_time(topic, &typed);
            if days.is_some() && *topic == Topic::Time {
                is_shown = false;
                continue;
            }
            let typed = days.unwrap_or(typed);
            let before = self.interview.replies.clone();
            let errors = match self.interview.accept(topic, &typed) {
                Ok(()) => self.problems(),
                Err(error) => vec![error],
            };
            if errors.is_empty() {
                self.kept.write(&self.interview.replies)?;
                self.explain(topic, had_name);
                return Ok(Answered::Yes);
            }
            self.interview.replies = before;
            for error in &errors {
                self.asker.show_error(error);
            }
            if self.interview.keep_short(topic, &typed) {
                is_shown = false;
            }
        }
    }

    /// Asks which words of an answer are names of children. Returns `true` if something was asked;
    /// none if the answer is to be typed again.
    fn ask_about_names(
        &mut self,
        topic: &Topic,
        typed: &str,
    ) -> Result<Option<bool>, CommandError> {
        let names = self.interview.names_to_ask(topic, typed);
        if names.is_empty() {
            return Ok(Some(false));
        }
        // Kept before the question, so that `--resume` offers the answer again.
        self.interview.suggest(topic, typed);
        self.kept.write(&self.interview.replies)?;
        let decided = ask_about_names(self.asker, &names)?;
        Ok(decided.map(|decided| {
            self.interview.decide_names(decided);
            true
        }))
    }

    /// Returns an answer; the value of an input without the names of children that are not to be
    /// stored with the schedule. Returns none if the answer is to be typed again.
    fn ask_about_value(
        &mut self,
        topic: &Topic,
        typed: String,
    ) -> Result<Option<String>, CommandError> {
        // The input for the name of the child is there to have it.
        if !matches!(topic, Topic::Value(input) if input != CHILD_NAME) {
            return Ok(Some(typed));
        }
        let spoken = self.interview.spoken_names();
        let asked = ask_about_value(self.asker, &typed, self.interview.decided_names(), &spoken)?;
        Ok(asked.map(|(value, names)| {
            let names = names.into_iter().map(|name| (name, true)).collect();
            self.interview.decide_names(names);
            value
        }))
    }

    /// Shows a question with its items and its default, and returns the reply.
    fn ask_in_full(&mut self, topic: &Topic) -> Result<Reply, CommandError> {
        let question = topic.question(self.interview.template());
        let items: Vec<Message> =
            topic.items().iter().map(|item| quote_in_full(item).into()).collect();
        let default = self.interview.default_of(topic).map(|default| match topic {
            Topic::Ages => short_ages(&default),
            _ => default,
        });
        self.asker.reply(question, &items, default.as_deref())
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
            let slots = self.interview.template().map_or(&[][..], |template| template.slots);
            let has_input = slots.iter().any(|slot| slot.name == FOR_WHOM);
            let names = match self.interview.child_names() {
                NameCount::One => NAME_IS_INPUT,
                NameCount::Several => NAMES_ARE_INPUT,
            };
            self.asker.eprintln(if has_input { names } else { NAME_IS_LEFT_OUT });
        }
        let is_about_time = matches!(topic, Topic::Rhythm | Topic::Time | Topic::Zone);
        let named_zone = match topic {
            Topic::Zone => Some(self.interview.shown(topic)),
            Topic::Rhythm | Topic::Time => self.interview.named_zone(),
            _ => None,
        };
        if let Some(zone) = named_zone {
            self.asker.eprintln(message!["Time zone: ", quote_in_full(&zone), "."]);
        }
        let is_complete = is_about_time && self.interview.next_topic() != Some(Topic::Time);
        if let Some(words) = self.schedule_words().filter(|_| is_complete) {
            self.asker.eprintln(message![quote_in_full(&words), "."]);
        }
    }

    /// Returns when it runs by itself, in words; none if it does not.
    fn schedule_words(&self) -> Option<String> {
        let schedule = self.interview.answers().schedule?;
        cadence(&schedule.cron, schedule.time_zone.as_deref(), clock_of_locale())
    }

    fn show_answers(&mut self, topics: &[Topic]) {
        self.asker.eprintln("");
        // A schedule that was typed as a whole is shown as it was understood.
        let words = self.schedule_words().filter(|_| !topics.contains(&Topic::Time));
        let answer = |topic: &Topic| match (topic, &words) {
            (Topic::Rhythm, Some(words)) => words.clone(),
            _ => self.interview.shown(topic),
        };
        let rows = topics.iter().map(|topic| (topic.label(), answer(topic)));
        let rows: Vec<_> = rows.collect();
        let lines = self.asker.show_answers(&rows);
        if self.asker.scrolls_away(lines) {
            let line = self.in_short();
            self.asker.eprintln("");
            self.asker.eprintln(quote_in_full(&line));
        }
    }

    /// Returns what happens, for whom and when, in one line.
    fn in_short(&self) -> String {
        let whom = self.interview.shown(&Topic::Slot(FOR_WHOM));
        let when = self.schedule_words().unwrap_or_else(|| ONLY_ON_REQUEST.to_owned());
        let rest = [whom, when].map(|part| cut(&part, PART_CHARACTERS_MAX));
        let mut parts: Vec<_> = rest.into_iter().filter(|part| !part.is_empty()).collect();
        let used = columns(IN_SHORT) + columns(&parts.join(BETWEEN)) + columns(BETWEEN);
        let room = self.asker.width().saturating_sub(used);
        let what = self.interview.shown(&Topic::What);
        let what = wrap(what.trim_end_matches(['.', '!']), room)[0];
        if columns(what) <= room {
            parts.insert(0, what.to_owned());
        }
        format!("{IN_SHORT}{}", parts.join(BETWEEN))
    }

    fn show_files(&mut self) {
        let template = self.interview.template().expect("asked for before");
        let plan = scaffold::plan(template, &self.interview.answers());
        render::show(self.asker, &plan);
    }
}
