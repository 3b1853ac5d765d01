//! Fires as a calendar file that other programs read (RFC 5545).
//!
//! Each fire is an event of its own at an instant of UTC. A rule of recurrence would be shorter,
//! but none says "the 13th and also every Friday", and each program has its own view of clock
//! changes.

use std::collections::HashMap;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::picture::Heartbeat;
use super::{Clock, cadence_text};
use dibber_text::{escape_line, hex};

/// The most events of one calendar.
pub const EVENTS_MAX: usize = 10_000;

/// The most bytes of a line (RFC 5545, section 3.1).
const LINE_BYTES_MAX: usize = 75;
/// How many bytes of a digest tell events apart.
const UID_BYTES: usize = 16;

/// A calendar of fires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// The file, with CRLF line breaks.
    pub text: String,
    /// How many events it has.
    pub events: usize,
    /// There are more fires than [`EVENTS_MAX`]; this is the first that was left out.
    pub cut_at: Option<Timestamp>,
}

/// The fires of heartbeats after an instant and before another, as a calendar made at the instant
/// `made`.
///
/// None when nothing fires, because a calendar has an event at least. An event keeps its
/// identity (`UID`) as long as the name of its heartbeat and its instant stay.
pub fn calendar(
    heartbeats: &[Heartbeat<'_>],
    after: Timestamp,
    before: Timestamp,
    made: Timestamp,
    clock: Clock,
) -> Option<Calendar> {
    let mut fires = Vec::new();
    for (index, heartbeat) in heartbeats.iter().enumerate() {
        let of_it = heartbeat.schedule.fires_after(after).take_while(|fire| fire.at < before);
        // One more than can be taken, to know the first that is left out.
        fires.extend(of_it.take(EVENTS_MAX + 1).map(|fire| (fire.at, index)));
        fires.sort_unstable();
        fires.truncate(EVENTS_MAX + 1);
    }
    let cut_at = fires.get(EVENTS_MAX).map(|(at, _)| *at);
    fires.truncate(EVENTS_MAX);
    if fires.is_empty() {
        return None;
    }
    let events = Event::all(heartbeats, clock);
    let mut out = Lines::default();
    out.line("BEGIN:VCALENDAR");
    out.line("VERSION:2.0");
    out.line("PRODID:-//dibber//heartbeats//EN");
    out.line("CALSCALE:GREGORIAN");
    let stamp = utc(made);
    for (at, index) in &fires {
        events[*index].write(*at, &stamp, &mut out);
    }
    out.line("END:VCALENDAR");
    Some(Calendar { text: out.text, events: fires.len(), cut_at })
}

/// What the events of one heartbeat share.
struct Event<'a> {
    name: &'a str,
    /// How many heartbeats before it have the same name.
    namesakes: usize,
    summary: String,
    description: String,
}

impl<'a> Event<'a> {
    fn all(heartbeats: &[Heartbeat<'a>], clock: Clock) -> Vec<Self> {
        let mut namesakes = HashMap::new();
        let event = |heartbeat: &Heartbeat<'a>| {
            let count: &mut usize = namesakes.entry(heartbeat.name).or_default();
            *count += 1;
            let zone = heartbeat.schedule.zone.iana_name().unwrap_or("local");
            let cadence = cadence_text(&heartbeat.schedule.cron, zone, clock);
            let name = heartbeat.name.trim();
            Self {
                name: heartbeat.name,
                namesakes: *count - 1,
                summary: escaped(if name.is_empty() { &cadence } else { name }),
                description: escaped(&cadence),
            }
        };
        heartbeats.iter().map(event).collect()
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
            .chain_update((self.namesakes as u64).to_be_bytes())
            .chain_update(self.name)
            .finalize();
        hex(&digest[..UID_BYTES])
    }
}

/// An instant as a date-time of UTC.
fn utc(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// A text as a value (RFC 5545, section 3.3.11). Controls are shown as their numbers.
fn escaped(text: &str) -> String {
    escape_line(text).replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,")
}

/// Lines that are folded where they are too long.
#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn line(&mut self, line: &str) {
        let mut bytes = 0;
        for c in line.chars() {
            if bytes + c.len_utf8() > LINE_BYTES_MAX {
                self.text.push_str("\r\n ");
                bytes = 1;
            }
            self.text.push(c);
            bytes += c.len_utf8();
        }
        self.text.push_str("\r\n");
    }
}
