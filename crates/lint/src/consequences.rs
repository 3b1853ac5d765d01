//! Problems of a draft that only follow from a problem of `sprout.yaml`.
//!
//! A draft leaves out what could not be read, and the analyzers judge the draft. So a problem in
//! the line of an input makes its placeholder an undeclared one, a mistyped `ageRange` makes a
//! skill for children lack its ages, and a mistyped `tz` moves a heartbeat to another time.
//! Reported next to its cause, such a consequence sends the author looking for a second mistake,
//! and disappears with the first.
//!
//! What the author meant is not known, so it is guessed from the lines that have problems, in
//! favour of silence: a consequence is dropped if some word in those lines could be the input that
//! is missing, or if one of their keys is close to the missing key. A wrong guess costs little:
//! the cause is reported in any case, and what was dropped returns once the cause is corrected.
//! Only problems about something *missing* are dropped; a problem with what is there is right
//! whatever else could not be read.
//!
//! A problem that is not reported, because its rule is allowed, has no consequences: otherwise
//! nothing at all would be reported. The caller removes such problems from the draft.

use std::collections::BTreeSet;

use dibber_skill::diagnostic::Place;
use dibber_skill::draft::{Draft, DraftProblem, HeartbeatProblem, HeartbeatReason, Reason};
use dibber_skill::manifest::ManifestProblem;
use dibber_skill::skill::{Skill, corrected_name, placeholder_of};
use dibber_text::{Source, Span, closest_match, line_around};

/// The keys, right or wrong, of a line that sets a time zone.
const TIME_ZONE_KEYS: [&str; 3] = ["tz", "timezone", "time_zone"];

/// What the lines with problems probably declare.
#[derive(Default)]
pub(super) struct Consequences {
    /// The placeholders of all words in them: one may be the name of an input.
    placeholders: BTreeSet<String>,
    /// Whether one of them sets the ages.
    has_ages: bool,
    /// Whether one of them sets the time zone of a heartbeat.
    has_time_zone: bool,
}

impl Consequences {
    /// Reads the lines of the problems of a draft.
    pub(super) fn of_problems(skill: &Skill, draft: &Draft) -> Self {
        let mut consequences = Self::default();
        for (place, problem) in &draft.problems {
            if let Place::Resource(index, _) = place {
                consequences.add(skill.resources[*index].source.text(), problem);
            }
        }
        consequences
    }

    fn add(&mut self, text: &str, found: &ManifestProblem) {
        // The label of a duplicate key is at the first of the two, and both may be affected.
        let span = found.problem.place;
        let label = found.problem.labels.first().map_or(span, |label| label.place);
        let start = span.start.min(label.start);
        let first = line_around(text, start);
        let last = line_around(text, span.end);
        // A syntax error spoils the whole entry that it is in; any other problem, its own lines.
        let (lines, from) = match &found.syntax {
            Some(syntax) => (syntax.entry, syntax.entry.start),
            None => (Span::new(first.start, last.end), start),
        };
        // Before the problem is the key, which is not the name of an input.
        let value = text[from..lines.end].trim();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let words = value.split(|c| !is_part(c)).chain([value]);
        let names = words.filter_map(corrected_name);
        self.placeholders.extend(names.map(|name| placeholder_of(&name)));
        for line in text[lines.range()].lines() {
            let key = line.split(':').next().unwrap_or_default();
            let key = key.trim_matches([' ', '-', '\t']);
            self.has_ages |= closest_match(key, ["ageRange"]).is_some();
            self.has_time_zone |= closest_match(key, TIME_ZONE_KEYS).is_some();
        }
    }

    /// Returns `true` if a problem probably misses what these lines declare.
    pub(super) fn is_consequence(&self, draft: &Draft, found: &DraftProblem) -> bool {
        let prompt = &draft.best_effort().prompt;
        match (found.reason, found.problem.place.span) {
            (Reason::UndeclaredPlaceholder, Some(part)) => {
                self.placeholders.contains(&prompt[part.range()])
            }
            (Reason::KidCallableWithoutAgeRange, _) => self.has_ages,
            _ => false,
        }
    }

    /// Returns `true` if a problem of a heartbeat probably misses what these lines declare.
    pub(super) fn is_heartbeat_consequence(
        &self,
        source: &Source,
        found: &HeartbeatProblem,
    ) -> bool {
        match found.reason {
            HeartbeatReason::UndeclaredInput => {
                let name = source.slice(found.problem.place).trim_matches(['"', '\'']);
                self.placeholders.contains(&placeholder_of(name))
            }
            // Which inputs there are, and which of them have a value, is not known.
            HeartbeatReason::MissingInput => true,
            // Both depend on when the heartbeat fires.
            HeartbeatReason::OverCap | HeartbeatReason::Conflict => self.has_time_zone,
            _ => false,
        }
    }
}
