//! Fires as an iCalendar file (RFC 5545).
//!
//! Each fire is an event at an instant of UTC. A recurrence rule would be shorter, but cannot
//! express "the 13th and also every Friday", and programs differ on clock changes.

use std::collections::HashMap;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::cadence::{ClockFormat, cadence_text};
use crate::named_schedule::NamedSchedule;
use dibber_text::{escape_line, hex};

/// The most events of one calendar.
pub const EVENTS_MAX: usize = 10_000;

/// The most bytes of a line (RFC 5545, section 3.1).
const LINE_BYTES_MAX: usize = 75;
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
/// (`UID`) as long as the name of its schedule and its instant do not change.
pub fn ics_calendar(
    schedules: &[NamedSchedule<'_>],
    after: Timestamp,
    before: Timestamp,
    created: Timestamp,
    clock: ClockFormat,
) -> Option<IcsCalendar> {
    let mut fires = Vec::new();
    for (index, named) in schedules.iter().enumerate() {
        let own = named.schedule.fires_after(after).take_while(|fire| fire.at < before);
        // One more than the limit, to know the first that is left out.
        fires.extend(own.take(EVENTS_MAX + 1).map(|fire| (fire.at, index)));
        fires.sort_unstable();
        fires.truncate(EVENTS_MAX + 1);
    }
    let cut_at = fires.get(EVENTS_MAX).map(|(at, _)| *at);
    fires.truncate(EVENTS_MAX);
    if fires.is_empty() {
        return None;
    }
    let events = Event::all(schedules, clock);
    let mut out = Lines::default();
    out.line("BEGIN:VCALENDAR");
    out.line("VERSION:2.0");
    out.line("PRODID:-//dibber//heartbeats//EN");
    out.line("CALSCALE:GREGORIAN");
    let stamp = utc(created);
    for (at, index) in &fires {
        events[*index].write(*at, &stamp, &mut out);
    }
    out.line("END:VCALENDAR");
    Some(IcsCalendar { text: out.text, events: fires.len(), cut_at })
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
        out.line("BEGIN:VEVENT");
        out.line(&format!("UID:{}@dibber", self.uid(&start)));
        out.line(&format!("DTSTAMP:{stamp}"));
        out.line(&format!("DTSTART:{start}"));
        out.line(&format!("SUMMARY:{}", self.summary));
        out.line(&format!("DESCRIPTION:{}", self.description));
        out.line("TRANSP:TRANSPARENT");
        out.line("END:VEVENT");
    }

    fn uid(&self, start: &str) -> String {
        let digest = Sha256::new()
            .chain_update(start)
            .chain_update((self.earlier_duplicates as u64).to_be_bytes())
            .chain_update(self.name)
            .finalize();
        hex(&digest[..UID_BYTES])
    }
}

/// Returns an instant as a date-time of UTC.
fn utc(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Escapes text (RFC 5545, section 3.3.11). Control characters are shown as their code points.
fn escaped(text: &str) -> String {
    escape_line(text).replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,")
}

/// Lines, folded where they are too long.
#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn line(&mut self, line: &str) {
        let mut bytes = 0;
        for c in line.chars() {
            if bytes + c.len_utf8() > LINE_BYTES_MAX {
                // The space that marks a continuation counts towards its line.
                self.text.push_str("\r\n ");
                bytes = 1;
            }
            self.text.push(c);
            bytes += c.len_utf8();
        }
        self.text.push_str("\r\n");
    }
}
