//! The questions about a skill that exists, each with the current answer.

use super::check::{Checker, SkillError};
use super::child_names::ChildNames;
use super::question::Question;
use super::repetitions;
use crate::cli::default_zone::system_zone;
use crate::cli::error::CommandError;
use crate::cli::new::explanation;
use crate::cli::new::zone;
use crate::cli::term::ask::{Asker, FIRST_QUESTION, Reply};
use dibber_skill::contract::Category;
use dibber_skill::names::AnswerKind;
use dibber_skill::revision::{CurrentSchedule, SkillAnswers, SkillChanges};
use dibber_text::{message, quote_in_full};

/// Asks all questions. An answer that is the current one changes nothing.
pub(super) fn ask(
    known: &SkillAnswers,
    checker: &Checker<'_>,
    names: &mut ChildNames<'_>,
    mut asker: Asker<'_>,
) -> Result<SkillChanges, CommandError> {
    asker.eprintln("Enter keeps the answer in [brackets]. `back` leads to the question before.");
    let (mut changes, mut index) = (SkillChanges::default(), 0);
    loop {
        let questions = questions(known, &changes);
        let Some(question) = questions.get(index) else {
            if let Some(all) = with_other_places(&changes, checker, names, &mut asker)? {
                return Ok(all);
            }
            index -= 1;
            continue;
        };
        let default = question.current(known);
        let reply = asker.reply(question.text(known), &question.items(), default.as_deref())?;
        let mut next = changes.clone();
        let accepted = match reply {
            Reply::Back if index == 0 => {
                asker.eprintln(FIRST_QUESTION);
                continue;
            }
            Reply::Back => {
                index -= 1;
                continue;
            }
            Reply::Help => {
                asker.eprintln(question.explanation());
                continue;
            }
            Reply::Given(typed) if typed.is_empty() && default.is_some() => {
                question.reset(&mut next);
                Ok(())
            }
            Reply::Given(typed) => {
                let Some(typed) = question.without_names(typed, names, &mut asker)? else {
                    continue;
                };
                let accepted = question.accept(&typed, known, &mut next);
                if accepted.is_ok() && question.needs_zone(&typed, known) {
                    let Some(zone) = ask_zone(&mut asker)? else { continue };
                    next.schedule = next.schedule.map(|schedule| schedule.in_zone(&zone));
                }
                accepted
            }
        };
        let errors = accepted.and_then(|()| Ok(checker.new_errors(&checker.files(&next)?)));
        let is_last = index + 1 >= self::questions(known, &next).len();
        let new: Vec<_> = match errors {
            Ok(found) if found.is_empty() || question.is_completed_later() && !is_last => {
                (changes, index) = (next, index + 1);
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

/// Returns the changes with those of other places that repeat a former answer or contain the name of
/// a child, as far as they are agreed to; none if the question before is to be asked again.
fn with_other_places(
    changes: &SkillChanges,
    checker: &Checker<'_>,
    names: &ChildNames<'_>,
    asker: &mut Asker<'_>,
) -> Result<Option<SkillChanges>, CommandError> {
    let mut all = changes.clone();
    let is_answered =
        repetitions::offer(checker, &mut all, asker)? && names.offer(checker, &mut all, asker)?;
    Ok(is_answered.then_some(all))
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
    ask_values(checker.known(), &mut changes, asker)?;
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
            Reply::Given(typed) => match question.accept(&typed, known, changes) {
                Ok(()) => index += 1,
                Err(error) => asker.show_error(&error),
            },
        }
    }
    Ok(())
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
