//! The names of children in the answers.

use std::collections::{BTreeMap, BTreeSet};

use super::{Interview, Replies};
use crate::cli::error::CommandError;
use crate::cli::new::changes::{NOTHING, change_names};
use crate::cli::new::spoken_names::{
    CHILD_NAME, confirmed, decision, is_names, is_same, is_same_child, name_spans, names_in,
    names_to_ask, typed_names, with_first_names, without_children, word_span,
};
use crate::cli::new::topic::Topic;
use dibber_skill::names::{AnswerKind, Scope, likely_names};
use dibber_skill::scaffold::FOR_WHOM;
use dibber_text::{message, quote};

/// The answer for no names.
const NONE: &str = "none";
/// The most names of children that are shown in the summary.
const NAMES_SHOWN_MAX: usize = 3;
/// The most other words that are shown there: a missed name is among them.
const OTHERS_SHOWN_MAX: usize = 8;

impl Replies {
    /// Returns the number of answers.
    pub(in crate::cli::new) fn count(&self) -> usize {
        self.given.len()
    }

    /// Returns the words that looked like names, and whether each is the name of a child.
    pub(in crate::cli::new) const fn names_mut(&mut self) -> &mut BTreeMap<String, bool> {
        &mut self.names
    }
}

impl Interview<'_> {
    /// Returns `true` if the name of a child was typed, which becomes an input. In "Neil's brother", the
    /// child has another name.
    pub(in crate::cli::new) fn has_name(&self) -> bool {
        let is_named =
            |whom: &str| self.is_names_of_children(whom) || self.first_names(whom).is_some();
        let is_input = || self.changes().iter().any(|(name, _)| name == CHILD_NAME);
        self.reply(&Topic::Slot(FOR_WHOM)).is_some_and(is_named)
            || self.reply(&Topic::What).is_some_and(|what| self.names_child(what))
            || is_input()
    }

    /// Returns the words of an answer that may be names of children, to ask about. An answer that
    /// cannot be used has none.
    pub(in crate::cli::new) fn names_to_ask<'t>(
        &self,
        topic: &Topic,
        typed: &'t str,
    ) -> Vec<&'t str> {
        let answer = self.parse(topic, typed).unwrap_or_default();
        let is_names = *topic == Topic::Slot(FOR_WHOM) && is_names(&answer);
        let Some(kind) = topic.answer_kind().filter(|_| !answer.is_empty() && !is_names) else {
            return Vec::new();
        };
        let decided = |name: &str| {
            let known = || self.spoken_names().iter().any(|it| is_same(it, name)).then_some(true);
            decision(&self.replies.names, name).or_else(known)
        };
        names_to_ask(typed, kind, self.known.roster, decided)
    }

    /// Returns the words that looked like names, and whether each is the name of a child.
    pub(in crate::cli::new) const fn decided_names(&self) -> &BTreeMap<String, bool> {
        &self.replies.names
    }

    /// Takes the answer which words are names of children.
    pub(in crate::cli::new) fn decide_names(&mut self, decided: Vec<(String, bool)>) {
        self.replies.names.extend(decided);
    }

    /// Takes the answer which words of all answers are names of children.
    pub(super) fn set_names(&mut self, typed: &str) -> Result<(), CommandError> {
        let mut names: BTreeMap<String, bool> = BTreeMap::new();
        for name in typed_names(typed) {
            let lowercase = name.to_lowercase();
            let mut answers = self.searched().map(|(_, text)| text);
            let is_in = |text: &str, name: &str| word_span(text, name, 0).is_some();
            let is_listed = || !self.known.roster.find(name, Scope::Prose).is_empty();
            let found = if answers.any(|text| is_in(text, name)) || is_listed() {
                name.to_owned()
            } else if self.searched().any(|(_, text)| is_in(text, &lowercase)) {
                lowercase
            } else {
                let message = message!["`", quote(name), "` is not in your answers"];
                return Err(CommandError::new(message).help("type it as it is there, or none"));
            };
            names.insert(found, true);
        }
        let former = self.spoken_names().into_iter().map(str::to_owned);
        let former: Vec<_> = former.chain(self.replies.names.keys().cloned()).collect();
        for name in former {
            if decision(&names, &name).is_none() {
                names.insert(name, false);
            }
        }
        self.replies.names = names;
        Ok(())
    }

    /// Returns the names of children as they are typed when they are asked for.
    pub(super) fn names_answer(&self) -> String {
        let names = self.whole_names();
        if names.is_empty() { NONE.to_owned() } else { names.join(", ") }
    }

    /// Returns what is known about the names in the answers: those of children, and the other words
    /// that may be names.
    pub(super) fn names_summary(&self) -> String {
        let names = self.whole_names();
        let slots = self.template().map_or(&[][..], |template| template.slots);
        let has_input = slots.iter().any(|slot| slot.name == FOR_WHOM);
        let value = self.child_value().filter(|_| has_input && self.has_name());
        let value = value.unwrap_or_default();
        let (filled_in, left_out): (Vec<&str>, Vec<&str>) =
            names.iter().partition(|name| word_span(&value, name, 0).is_some());
        let found = if names.is_empty() {
            let is_listed = self.listed_name().is_some();
            if is_listed { "those on your list" } else { "none found" }.to_owned()
        } else {
            let become_input = if filled_in.len() == 1 { "becomes" } else { "become" };
            let become_input = format!("{become_input} {CHILD_NAME}");
            let parts = [(filled_in, become_input), (left_out, "left out".to_owned())];
            let parts = parts.into_iter().filter(|(names, _)| !names.is_empty());
            let parts =
                parts.map(|(names, end)| format!("{} ({end})", few(&names, NAMES_SHOWN_MAX)));
            parts.collect::<Vec<_>>().join(", ")
        };
        let mut others: Vec<&str> = Vec::new();
        for (kind, text) in self.searched() {
            for name in likely_names(text, kind) {
                let name = &text[name.span.range()];
                let is_shown = others.iter().any(|other| is_same(other, name));
                let is_known = is_shown || self.names_child(name);
                if !is_known {
                    others.push(name);
                }
            }
        }
        if others.is_empty() {
            found
        } else {
            format!("{found}; kept as they are: {}", few(&others, OTHERS_SHOWN_MAX))
        }
    }

    /// Returns what the input for the name of a child is filled in with, as typed: the first names in
    /// the answer for whom it is, or else those in another answer.
    pub(super) fn child_value(&self) -> Option<String> {
        let whom = self.reply(&Topic::Slot(FOR_WHOM)).unwrap_or_default();
        if self.is_names_of_children(whom) {
            return Some(whom.to_owned());
        }
        if let Some((names, _)) = self.first_names(whom) {
            return Some(whom[names.range()].to_owned());
        }
        let of_topic = |topic| {
            let text = self.reply(&topic)?;
            let names = name_spans(text, self.known.roster, self.spoken_names());
            let mut children: Vec<&str> = Vec::new();
            for name in names.iter().map(|span| &text[span.range()]) {
                if !children.iter().any(|other| is_same_child(other, name)) {
                    children.push(name);
                }
            }
            let (last, others) = children.split_last()?;
            let others = others.join(", ");
            Some(if others.is_empty() {
                (*last).to_owned()
            } else {
                format!("{others} and {last}")
            })
        };
        of_topic(Topic::What).or_else(|| of_topic(Topic::Changes))
    }

    /// Returns the answers that may contain names.
    fn searched(&self) -> impl Iterator<Item = (AnswerKind, &str)> {
        let topics = self.topics().into_iter();
        topics.filter_map(|topic| Some((topic.answer_kind()?, self.reply(&topic)?)))
    }

    /// Returns the typed names of children that are not on the list, without their parts.
    fn whole_names(&self) -> Vec<&str> {
        let is_in_answers = |name: &&str| {
            let name = name.to_lowercase();
            let is_in = |text: &str| word_span(&text.to_lowercase(), &name, 0).is_some();
            self.searched().any(|(_, text)| is_in(text))
        };
        let whom = self.whom_names().filter(|name| !self.replies.names.contains_key(*name));
        confirmed(&self.replies.names).filter(is_in_answers).chain(whom).collect()
    }

    /// Returns the names of the answer to "for whom" if it consists of names.
    fn whom_names(&self) -> impl Iterator<Item = &str> {
        let whom = self.reply(&Topic::Slot(FOR_WHOM)).filter(|text| is_names(text));
        let is_other = |name: &&str| decision(&self.replies.names, name) == Some(false);
        whom.into_iter().flat_map(names_in).filter(move |name| !is_other(name))
    }

    /// Returns `true` if an answer consists of names of children.
    pub(super) fn is_names_of_children(&self, text: &str) -> bool {
        is_names(text) && names_in(text).all(|it| decision(&self.replies.names, it) != Some(false))
    }

    /// Returns the typed names of children that are not on the list: the answer to "for whom" if it
    /// is one, and the words that are names according to their question, longer ones first.
    pub(in crate::cli::new) fn spoken_names(&self) -> Vec<&str> {
        with_first_names(confirmed(&self.replies.names).chain(self.whom_names()))
    }

    /// Returns the names and the words of what is different each time, without names of children.
    pub(super) fn changes(&self) -> Vec<(String, String)> {
        let typed = self.reply(&Topic::Changes).unwrap_or(NOTHING);
        let items = typed.split(',').map(|item| {
            let clean = self.clean(item);
            if clean == item { item.to_owned() } else { without_children(&clean) }
        });
        let mut changes = change_names(&items.collect::<Vec<_>>().join(","));
        let mut known = BTreeSet::new();
        changes.retain(|(name, _)| known.insert(name.clone()));
        changes
    }

    /// Returns `true` if `text` contains the name of a child.
    fn names_child(&self, text: &str) -> bool {
        self.clean(text) != text
    }

    /// Returns the first name on the private list in the answers about the child.
    pub(super) fn listed_name(&self) -> Option<&str> {
        let topics = [Topic::Slot(FOR_WHOM), Topic::What];
        let mut answers = topics.iter().filter_map(|topic| self.reply(topic));
        answers.find_map(|text| {
            let hits = self.known.roster.find(text, Scope::Prose);
            hits.first().map(|hit| &text[hit.span.range()])
        })
    }
}

/// Returns the first names of a list, and how many there are besides.
fn few(names: &[&str], shown_max: usize) -> String {
    match names.len().checked_sub(shown_max) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..shown_max].join(", ")),
    }
}
