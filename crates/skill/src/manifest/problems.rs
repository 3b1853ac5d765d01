//! The problems of a manifest, as they are found.

use super::keys::Keys;
use super::model::PROBLEMS_MAX;
use super::problem::{ManifestProblem, ManifestProblemKind};
use crate::skill::{Entry, Node};
use dibber_text::{Message, Problem, Span, message, quote};

/// The problems so far.
#[derive(Default)]
pub(super) struct Problems {
    all: Vec<ManifestProblem>,
    /// What is not YAML; no problem of a value in there is reported.
    unreadable: Unreadable,
}

/// Which part of a file could not be read as YAML.
#[derive(Default)]
enum Unreadable {
    #[default]
    Nothing,
    /// These lines.
    Lines(Vec<Span>),
    /// Everything after the place at which a limit ended the reading.
    Rest,
}

impl Problems {
    pub(super) fn push(&mut self, problem: ManifestProblem) {
        self.all.push(problem);
    }

    /// Adds a problem of the file itself.
    pub(super) fn push_invalid(&mut self, problem: Problem) {
        self.push(ManifestProblem::invalid(problem));
    }

    /// Records lines that are not YAML.
    pub(super) fn add_broken_lines(&mut self, lines: Span) {
        match &mut self.unreadable {
            Unreadable::Nothing => self.unreadable = Unreadable::Lines(vec![lines]),
            Unreadable::Lines(all) => all.push(lines),
            Unreadable::Rest => {}
        }
    }

    /// Records that a limit ended the reading.
    pub(super) fn cut_off(&mut self) {
        self.unreadable = Unreadable::Rest;
    }

    /// Adds a problem of something that was read. Where the YAML is broken, what was read is a
    /// guess, and its problems are not reported.
    fn add(&mut self, problem: ManifestProblem) {
        let place = problem.problem.place;
        let is_guess = match &self.unreadable {
            Unreadable::Nothing => false,
            // An empty place at the end of the broken lines is a missing value at the end of the
            // file.
            Unreadable::Lines(lines) => lines
                .iter()
                .any(|lines| lines.contains(place.start) || place == Span::empty(lines.end)),
            Unreadable::Rest => true,
        };
        if !is_guess {
            self.push(problem);
        }
    }

    /// Adds a problem of a value: its type, or its contents.
    pub(super) fn value(
        &mut self,
        value: &Node,
        message: impl Into<Message>,
        help: impl Into<Message>,
    ) {
        self.add(ManifestProblem::invalid(Problem::new(value.span, message).with_help(help)));
    }

    /// Adds a key that is none of `keys`; `entries` is the mapping that contains it.
    pub(super) fn unknown_key(&mut self, key: &Node, keys: &Keys, entries: &[Entry]) {
        let message = match key.as_str() {
            Some("") => message!["the key before the colon is empty"],
            Some(name) => message!["unknown key `", quote(name), "` in ", keys.of],
            None => message![key.describe(), " is not a key of ", keys.of],
        };
        let help = keys.help(key.as_str().unwrap_or_default(), entries);
        let problem = ManifestProblem::invalid(Problem::new(key.span, message).with_help(help));
        self.add(ManifestProblem { kind: ManifestProblemKind::UnknownKey, ..problem });
    }

    /// Adds a problem for a key that `entries` lacks, unless another key was meant as this one.
    pub(super) fn require(
        &mut self,
        entries: &[Entry],
        mapping: Span,
        key: &'static str,
        keys: &Keys,
        example: &'static str,
    ) {
        let names = || entries.iter().filter_map(|entry| entry.key.as_str());
        if names().any(|name| name == key || keys.meant(name) == Some(key)) {
            return;
        }
        let first = entries.first().map_or(mapping, |entry| entry.key.span);
        let message = message![keys.of, " has no `", key, "`"];
        let problem =
            Problem::new(first, message).with_help(message!["add `", key, ": ", example, "`"]);
        self.add(ManifestProblem::invalid(problem));
    }

    /// Returns the problems in the order of the file; of too many, the first ones, and one more
    /// that counts the others.
    ///
    /// They are sorted before they are cut, so that the first ones of the file remain. The size of
    /// a manifest limits how many there can be.
    pub(super) fn finish(mut self) -> Vec<ManifestProblem> {
        self.all.sort_by_key(|found| found.problem.place);
        if let Some(first_omitted) = self.all.get(PROBLEMS_MAX) {
            let (place, kind) = (first_omitted.problem.place, first_omitted.kind);
            let omitted = self.all.len() - PROBLEMS_MAX;
            let problem = Problem::new(place, message![omitted, " more problems begin here"])
                .with_help("fix those above first");
            self.all.truncate(PROBLEMS_MAX);
            self.all.push(ManifestProblem { kind, ..ManifestProblem::invalid(problem) });
        }
        self.all
    }
}
