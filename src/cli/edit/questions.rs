//! The questions about a skill that exists, each with the current answer.

use crate::cli::default_zone::system_zone;
use crate::cli::error::CommandError;
use crate::cli::new::arguments::without_quotes;
use crate::cli::new::changes::{NOTHING, change_names};
use crate::cli::new::rhythm::{NEVER, is_never, parse_whole};
use crate::cli::term::answer_line::{item_of, yes_or_no};
use crate::cli::term::ask::{Asker, Reply};
use crate::cli::term::ui::Ui;
use dibber_schedule::ClockFormat;
use dibber_skill::age_range::AgeRange;
use dibber_skill::contract::{Category, InputVariable, TIME_ZONE_DEFAULT};
use dibber_skill::manifest::WireSchedule;
use dibber_skill::names::Roster;
use dibber_skill::revision::{CurrentSchedule, ScheduleChange, SkillAnswers, SkillChanges};
use dibber_text::{Message, message, quote, quote_in_full};

/// What a question is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Title,
    Description,
    Audience,
    KidCallable,
    Ages,
    Inputs,
    Schedule,
}

/// The agents, as they are chosen from.
const AUDIENCES: [(&str, Category); 2] = [
    ("Sprout's agent, and the home agent", Category::Generic),
    ("the home agent alone", Category::HomeAgent),
];

/// Asks all questions. An answer that is the current one changes nothing.
pub(super) fn ask(
    known: &SkillAnswers,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<SkillChanges, CommandError> {
    ui.eprintln("Enter keeps the answer in [brackets]. `back` leads to the question before.");
    let mut asker = Asker::new(ui, roster);
    let (mut changes, mut index) = (SkillChanges::default(), 0);
    loop {
        let questions = questions(known, &changes);
        let Some(question) = questions.get(index) else { return Ok(changes) };
        let default = question.current(known);
        let reply = asker.reply(question.text(known), &question.items(), default.as_deref())?;
        let accepted = match reply {
            Reply::Back => {
                index = index.saturating_sub(1);
                continue;
            }
            Reply::Given(typed) if typed.is_empty() && default.is_some() => {
                question.keep(&mut changes);
                Ok(())
            }
            Reply::Given(typed) => question.accept(&typed, known, &mut changes),
        };
        match accepted {
            Ok(()) => index += 1,
            Err(error) => asker.show_error(&error),
        }
    }
}

/// Returns the questions; those about children depend on the answers before them.
fn questions(known: &SkillAnswers, changes: &SkillChanges) -> Vec<Question> {
    use Question::{Ages, Audience, Description, Inputs, KidCallable, Schedule, Title};
    let category = changes.category.or(known.category).unwrap_or_default();
    let is_generic = category == Category::Generic;
    let is_callable = changes.kid_callable.or(known.kid_callable).unwrap_or(false);
    let mut questions = vec![Title, Description, Audience];
    questions.extend(is_generic.then_some(KidCallable));
    questions.extend((is_generic && is_callable).then_some(Ages));
    questions.push(Inputs);
    let has_several = matches!(known.schedule, CurrentSchedule::Several(_));
    questions.extend((is_generic && !has_several).then_some(Schedule));
    questions
}

impl Question {
    fn text(self, known: &SkillAnswers) -> Message {
        let text = match self {
            Self::Title => "Under which title should your family find it?",
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
                    "? Separate several with commas."
                ];
            }
            Self::Schedule => {
                "When should it run by itself? (such as every day at 7:30pm, or never)"
            }
        };
        text.into()
    }

    fn items(self) -> Vec<Message> {
        match self {
            Self::Audience => AUDIENCES.iter().map(|(words, _)| (*words).into()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the current answer.
    fn current(self, known: &SkillAnswers) -> Option<String> {
        let yes_no = |is_yes: bool| if is_yes { "yes" } else { "no" }.to_owned();
        match self {
            Self::Title => known.label.clone(),
            Self::Description => known.description.clone(),
            Self::Audience => {
                let category = known.category.unwrap_or_default();
                let index = AUDIENCES.iter().position(|(_, other)| *other == category);
                index.map(|index| (index + 1).to_string())
            }
            Self::KidCallable => Some(yes_no(known.kid_callable.unwrap_or(false))),
            Self::Ages => known.ages.clone(),
            Self::Inputs => Some(NOTHING.to_owned()),
            Self::Schedule => Some(match &known.schedule {
                CurrentSchedule::One { cron, time_zone } => words(cron, time_zone.as_deref()),
                CurrentSchedule::Never | CurrentSchedule::Several(_) => NEVER.to_owned(),
            }),
        }
    }

    /// Drops an answer that was given before `back`.
    fn keep(self, changes: &mut SkillChanges) {
        match self {
            Self::Title => changes.label = None,
            Self::Description => changes.description = None,
            Self::Audience => changes.category = None,
            Self::KidCallable => changes.kid_callable = None,
            Self::Ages => changes.ages = None,
            Self::Inputs => changes.inputs.clear(),
            Self::Schedule => changes.schedule = None,
        }
    }

    fn accept(
        self,
        typed: &str,
        known: &SkillAnswers,
        changes: &mut SkillChanges,
    ) -> Result<(), CommandError> {
        let rejected = |problem: &'static str, help: &'static str| {
            Err(CommandError::new(message!["`", quote(typed), "` ", problem]).help(help))
        };
        match self {
            _ if typed.is_empty() => {
                return Err(
                    CommandError::new("there is no answer yet").help("type it, and press Enter")
                );
            }
            Self::Title => changes.label = Some(typed.to_owned()),
            Self::Description => changes.description = Some(typed.to_owned()),
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
            Self::Inputs => {
                let inputs = change_names(typed).into_iter().map(|(name, words)| InputVariable {
                    name,
                    description: Some(words),
                    ..InputVariable::default()
                });
                changes.inputs = inputs.collect();
            }
            Self::Schedule => changes.schedule = Some(schedule(typed, known)?),
        }
        Ok(())
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

/// Returns a schedule in words, as it can be typed; as it is written if it is invalid.
fn words(cron: &str, time_zone: Option<&str>) -> String {
    let parsed = dibber_schedule::ScheduleText::parse(cron);
    let schedule = parsed.map(|parsed| (parsed.cron, WireSchedule::new(parsed, time_zone)));
    match schedule {
        Ok((cron, Ok(WireSchedule { time_zone, .. }))) => {
            let zone = time_zone.as_deref().unwrap_or(TIME_ZONE_DEFAULT);
            dibber_schedule::cadence_text(&cron, zone, ClockFormat::default())
        }
        _ => cron.to_owned(),
    }
}
