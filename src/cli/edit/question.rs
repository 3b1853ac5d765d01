//! One question about a skill that exists: its words, its current answer, and what a new one changes.

use super::child_names::ChildNames;
use super::schedule_words::words_of;
use crate::cli::default_zone::system_zone;
use crate::cli::error::CommandError;
use crate::cli::new::arguments::{short_ages, without_quotes};
use crate::cli::new::changes::{NOTHING, change_names, check_no_schedule};
use crate::cli::new::explanation;
use crate::cli::new::free_text::{check_length, check_words, parse_value, value_question};
use crate::cli::new::rhythm::{is_never, parse_whole};
use crate::cli::new::zone;
use crate::cli::term::answer_line::{item_of, only_yes_or_no, yes_or_no};
use crate::cli::term::ask::Asker;
use dibber_skill::age_range::AgeRange;
use dibber_skill::contract::{Category, InputVariable, LABEL_CHARACTERS_MAX, TIME_ZONE_DEFAULT};
use dibber_skill::names::AnswerKind;
use dibber_skill::revision::{CurrentSchedule, ScheduleChange, SkillAnswers, SkillChanges};
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// What a question is about.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Question {
    Title,
    Description,
    Audience,
    KidCallable,
    Ages,
    Inputs,
    Schedule,
    /// What this input is when the skill runs by itself.
    Value(String),
}

/// The words before the name of an input that is removed.
const WITHOUT: [&str; 3] = ["without ", "no ", "not "];

/// The agents, as they are chosen from.
const AUDIENCES: [(&str, Category); 2] = [
    ("Sprout's agent, and the home agent", Category::Generic),
    ("the home agent alone", Category::HomeAgent),
];

impl Question {
    /// Returns `true` if the answers after it may make a valid skill of one that is none.
    pub(super) const fn is_completed_later(&self) -> bool {
        matches!(
            self,
            Self::Audience | Self::KidCallable | Self::Inputs | Self::Schedule | Self::Value(_)
        )
    }

    pub(super) fn text(&self, known: &SkillAnswers) -> Message {
        let text = match self {
            Self::Title => {
                let question = "Under which title should your family find it? (at most ";
                return message![question, LABEL_CHARACTERS_MAX, " characters)"];
            }
            Self::Description => "What does it do, and when should it be used?",
            Self::Audience => "Who runs it?",
            Self::KidCallable => "May a child start it? (yes or no)",
            Self::Ages => "For which ages? (such as 5-7)",
            Self::Inputs if known.inputs.is_empty() => {
                "What is different each time? Separate several with commas, such as: hero, place."
            }
            Self::Inputs => {
                let names = known.inputs.join(", ");
                let names = quote_in_full(&names);
                return message![
                    "What else is different each time, besides ",
                    names,
                    "? Separate several with commas; `without` before a name removes it."
                ];
            }
            Self::Value(input) => return value_question(input),
            Self::Schedule => {
                "When should it run by itself? (such as every day at 7:30pm, or never)"
            }
        };
        text.into()
    }

    /// Returns what the question means.
    pub(super) const fn explanation(&self) -> &'static str {
        match self {
            Self::Title => explanation::TITLE,
            Self::Description => explanation::DESCRIPTION,
            Self::Audience => explanation::AUDIENCE,
            Self::KidCallable => explanation::KID_CALLABLE,
            Self::Ages => explanation::AGES,
            Self::Inputs => explanation::CHANGES,
            Self::Schedule => explanation::SCHEDULE,
            Self::Value(_) => explanation::VALUE,
        }
    }

    pub(super) fn items(&self) -> Vec<Message> {
        match self {
            Self::Audience => AUDIENCES.iter().map(|(words, _)| (*words).into()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the words for it where answers are listed.
    pub(super) fn label(&self) -> Message {
        match self {
            Self::Value(input) => message!["with ", quote_in_full(input)],
            _ => self.fixed_label().into(),
        }
    }

    /// Returns these words as they are typed.
    pub(super) fn typed_label(&self) -> String {
        match self {
            Self::Value(input) => format!("with {input}"),
            _ => self.fixed_label().to_owned(),
        }
    }

    const fn fixed_label(&self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Description => "what it does",
            Self::Audience => "who runs it",
            Self::KidCallable => "a child may start it",
            Self::Ages => "ages",
            Self::Inputs => "different each time",
            Self::Schedule => "runs by itself",
            Self::Value(_) => "with",
        }
    }

    /// Returns its answer where answers are listed; an empty one is nothing.
    pub(super) fn shown(&self, answers: &SkillAnswers) -> String {
        let answer = match self {
            Self::Title => answers.label.clone(),
            Self::Description => answers.description.clone(),
            Self::Audience => audience(answers).map(|index| AUDIENCES[index].0.to_owned()),
            Self::KidCallable => {
                let is_callable = answers.kid_callable.unwrap_or(false);
                Some(if is_callable { "yes" } else { "no" }.to_owned())
            }
            Self::Ages => answers.ages.as_deref().map(short_ages),
            Self::Inputs => Some(answers.inputs.join(", ")),
            Self::Schedule => Some(words_of(&answers.schedule)),
            Self::Value(input) => answers.values.get(input).cloned(),
        };
        answer.filter(|answer| !answer.is_empty()).unwrap_or_else(|| NOTHING.to_owned())
    }

    /// Returns the answer that Enter keeps.
    pub(super) fn current(&self, known: &SkillAnswers, changes: &SkillChanges) -> Option<String> {
        let after = changes.applied_to(known);
        match self {
            Self::Title => after.label,
            Self::Description => after.description,
            Self::Ages => after.ages.as_deref().map(short_ages),
            Self::Audience => audience(&after).map(|index| (index + 1).to_string()),
            Self::KidCallable | Self::Schedule => Some(self.shown(&after)),
            Self::Inputs => {
                let words = |it: &InputVariable| it.description.clone().unwrap_or(it.name.clone());
                let removed = changes.removed_inputs.iter().map(|name| format!("without {name}"));
                let all: Vec<_> = changes.inputs.iter().map(words).chain(removed).collect();
                Some(if all.is_empty() { NOTHING.to_owned() } else { all.join(", ") })
            }
            Self::Value(input) => {
                let value = after.values.get(input).filter(|value| !value.is_empty());
                // A schedule that exists needs a value for an input that is new.
                let is_needed = known.schedule != CurrentSchedule::Never
                    && !known.inputs.contains(input)
                    && !after.values.contains_key(input);
                value.cloned().or_else(|| (!is_needed).then(|| NOTHING.to_owned()))
            }
        }
    }

    /// Returns an answer without names of children; none if it is to be typed again.
    pub(super) fn without_names(
        &self,
        typed: String,
        names: &mut ChildNames<'_>,
        asker: &mut Asker<'_>,
    ) -> Result<Option<String>, CommandError> {
        match self {
            Self::Title | Self::Description => names.leave_out(&typed, AnswerKind::Sentence, asker),
            Self::Inputs => names.leave_out(&typed, AnswerKind::Names, asker),
            Self::Value(input) => names.leave_out_of_value(input, typed, asker),
            _ => Ok(Some(typed)),
        }
    }

    /// Returns `true` for a new schedule whose zone neither the answer nor this computer names.
    pub(super) fn needs_zone(&self, typed: &str, known: &SkillAnswers) -> bool {
        let is_without_zone = || parse_whole(typed).is_ok_and(|parsed| parsed.zone.is_none());
        *self == Self::Schedule
            && known.schedule.zone().is_none()
            && zone::is_unclear(system_zone().as_deref())
            && is_without_zone()
    }

    pub(super) fn accept(
        &self,
        typed: &str,
        known: &SkillAnswers,
        changes: &mut SkillChanges,
    ) -> Result<(), CommandError> {
        let rejected = |problem: &'static str, help: &'static str| {
            Err(CommandError::new(message!["`", quote(typed), "` ", problem]).help(help))
        };
        let is_in_words =
            !matches!(self, Self::Audience | Self::KidCallable | Self::Ages | Self::Value(_));
        if typed.is_empty() || is_in_words {
            check_words(typed)?;
        }
        match self {
            Self::Title => {
                check_length(typed, LABEL_CHARACTERS_MAX)?;
                changes.label = Some(typed.to_owned());
            }
            Self::Description => {
                changes.description = Some(with_occasion(typed, known.description.as_deref()));
            }
            Self::Audience => match item_of(typed, &AUDIENCES.map(|(words, _)| words.to_owned())) {
                Some(index) => changes.category = Some(AUDIENCES[index].1),
                None => {
                    return rejected("is not one of these", "type a number, or one of the words");
                }
            },
            Self::KidCallable => match yes_or_no(typed) {
                Some(answer) => changes.kid_callable = Some(answer),
                None => return rejected("is neither yes nor no", "type yes or no"),
            },
            Self::Ages => {
                let ages = without_quotes(typed);
                let closest = AgeRange::closest(&ages).map(|ages| ages.to_string());
                changes.ages = Some(closest.unwrap_or(ages));
            }
            Self::Inputs if only_yes_or_no(typed).is_some() => {
                set_inputs(changes, known, Vec::new(), Vec::new());
            }
            Self::Inputs => {
                check_no_schedule(typed, "`back`, and then `the time`, changes when it runs")?;
                let (removed, added): (Vec<_>, Vec<_>) =
                    typed.split(',').partition(|part| removed_input(part).is_some());
                let removed: Vec<_> = removed.into_iter().filter_map(removed_input).collect();
                if let Some(name) = removed.iter().find(|name| !known.inputs.contains(name)) {
                    return Err(unknown_input(name, &known.inputs));
                }
                let named = change_names(&added.join(","));
                set_inputs(changes, known, named, removed);
            }
            Self::Value(input) => {
                changes.values.insert(input.clone(), parse_value(typed)?);
            }
            Self::Schedule => changes.schedule = Some(schedule(typed, known)?),
        }
        Ok(())
    }
}

/// Returns a new description; one that does not say when to use the skill is followed by the sentence of
/// the former one that did.
fn with_occasion(typed: &str, former: Option<&str>) -> String {
    let is_said = typed
        .split_whitespace()
        .any(|word| word.eq_ignore_ascii_case("use") || word.eq_ignore_ascii_case("when"));
    let occasion = former.and_then(|former| former.find(". Use ").map(|end| &former[end + 2..]));
    match occasion.filter(|_| !is_said) {
        Some(occasion) => {
            let stop = if typed.ends_with(['.', '!', '?', '。']) { "" } else { "." };
            format!("{typed}{stop} {occasion}")
        }
        None => typed.to_owned(),
    }
}

/// Sets the inputs that are added, each with its words, and those that are removed. One that the
/// skill has already is no new one, and what was filled in for one that is not added after all goes
/// with it.
fn set_inputs(
    changes: &mut SkillChanges,
    known: &SkillAnswers,
    named: impl IntoIterator<Item = (String, String)>,
    removed: Vec<String>,
) {
    let is_new = |name: &String| !known.inputs.contains(name);
    let inputs = named.into_iter().filter(|(name, _)| is_new(name)).map(|(name, words)| {
        InputVariable { name, description: Some(words), ..InputVariable::default() }
    });
    changes.inputs = inputs.collect();
    changes.removed_inputs = removed;
    let SkillChanges { inputs, values, .. } = changes;
    values.retain(|name, _| !is_new(name) || inputs.iter().any(|input| input.name == *name));
}

/// Returns the index of the agents that run it.
fn audience(answers: &SkillAnswers) -> Option<usize> {
    let category = answers.category.unwrap_or_default();
    AUDIENCES.iter().position(|(_, other)| *other == category)
}

/// Returns the input that a part of an answer removes, as in "without the hero".
fn removed_input(part: &str) -> Option<String> {
    let part = part.trim();
    let name = WITHOUT.iter().find_map(|word| {
        let (start, name) = part.split_at_checked(word.len())?;
        start.eq_ignore_ascii_case(word).then_some(name)
    })?;
    let (name, _) = change_names(name).into_iter().next()?;
    Some(name)
}

/// Returns the error about an input to remove that the skill does not have.
fn unknown_input(name: &str, known: &[String]) -> CommandError {
    let error = CommandError::new(message!["there is no input `", quote(name), "` to remove"]);
    if known.is_empty() {
        return error.help("the skill has no inputs; name what is different each time");
    }
    match closest_match(name, known.iter().map(String::as_str)) {
        Some(close) => error.help(message!["did you mean `without ", quote_in_full(close), "`?"]),
        None => error.help(message!["its inputs are: ", quote_in_full(&known.join(", "))]),
    }
}

/// Parses an answer about the schedule, in the zone of the one before it unless it names another.
fn schedule(typed: &str, known: &SkillAnswers) -> Result<ScheduleChange, CommandError> {
    if is_never(typed) {
        return Ok(ScheduleChange::Remove);
    }
    let parsed = parse_whole(typed)?;
    let default = || system_zone().unwrap_or_else(|| TIME_ZONE_DEFAULT.to_owned());
    let time_zone = parsed.zone.or(known.schedule.zone()).unwrap_or_else(default);
    Ok(ScheduleChange::Set { cron: parsed.expression, time_zone })
}
