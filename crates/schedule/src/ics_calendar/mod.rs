//! Fires as an iCalendar file (RFC 5545).
//!
//! A schedule is one event that is repeated by a rule, in its time zone, if a rule gives exactly its
//! fires. Otherwise each fire is an event at an instant of UTC: no rule means "the 13th and also
//! every Friday", and none moves a time that a clock change skips as cron does.

mod lines;
mod recurrence;
mod vtimezone;

use std::collections::HashMap;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::cadence::{ClockFormat, cadence_text};
use crate::named_schedule::NamedSchedule;
use dibber_text::{escape_line, hex};
use lines::{Lines, utc};
use recurrence::Recurrence;

/// The most events of one calendar that are not repeated by a rule.
pub const EVENTS_MAX: usize = 10_000;

/// The part of the identity of an event that is repeated by a rule, in place of its start.
const EVERY_FIRE: &str = "every fire";
/// The bytes of a digest that identify an event.
const UID_BYTES: usize = 16;

/// An iCalendar file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IcsCalendar {
    /// The content, with CRLF line breaks.
    pub text: String,
    /// The number of events.
    pub events: usize,
    /// The first fire that was left out, if there are more than [`EVENTS_MAX`].
    pub cut_at: Option<Timestamp>,
}

/// Returns the fires of schedules after an instant and before another, as a calendar created at
/// the instant `created`.
///
/// `None` if nothing fires, because a calendar has at least one event. An event keeps its identity
/// (`UID`) as long as the name of its schedule does not change, nor its instant if it is not repeated
/// by a rule.
pub fn ics_calendar(
    schedules: &[NamedSchedule<'_>],
    after: Timestamp,
    before: Timestamp,
    created: Timestamp,
    clock: ClockFormat,
) -> Option<IcsCalendar> {
    let (mut recurrences, mut fires) = (Vec::new(), Vec::new());
    for (index, named) in schedules.iter().enumerate() {
        if let Some(recurrence) = Recurrence::of(named.schedule, after, before) {
            recurrences.push((index, recurrence));
            continue;
        }
        let own = named.schedule.fires_after(after).take_while(|fire| fire.at < before);
        // One more than the limit, to know the first that is left out.
        fires.extend(own.take(EVENTS_MAX + 1).map(|fire| (fire.at, index)));
        fires.sort_unstable();
        fires.truncate(EVENTS_MAX + 1);
    }
    let cut_at = fires.get(EVENTS_MAX).map(|(at, _)| *at);
    fires.truncate(EVENTS_MAX);
    if fires.is_empty() && recurrences.is_empty() {
        return None;
    }
    let events = Event::all(schedules, clock);
    let mut out = Lines::default();
    out.line("BEGIN:VCALENDAR");
    out.line("VERSION:2.0");
    out.line("PRODID:-//dibber//heartbeats//EN");
    out.line("CALSCALE:GREGORIAN");
    let mut zones: Vec<_> = recurrences.iter().filter_map(|(_, it)| it.named_zone()).collect();
    zones.sort_unstable_by_key(|(name, _)| *name);
    zones.dedup_by_key(|(name, _)| *name);
    for (name, zone) in zones {
        vtimezone::write(name, zone, after, before, &mut out);
    }
    let stamp = utc(created);
    for (index, recurrence) in &recurrences {
        events[*index].write_recurrence(recurrence, &stamp, &mut out);
    }
    for (at, index) in &fires {
        events[*index].write(*at, &stamp, &mut out);
    }
    out.line("END:VCALENDAR");
    Some(IcsCalendar { text: out.text, events: recurrences.len() + fires.len(), cut_at })
}

/// What the events of one schedule share.
struct Event<'a> {
    name: &'a str,
    /// The number of schedules before it with the same name.
    earlier_duplicates: usize,
    summary: String,
    description: String,
}

impl<'a> Event<'a> {
    fn all(schedules: &[NamedSchedule<'a>], clock: ClockFormat) -> Vec<Self> {
        let mut name_counts = HashMap::new();
        let event = |named: &NamedSchedule<'a>| {
            let count: &mut usize = name_counts.entry(named.name).or_default();
            *count += 1;
            let zone = named.schedule.zone.iana_name().unwrap_or("local");
            let cadence = cadence_text(&named.schedule.cron, zone, clock);
            let name = named.name.trim();
            Self {
                name: named.name,
                earlier_duplicates: *count - 1,
                summary: escaped(if name.is_empty() { &cadence } else { name }),
                description: escaped(&cadence),
            }
        };
        schedules.iter().map(event).collect()
    }

    fn write(&self, at: Timestamp, stamp: &str, out: &mut Lines) {
        let start = utc(at);
        self.write_lines(&start, &[format!("DTSTART:{start}")], stamp, out);
    }

    /// Writes one event for all fires.
    fn write_recurrence(&self, recurrence: &Recurrence, stamp: &str, out: &mut Lines) {
        let times = [recurrence.start(), format!("RRULE:{}", recurrence.rule())];
        self.write_lines(EVERY_FIRE, &times, stamp, out);
    }

    /// Writes an event; `which` says which fires it is of.
    fn write_lines(&self, which: &str, times: &[String], stamp: &str, out: &mut Lines) {
        out.line("BEGIN:VEVENT");
        out.line(&format!("UID:{}@dibber", self.uid(which)));
        out.line(&format!("DTSTAMP:{stamp}"));
        for line in times {
            out.line(line);
        }
        out.line(&format!("SUMMARY:{}", self.summary));
        out.line(&format!("DESCRIPTION:{}", self.description));
        out.line("TRANSP:TRANSPARENT");
        out.line("END:VEVENT");
    }

    fn uid(&self, which: &str) -> String {
        let digest = Sha256::new()
            .chain_update(which)
            .chain_update((self.earlier_duplicates as u64).to_be_bytes())
            .chain_update(self.name)
            .finalize();
        hex(&digest[..UID_BYTES])
    }
}

/// Escapes text (RFC 5545, section 3.3.11). Control characters are shown as their code points.
fn escaped(text: &str) -> String {
    escape_line(text).replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,")
}
