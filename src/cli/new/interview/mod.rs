//! The answers so far, what is asked next, and the skill that they make. Nothing here reads a
//! terminal or a file.

mod names;
mod skill;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cli::error::CommandError;
use crate::cli::new::arguments::{short_ages, without_quotes};
use crate::cli::new::changes::{NOTHING, parse_changes};
use crate::cli::new::free_text::{check_length, check_words, cut, is_single_word, parse_value};
use crate::cli::new::rhythm::{
    NEVER, RHYTHM_DEFAULT, default_time, is_whole, needs_time, parse_rhythm, parse_schedule,
    parse_time, part_of_day,
};
use crate::cli::new::spoken_names::CHILD_NAME;
use crate::cli::new::topic::{FOR_DEVELOPERS, Topic, template_of, template_with_word_of};
use crate::cli::new::whom::parse_whom;
use crate::cli::new::zone::{UTC, is_unclear, named_zone};
use crate::cli::term::answer_line::{item_of, yes_or_no};
use dibber_schedule::ScheduleText;
use dibber_skill::age_range::AgeRange;
use dibber_skill::contract::{Category, SkillWrite};
use dibber_skill::draft::Draft;
use dibber_skill::names::Roster;
use dibber_skill::scaffold::{self, Answers, FOR_WHOM, Template, TemplateAudience};
use dibber_text::{message, quote};

/// What is said instead of a name that is not known.
const MY_CHILD: &str = "my child";
/// What is said of the name of a child that a schedule fills in.
const IS_STORED: &str = " (stored in sprout.yaml and on the server)";
const AGES_DEFAULT: &str = "5-7";

/// The answers as they were typed, by the keys of their topics.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Replies {
    given: BTreeMap<String, String>,
    /// The former answers of questions that are asked again, where they are the defaults.
    former: BTreeMap<String, String>,
    /// The words that looked like names, and whether each is the name of a child.
    #[serde(default)]
    names: BTreeMap<String, bool>,
}

/// What is known before the first question.
pub(super) struct Known<'a> {
    /// The template, if an option names it.
    pub(super) template: Option<&'static Template>,
    /// The answers that options give.
    pub(super) answers: &'a Answers,
    /// Whether only that is asked for which there is no default.
    pub(super) is_brief: bool,
    pub(super) roster: &'a Roster,
    /// The time zone of this computer.
    pub(super) zone: Option<String>,
    /// Returns `true` if there is a folder of this name.
    pub(super) is_taken: &'a dyn Fn(&str) -> bool,
}

/// The questions about a new skill.
pub(super) struct Interview<'a> {
    known: Known<'a>,
    pub(super) replies: Replies,
}

impl<'a> Interview<'a> {
    pub(super) fn new(known: Known<'a>, replies: Replies) -> Self {
        Self { known, replies }
    }

    /// Returns the template, once it is known.
    pub(super) fn template(&self) -> Option<&'static Template> {
        let chosen = || match self.reply(&Topic::Purpose)? {
            FOR_DEVELOPERS => scaffold::template(self.reply(&Topic::DeveloperTemplate)?),
            name => scaffold::template(name),
        };
        self.known.template.or_else(chosen)
    }

    /// Returns everything that is asked, or has a default that can be changed, in this order.
    pub(super) fn topics(&self) -> Vec<Topic> {
        let mut topics = Vec::new();
        let given = self.known.answers;
        if self.known.template.is_none() {
            topics.push(Topic::Purpose);
            let is_developers = self.reply(&Topic::Purpose) == Some(FOR_DEVELOPERS);
            topics.extend(is_developers.then_some(Topic::DeveloperTemplate));
        }
        let Some(template) = self.template() else { return topics };
        if given.description.is_none() {
            topics.push(Topic::What);
            if template.trigger.is_empty() {
                topics.push(Topic::WhenUsed);
            }
        }
        if let Some(draft) = draft_of(template) {
            self.add_published(&mut topics, template, &draft);
        }
        if given.label.is_none() {
            topics.push(Topic::Title);
        }
        if given.name.is_none() {
            topics.push(Topic::Folder);
        }
        let has_words = topics.iter().any(|topic| topic.answer_kind().is_some());
        topics.extend(has_words.then_some(Topic::Names));
        topics
    }

    /// Adds what only a published skill has.
    fn add_published(&self, topics: &mut Vec<Topic>, template: &Template, draft: &SkillWrite) {
        let given = self.known.answers;
        let is_slot_asked = |name: &&str| !given.details.contains_key(*name);
        let slots = template.slots.iter().map(|slot| slot.name).filter(is_slot_asked);
        let (whom, details): (Vec<_>, Vec<_>) = slots.partition(|name| *name == FOR_WHOM);
        topics.extend(whom.into_iter().map(Topic::Slot));
        if given.inputs.is_empty() {
            topics.push(Topic::Changes);
        }
        let category = given.category.or(draft.category).unwrap_or_default();
        let is_for_parents = template.audience == TemplateAudience::Parents;
        if category == Category::Generic {
            if given.schedule.is_none() && is_for_parents {
                topics.push(Topic::Rhythm);
                topics.extend(self.rhythm().filter(|it| needs_time(it)).map(|_| Topic::Time));
            }
            if given.schedule.is_some() || self.rhythm().is_some() {
                topics.extend(self.valued_inputs(draft).map(Topic::Value));
            }
            let schedule = self.schedule();
            topics.extend(schedule.filter(|it| it.zone.is_none()).map(|_| Topic::Zone));
        }
        topics.extend(details.into_iter().map(Topic::Slot));
        if category == Category::Generic && given.kid_callable.is_none() {
            topics.push(Topic::KidCallable);
        }
        if self.is_kid_callable() == Some(true) && given.ages.is_none() {
            topics.push(Topic::Ages);
        }
    }

    /// Returns what to ask next; none if everything is known or has a default.
    pub(super) fn next_topic(&self) -> Option<Topic> {
        let is_asked = |topic: &Topic| {
            let is_needed = match topic {
                Topic::Purpose | Topic::DeveloperTemplate | Topic::What => true,
                Topic::Zone if !self.known.is_brief && is_unclear(self.known.zone.as_deref()) => {
                    true
                }
                _ if self.replies.former.contains_key(&topic.key()) => true,
                _ => topic.is_always_asked() && !self.known.is_brief,
            };
            self.reply(topic).is_none() && (is_needed || self.default_of(topic).is_none())
        };
        self.topics().into_iter().find(is_asked)
    }

    /// Returns the last topic with an answer before this one, or before the end.
    pub(super) fn before(&self, from: Option<&Topic>) -> Option<Topic> {
        let before = self.topics().into_iter().take_while(|topic| Some(topic) != from);
        before.filter(|topic| self.reply(topic).is_some()).last()
    }

    /// Makes the answer of a topic the default of its question.
    pub(super) fn ask_again(&mut self, topic: &Topic) {
        let key = topic.key();
        if let Some(answer) = self.replies.given.remove(&key) {
            self.replies.former.insert(key, answer);
        }
    }

    /// Takes an answer; an empty one is the default.
    pub(super) fn accept(&mut self, topic: &Topic, typed: &str) -> Result<(), CommandError> {
        let typed = self.or_default(topic, typed);
        if *topic == Topic::Time && is_whole(self.rhythm().unwrap_or_default(), &typed) {
            return self.accept(&Topic::Rhythm, &typed);
        }
        if *topic == Topic::Names {
            return self.set_names(&typed);
        }
        let answer = self.parse(topic, &typed)?;
        self.replies.former.remove(&topic.key());
        self.replies.given.insert(topic.key(), answer);
        Ok(())
    }

    /// Returns an answer; the default if it is empty.
    pub(super) fn or_default(&self, topic: &Topic, typed: &str) -> String {
        let default = if typed.is_empty() { self.default_of(topic) } else { None };
        default.unwrap_or_else(|| typed.to_owned())
    }

    /// Makes an answer that was not taken the default of its question.
    pub(super) fn suggest(&mut self, topic: &Topic, typed: &str) {
        self.replies.former.insert(topic.key(), typed.to_owned());
    }

    /// Returns the days of an answer such as "every day after dinner", and makes a time the default
    /// of the question about it; none if the answer names no part of the day.
    pub(super) fn propose_time(&mut self, topic: &Topic, typed: &str) -> Option<String> {
        if !matches!(topic, Topic::Rhythm | Topic::Time) || self.parse(topic, typed).is_ok() {
            return None;
        }
        let (days, time) = part_of_day(typed)?;
        if *topic == Topic::Time && !days.is_empty() {
            return None;
        }
        let days = if days.is_empty() { RHYTHM_DEFAULT.to_owned() } else { days };
        self.parse(&Topic::Rhythm, &days).ok()?;
        self.suggest(&Topic::Time, time);
        Some(days)
    }

    /// Makes the part of an answer that is short enough the default of its question; `false` if the
    /// answer is not too long.
    pub(super) fn keep_short(&mut self, topic: &Topic, typed: &str) -> bool {
        let Some(characters_max) = topic.characters_max() else { return false };
        if check_length(typed, characters_max).is_ok() {
            return false;
        }
        self.suggest(topic, &cut(typed, characters_max));
        true
    }

    /// Returns an answer in the form in which it is kept.
    fn parse(&self, topic: &Topic, typed: &str) -> Result<String, CommandError> {
        if let Some(characters_max) = topic.characters_max() {
            check_length(typed, characters_max)?;
        }
        if topic.is_in_words() {
            check_words(typed)?;
        }
        let rejected = |problem: &'static str, help: &'static str| {
            Err(CommandError::new(message!["`", quote(typed), "` ", problem]).help(help))
        };
        let needs_words = matches!(topic, Topic::What | Topic::WhenUsed | Topic::Slot(FOR_WHOM));
        if needs_words && !typed.contains(char::is_alphabetic) {
            return rejected(
                "has no words",
                "type it in your own words; `?` explains the question",
            );
        }
        if *topic == Topic::What && is_single_word(typed) {
            return rejected(
                "says too little",
                "type a whole sentence, such as: tell a story about animals",
            );
        }
        match topic {
            Topic::Purpose | Topic::DeveloperTemplate => match parse_purpose(topic, typed) {
                Some(purpose) => Ok(purpose.to_owned()),
                None => rejected("is not one of these", "type a number, or one of the words"),
            },
            Topic::Rhythm => parse_rhythm(typed),
            Topic::Time => parse_time(self.rhythm().unwrap_or_default(), typed),
            Topic::KidCallable => match yes_or_no(typed) {
                Some(answer) => Ok(if answer { "yes" } else { "no" }.to_owned()),
                None => rejected("is neither yes nor no", "type yes or no"),
            },
            Topic::Ages => Ok(AgeRange::closest(&without_quotes(typed))
                .map_or_else(|| typed.to_owned(), |ages| ages.to_string())),
            Topic::Slot(FOR_WHOM) => parse_whom(typed),
            Topic::Folder => Ok(self.folder_of(typed)),
            Topic::Zone => named_zone(typed),
            Topic::Changes => parse_changes(typed),
            Topic::Value(_) => parse_value(typed),
            _ => Ok(typed.to_owned()),
        }
    }

    /// Returns the answer that is given with Enter alone.
    pub(super) fn default_of(&self, topic: &Topic) -> Option<String> {
        if let Some(former) = self.replies.former.get(&topic.key()) {
            return Some(if former.is_empty() { NOTHING } else { former }.to_owned());
        }
        let template = self.template();
        match topic {
            Topic::What => {
                let template = template.filter(|template| !template.slots.is_empty())?;
                let draft = draft_of(template)?;
                let (sentence, _) = draft.description.split_once(". ")?;
                Some(sentence.to_owned())
            }
            Topic::Slot(name) => {
                let slot = template?.slots.iter().find(|slot| slot.name == *name)?;
                Some(slot.text.to_owned())
            }
            Topic::Changes => Some(NOTHING.to_owned()),
            Topic::Rhythm => Some(NEVER.to_owned()),
            Topic::Time => default_time(self.rhythm()?).map(str::to_owned),
            Topic::Value(input) if input == CHILD_NAME => {
                Some(self.child_value().unwrap_or_else(|| MY_CHILD.to_owned()))
            }
            Topic::Zone => Some(self.known.zone.clone().unwrap_or_else(|| UTC.to_owned())),
            Topic::KidCallable => {
                let is_callable = draft_of(template?)?.kid_callable == Some(true);
                Some(if is_callable { "yes" } else { "no" }.to_owned())
            }
            Topic::Ages => {
                let known = draft_of(template?).and_then(|draft| draft.age_range);
                Some(known.unwrap_or_else(|| AGES_DEFAULT.to_owned()))
            }
            Topic::Title => Some(self.title()),
            Topic::Folder => self.folder(),
            Topic::Names => Some(self.names_answer()),
            Topic::Purpose | Topic::DeveloperTemplate | Topic::WhenUsed | Topic::Value(_) => None,
        }
    }

    /// Returns the answer of a topic, or its default, as it is shown.
    pub(super) fn shown(&self, topic: &Topic) -> String {
        match (topic, self.answer(topic)) {
            (Topic::Purpose, Some(purpose)) if purpose == FOR_DEVELOPERS => purpose,
            (Topic::Purpose | Topic::DeveloperTemplate, _) => {
                self.template().map(|template| template.summary.to_owned()).unwrap_or_default()
            }
            (Topic::Title, Some(_)) => self.title(),
            (Topic::Folder, Some(_)) => self.folder().unwrap_or_default(),
            (Topic::Names, _) => self.names_summary(),
            (Topic::Ages, Some(ages)) => short_ages(&ages),
            (Topic::Value(_), Some(answer)) if answer.is_empty() => NOTHING.into(),
            (Topic::Value(input), Some(answer)) if input == CHILD_NAME => answer + IS_STORED,
            (Topic::Changes, Some(_)) => match self.changes() {
                changes if changes.is_empty() => NOTHING.into(),
                changes => {
                    changes.into_iter().map(|(_, words)| words).collect::<Vec<_>>().join(", ")
                }
            },
            (Topic::What | Topic::WhenUsed, Some(answer)) => self.clean(&answer),
            (Topic::Slot(name), Some(answer)) if *name != FOR_WHOM => self.clean(&answer),
            (_, answer) => answer.unwrap_or_default(),
        }
    }

    /// Returns the answer of a topic, or its default.
    fn answer(&self, topic: &Topic) -> Option<String> {
        self.reply(topic).map(str::to_owned).or_else(|| self.default_of(topic))
    }

    /// Returns when it runs by itself; none if it does not.
    fn rhythm(&self) -> Option<&str> {
        self.reply(&Topic::Rhythm).filter(|rhythm| *rhythm != NEVER)
    }

    /// Returns the schedule of the answers, once there is one.
    fn schedule(&self) -> Option<ScheduleText> {
        parse_schedule(self.rhythm()?, &self.answer(&Topic::Time).unwrap_or_default()).ok()
    }

    /// Returns the time zone that the answers about the days and the time name.
    pub(super) fn named_zone(&self) -> Option<String> {
        self.schedule()?.zone
    }

    fn is_kid_callable(&self) -> Option<bool> {
        let reply = self.reply(&Topic::KidCallable).and_then(yes_or_no);
        self.known.answers.kid_callable.or(reply)
    }

    fn reply(&self, topic: &Topic) -> Option<&str> {
        self.replies.given.get(&topic.key()).map(String::as_str)
    }
}

/// Returns the name of the template that an answer means, or that it is one for developers.
fn parse_purpose(topic: &Topic, typed: &str) -> Option<&'static str> {
    let for_parents = match topic {
        Topic::Purpose => template_of(typed, TemplateAudience::Parents),
        _ => None,
    };
    let items = topic.items();
    let is_last = || item_of(typed, &items).is_some_and(|index| index + 1 == items.len());
    if *topic == Topic::Purpose && for_parents.is_none() && is_last() {
        return Some(FOR_DEVELOPERS);
    }
    let for_developers = |typed: &str| template_of(typed, TemplateAudience::Developers);
    let is_number = typed.trim_end_matches(['.', ')']).parse::<usize>().is_ok();
    let is_of_second_menu = *topic == Topic::DeveloperTemplate || !is_number;
    let found = for_parents.or_else(|| for_developers(typed).filter(|_| is_of_second_menu));
    let by_word = || template_with_word_of(typed).filter(|_| *topic == Topic::Purpose);
    found.or_else(by_word).map(|template| template.name)
}

/// Returns what is published of a template; none if it is not for Sprout.
fn draft_of(template: &Template) -> Option<SkillWrite> {
    let draft = Draft::new(&scaffold::plan(template, &Answers::default()).skill());
    draft.manifest.is_some().then(|| draft.best_effort().clone())
}
