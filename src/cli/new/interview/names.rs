//! The names of children in the answers.

use super::Interview;
use crate::cli::new::spoken_names::{
    confirmed, decision, is_names, is_same, names_in, names_to_ask, with_first_names, word_span,
};
use crate::cli::new::topic::Topic;
use dibber_skill::names::Scope;
use dibber_skill::scaffold::FOR_WHOM;

impl Interview<'_> {
    /// Returns `true` if the name of a child was typed, which becomes an input.
    pub(in crate::cli::new) fn has_name(&self) -> bool {
        let has_name = |topic: Topic| self.reply(&topic).is_some_and(|text| self.names_child(text));
        has_name(Topic::Slot(FOR_WHOM)) || has_name(Topic::What)
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

    /// Takes the answer which words are names of children.
    pub(in crate::cli::new) fn decide_names(&mut self, decided: Vec<(String, bool)>) {
        self.replies.names.extend(decided);
    }

    /// Returns the typed names of children that are not on the list: the answer to "for whom" if it
    /// is one, and the words that are names according to their question, longer ones first.
    pub(super) fn spoken_names(&self) -> Vec<&str> {
        let whom = self.reply(&Topic::Slot(FOR_WHOM)).filter(|text| is_names(text));
        with_first_names(confirmed(&self.replies.names).chain(whom.into_iter().flat_map(names_in)))
    }

    /// Returns `true` if `text` contains the name of a child.
    fn names_child(&self, text: &str) -> bool {
        !self.known.roster.find(text, Scope::Prose).is_empty()
            || self.spoken_names().iter().any(|name| word_span(text, name, 0).is_some())
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
