//! What a fault of `sprout.yaml` keeps from being read: a verdict that misses it would be a
//! second word on the same fault.

use std::collections::BTreeSet;

use dibber_skill::diagnostic::Place;
use dibber_skill::draft::{Draft, DraftProblem, HeartbeatProblem, HeartbeatReason, Reason};
use dibber_skill::manifest::ManifestProblem;
use dibber_skill::skill::{Skill, corrected_name, placeholder_of};
use dibber_text::{Source, Span, closest_match, line_around};

/// What a line begins with that gives a time zone, rightly or not.
const TIME_ZONE_KEYS: [&str; 3] = ["tz", "timezone", "time_zone"];

/// What was probably meant by the lines that have faults.
#[derive(Default)]
pub(super) struct Misread {
    /// The placeholders of all the words in them: one may be the name of an input.
    placeholders: BTreeSet<String>,
    /// Whether one of them was to give the ages.
    gives_ages: bool,
    /// Whether one of them was to give the time zone of a heartbeat.
    gives_time_zone: bool,
}

impl Misread {
    /// Looks at the faults of a draft.
    pub(super) fn of(skill: &Skill, draft: &Draft) -> Self {
        let mut misread = Self::default();
        for (place, fault) in &draft.problems {
            if let Place::Resource(index, _) = place {
                misread.add(skill.resources[*index].source.text(), fault);
            }
        }
        misread
    }

    fn add(&mut self, text: &str, fault: &ManifestProblem) {
        // Of a key that stands twice, the label is where it stands first.
        let span = fault.problem.place;
        let label = fault.problem.labels.first().map_or(span, |label| label.place);
        let start = span.start.min(label.start);
        let first = line_around(text, start);
        let last = line_around(text, span.end);
        let (lines, from) = match &fault.syntax {
            Some(syntax) => (syntax.entry, syntax.entry.start),
            None => (Span::new(first.start, last.end), start),
        };
        // In front of the fault stands the key, which names nothing.
        let value = text[from..lines.end].trim();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let words = value.split(|c| !is_part(c)).chain([value]);
        let names = words.filter_map(corrected_name);
        self.placeholders.extend(names.map(|name| placeholder_of(&name)));
        for line in text[lines.range()].lines() {
            let key = line.split(':').next().unwrap_or_default();
            let key = key.trim_matches([' ', '-', '\t']);
            self.gives_ages |= closest_match(key, ["ageRange"]).is_some();
            self.gives_time_zone |= closest_match(key, TIME_ZONE_KEYS).is_some();
        }
    }

    /// Tells whether a verdict on a heartbeat misses what stands there.
    pub(super) fn explains_heartbeat(&self, source: &Source, found: &HeartbeatProblem) -> bool {
        match found.reason {
            HeartbeatReason::UndeclaredInput => {
                let name = source.slice(found.problem.place).trim_matches(['"', '\'']);
                self.placeholders.contains(&placeholder_of(name))
            }
            HeartbeatReason::OverCap | HeartbeatReason::Conflict => self.gives_time_zone,
            _ => false,
        }
    }

    /// Tells whether a verdict misses what stands there.
    pub(super) fn explains(&self, draft: &Draft, found: &DraftProblem) -> bool {
        let prompt = &draft.best_effort().prompt;
        match (found.reason, found.problem.place.span) {
            (Reason::UndeclaredPlaceholder, Some(part)) => {
                self.placeholders.contains(&prompt[part.range()])
            }
            (Reason::KidCallableWithoutAgeRange, _) => self.gives_ages,
            _ => false,
        }
    }
}
