//! The faults of a manifest, as they are found.

use super::keys::Keys;
use super::{FAULTS_MAX, Fault, FaultKind};
use crate::skill::{Entry, Node};
use dibber_text::{Span, ellipsize};

/// The faults so far.
#[derive(Default)]
pub(super) struct Faults {
    all: Vec<Fault>,
    /// What is not YAML; nothing else is said of values in there.
    unreadable: Unreadable,
}

/// Which part of a file could not be read as YAML.
#[derive(Default)]
enum Unreadable {
    #[default]
    Nothing,
    /// These lines.
    Lines(Vec<Span>),
    /// A limit ended the reading, and nobody knows what is missing.
    Rest,
}

impl Faults {
    pub(super) fn push(&mut self, fault: Fault) {
        self.all.push(fault);
    }

    /// Adds a fault of the kind [`FaultKind::Invalid`].
    pub(super) fn invalid(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(Fault::invalid(span, message, Some(help.into())));
    }

    /// Notes lines that are not YAML.
    pub(super) fn add_broken_lines(&mut self, lines: Span) {
        match &mut self.unreadable {
            Unreadable::Nothing => self.unreadable = Unreadable::Lines(vec![lines]),
            Unreadable::Lines(all) => all.push(lines),
            Unreadable::Rest => {}
        }
    }

    /// Notes that a limit ended the reading.
    pub(super) fn cut_off(&mut self) {
        self.unreadable = Unreadable::Rest;
    }

    /// Adds a fault about something that was read. Where the YAML is broken, what was read is a
    /// guess, and nothing is said of it.
    fn add(&mut self, fault: Fault) {
        let is_guess = match &self.unreadable {
            Unreadable::Nothing => false,
            Unreadable::Lines(lines) => lines.iter().any(|lines| {
                // Nothing at all, at the end of the file.
                let ends_with_it = fault.span == Span::empty(lines.end);
                lines.contains(fault.span.start) || ends_with_it
            }),
            Unreadable::Rest => true,
        };
        if !is_guess {
            self.push(fault);
        }
    }

    /// Adds a fault of a value: its type, or what it says.
    pub(super) fn value(
        &mut self,
        value: &Node,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.add(Fault::invalid(value.span, message, Some(help.into())));
    }

    /// Adds a key that is none of `keys`; `entries` is the mapping that it stands in.
    pub(super) fn unknown_key(&mut self, key: &Node, keys: &Keys, entries: &[Entry]) {
        let message = match key.as_str() {
            Some("") => "nothing stands in front of the colon".to_owned(),
            Some(name) => format!("`{}` is not a key of {}", ellipsize(name), keys.of),
            None => format!("{} is not a key of {}", key.describe(), keys.of),
        };
        let help = keys.help(key.as_str().unwrap_or_default(), entries);
        let fault = Fault::invalid(key.span, message, Some(help));
        self.add(Fault { kind: FaultKind::UnknownKey, ..fault });
    }

    /// Adds a fault for a key that `entries` lacks, unless another key was meant as this one.
    pub(super) fn need(
        &mut self,
        entries: &[Entry],
        mapping: Span,
        key: &'static str,
        keys: &Keys,
        example: &str,
    ) {
        let names = || entries.iter().filter_map(|entry| entry.key.as_str());
        if names().any(|name| name == key || keys.meant(name) == Some(key)) {
            return;
        }
        let first = entries.first().map_or(mapping, |entry| entry.key.span);
        let message = format!("{} has no `{key}`", keys.of);
        self.add(Fault::invalid(first, message, Some(format!("add `{key}: {example}`"))));
    }

    /// All of them in the order of the file; of too many, the first and how many more there are.
    pub(super) fn finish(mut self) -> Vec<Fault> {
        self.all.sort_by_key(|fault| fault.span);
        if let Some(first_left_out) = self.all.get(FAULTS_MAX) {
            let (span, kind) = (first_left_out.span, first_left_out.kind);
            let more = self.all.len() - FAULTS_MAX;
            let message = format!("{more} more faults begin here");
            let help = "correct those above first".to_owned();
            let rest = Fault { kind, ..Fault::invalid(span, message, Some(help)) };
            self.all.truncate(FAULTS_MAX);
            self.all.push(rest);
        }
        self.all
    }
}
