//! The questions about a skill that exists, each with the current answer.

use super::check::{Checker, SkillError};
use super::child_names::ChildNames;
use super::question::Question;
use super::repetitions;
use crate::cli::default_zone::system_zone;
use crate::cli::error::CommandError;
use crate::cli::new::explanation;
use crate::cli::new::zone;
use crate::cli::term::answer_line::item_of;
use crate::cli::term::ask::{Asker, FIRST_QUESTION, Reply};
use dibber_skill::contract::Category;
use dibber_skill::names::AnswerKind;
use dibber_skill::revision::{CurrentSchedule, SkillAnswers, SkillChanges};
use dibber_text::{message, quote, quote_in_full};

/// What is shown above the first question.
const KEYS: &str = "Enter keeps the answer in [brackets]. `back` leads to the question before.";

/// What is asked below the answers, before and after the first change.
const WHICH: &str = "\
What should be different? Type its number, or `all` for one question after the other. Enter changes \
nothing.";
const WHICH_ELSE: &str = "\
What else should be different? Type its number, or `all` for one question after the other. Enter \
shows the changes.";
/// The answer for all questions.
const ALL: &str = "all";
/// What the question means.
const WHICH_EXPLANATION: &str = "\
The list has the answers as they are now. Nothing is written before you have seen all changes.";

/// What is to be asked about.
enum Choice {
    One(Question),
    All,
    Nothing,
}

/// The questions about a skill that exists.
pub(super) struct Questions<'a, 'b, 'c> {
    pub(super) known: &'a SkillAnswers,
    pub(super) checker: &'a Checker<'a>,
    pub(super) names: &'a mut ChildNames<'b>,
    pub(super) asker: Asker<'c>,
}

impl Questions<'_, '_, '_> {
    /// Asks which answers to change, and for each of them, until there is nothing else. Returns the
    /// changes with those of other places that come of them.
    pub(super) fn ask(&mut self, changes: &mut SkillChanges) -> Result<SkillChanges, CommandError> {
        if changes.is_empty() {
            self.asker.eprintln(KEYS);
        }
        loop {
            match self.choose(changes)? {
                Choice::One(question) => {
                    self.ask_in_turn(Some(&question), changes, false)?;
                }
                Choice::Nothing => {
                    if let Some(all) = self.with_other_places(changes)? {
                        return Ok(all);
                    }
                }
                Choice::All => {
                    let mut is_again = false;
                    while self.ask_in_turn(None, changes, is_again)? {
                        if let Some(all) = self.with_other_places(changes)? {
                            return Ok(all);
                        }
                        is_again = true;
                    }
                }
            }
        }
    }

    /// Shows all answers, and asks which to change.
    fn choose(&mut self, changes: &SkillChanges) -> Result<Choice, CommandError> {
        let Self { known, asker, .. } = self;
        let mut questions = questions(known, changes);
        let after = changes.applied_to(known);
        let rows: Vec<_> = questions.iter().map(|it| (it.label(), it.shown(&after))).collect();
        asker.eprintln("");
        asker.show_answers(&rows);
        let labels: Vec<_> = questions.iter().map(Question::typed_label).collect();
        let has_changes = !changes.clone().without_known(known).is_empty();
        let mut reply = asker.reply(if has_changes { WHICH_ELSE } else { WHICH }, &[], None)?;
        loop {
            match reply {
                Reply::Back => asker.eprintln(FIRST_QUESTION),
                Reply::Help => asker.eprintln(WHICH_EXPLANATION),
                Reply::Given(typed) if typed.is_empty() => return Ok(Choice::Nothing),
                Reply::Given(typed) if typed.eq_ignore_ascii_case(ALL) => return Ok(Choice::All),
                Reply::Given(typed) => {
                    let schedule = || questions.iter().position(|it| *it == Question::Schedule);
                    let index = if is_about_time(&typed) { schedule() } else { None };
                    if let Some(index) = index.or_else(|| item_of(&typed, &labels)) {
                        return Ok(Choice::One(questions.swap_remove(index)));
                    }
                    let problem = message!["`", quote(&typed), "` is not one of these"];
                    let help = "type the number or the words of an answer, or all; Enter ends the questions";
                    asker.show_error(&CommandError::new(problem).help(help));
                }
            }
            reply = asker.reply_again()?;
        }
    }

    /// Asks all questions in their order, or one of them with those that only its answer brings up.
    /// An answer that is the current one changes nothing. Returns `false` if the first question was
    /// left with `back`: then nothing is changed. `is_again` begins at the last question.
    fn ask_in_turn(
        &mut self,
        only: Option<&Question>,
        changes: &mut SkillChanges,
        is_again: bool,
    ) -> Result<bool, CommandError> {
        let Self { known, checker, names, asker } = self;
        let before = changes.clone();
        let known_questions = questions(known, changes);
        let asked = |changes: &SkillChanges| -> Vec<Question> {
            let is_asked =
                |it: &Question| only.is_none_or(|only| it == only || !known_questions.contains(it));
            questions(known, changes).into_iter().filter(is_asked).collect()
        };
        let mut index = if is_again { known_questions.len() - 1 } else { 0 };
        loop {
            let questions = asked(changes);
            let Some(question) = questions.get(index) else { return Ok(true) };
            let default = question.current(known, changes);
            let text = question.text(known);
            let reply = asker.reply(text, &question.items(), default.as_deref())?;
            let mut next = changes.clone();
            let accepted = match reply {
                Reply::Back if index == 0 => {
                    *changes = before;
                    return Ok(false);
                }
                Reply::Back => {
                    index -= 1;
                    continue;
                }
                Reply::Help => {
                    asker.eprintln(question.explanation());
                    continue;
                }
                Reply::Given(typed) if typed.is_empty() && default.is_some() => Ok(()),
                Reply::Given(typed) => {
                    let Some(typed) = question.without_names(typed, names, asker)? else {
                        continue;
                    };
                    let accepted = question.accept(&typed, known, &mut next);
                    if accepted.is_ok() && question.needs_zone(&typed, known) {
                        let Some(zone) = ask_zone(asker)? else { continue };
                        next.schedule = next.schedule.map(|schedule| schedule.in_zone(&zone));
                    }
                    accepted
                }
            };
            let errors = accepted.and_then(|()| Ok(checker.new_errors(&checker.files(&next)?)));
            let is_last = index + 1 >= asked(&next).len();
            let new: Vec<_> = match errors {
                Ok(found) if found.is_empty() || question.is_completed_later() && !is_last => {
                    (*changes, index) = (next, index + 1);
                    continue;
                }
                Ok(found) => found.iter().map(SkillError::to_command_error).collect(),
                Err(error) => vec![error],
            };
            for error in &new {
                asker.show_error(error);
            }
        }
    }

    /// Returns the changes with those of other places that repeat a former answer or contain the name
    /// of a child, as far as they are agreed to; none if the question before is to be asked again.
    fn with_other_places(
        &mut self,
        changes: &SkillChanges,
    ) -> Result<Option<SkillChanges>, CommandError> {
        let Self { checker, names, asker, .. } = self;
        let mut all = changes.clone();
        let is_answered = repetitions::offer(checker, &mut all, asker)?
            && names.offer(checker, &mut all, asker)?;
        Ok(is_answered.then_some(all))
    }
}

/// Asks what options leave open: which words of their titles and descriptions are names of children,
/// what added inputs are when the skill runs by itself, and whether to change other places, too.
pub(super) fn ask_about_options(
    checker: &Checker<'_>,
    mut changes: SkillChanges,
    names: &mut ChildNames<'_>,
    asker: &mut Asker<'_>,
) -> Result<SkillChanges, CommandError> {
    let mut has_name = false;
    for text in [&mut changes.label, &mut changes.description].into_iter().flatten() {
        let clean = loop {
            match names.leave_out(text, AnswerKind::Sentence, asker)? {
                Some(clean) => break clean,
                None => asker.eprintln(FIRST_QUESTION),
            }
        };
        has_name |= clean != *text;
        *text = clean;
    }
    for (input, value) in &mut changes.values {
        *value = loop {
            match names.leave_out_of_value(input, value.clone(), asker)? {
                Some(clean) => break clean,
                None => asker.eprintln(FIRST_QUESTION),
            }
        };
    }
    ask_values(checker.known(), &mut changes, names, asker)?;
    loop {
        let mut all = changes.clone();
        if repetitions::offer(checker, &mut all, asker)?
            && (!has_name || names.offer(checker, &mut all, asker)?)
        {
            return Ok(all);
        }
        asker.eprintln(FIRST_QUESTION);
    }
}

/// Asks in which zone a new schedule is; none if the schedule is to be typed again.
fn ask_zone(asker: &mut Asker<'_>) -> Result<Option<String>, CommandError> {
    let default = system_zone().unwrap_or_else(|| zone::UTC.to_owned());
    loop {
        let typed = match asker.reply(zone::QUESTION, &[], Some(&default))? {
            Reply::Back => return Ok(None),
            Reply::Help => {
                asker.eprintln(explanation::ZONE);
                continue;
            }
            Reply::Given(typed) if typed.is_empty() => default.clone(),
            Reply::Given(typed) => typed,
        };
        match zone::named_zone(&typed) {
            Ok(zone) => {
                asker.eprintln(message!["Time zone: ", quote_in_full(&zone), "."]);
                return Ok(Some(zone));
            }
            Err(error) => asker.show_error(&error),
        }
    }
}

/// Asks what the added inputs are when the skill runs by itself, where no option says it.
fn ask_values(
    known: &SkillAnswers,
    changes: &mut SkillChanges,
    names: &mut ChildNames<'_>,
    asker: &mut Asker<'_>,
) -> Result<(), CommandError> {
    let inputs: Vec<String> =
        changes.inputs_without_value(known).into_iter().map(str::to_owned).collect();
    let mut index = 0;
    while let Some(input) = inputs.get(index) {
        let question = Question::Value(input.clone());
        match asker.reply(question.text(known), &question.items(), None)? {
            Reply::Back if index == 0 => asker.eprintln(FIRST_QUESTION),
            Reply::Back => index -= 1,
            Reply::Help => asker.eprintln(question.explanation()),
            Reply::Given(typed) => {
                let Some(typed) = question.without_names(typed, names, asker)? else { continue };
                match question.accept(&typed, known, changes) {
                    Ok(()) => index += 1,
                    Err(error) => asker.show_error(&error),
                }
            }
        }
    }
    Ok(())
}

/// Returns `true` for "the time" and such, which are no words of the answer that has the schedule.
fn is_about_time(typed: &str) -> bool {
    let mut words = typed.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_about =
        |word: &str, known: &[&str]| known.iter().any(|it| word.eq_ignore_ascii_case(it));
    let is_filler = |word: &str| is_about(word, &["the", "its", "change"]);
    let is_time =
        |word: &str| is_about(word, &["time", "times", "day", "days", "when", "schedule"]);
    words.clone().any(is_time) && words.all(|word| is_time(word) || is_filler(word))
}

/// Returns the questions; those about children depend on the answers before them.
fn questions(known: &SkillAnswers, changes: &SkillChanges) -> Vec<Question> {
    use Question::{Ages, Audience, Description, Inputs, KidCallable, Schedule, Title, Value};
    let category = changes.category.or(known.category).unwrap_or_default();
    let is_generic = category == Category::Generic;
    let is_callable = changes.kid_callable.or(known.kid_callable).unwrap_or(false);
    let mut questions = vec![Title, Description, Audience];
    questions.extend(is_generic.then_some(KidCallable));
    questions.extend((is_generic && is_callable).then_some(Ages));
    questions.push(Inputs);
    let has_several = matches!(known.schedule, CurrentSchedule::Several(_));
    questions.extend((is_generic && !has_several).then_some(Schedule));
    let after = changes.applied_to(known);
    match after.schedule {
        CurrentSchedule::Never => {}
        CurrentSchedule::One { .. } => questions.extend(after.inputs.into_iter().map(Value)),
        // What is filled in for the others may be different on each.
        CurrentSchedule::Several(_) => {
            questions.extend(changes.inputs.iter().map(|input| Value(input.name.clone())));
        }
    }
    questions
}
