//! The time from which fires are shown.

use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{SignedDuration, Timestamp, Zoned};

use crate::cli::error::CommandError;
use dibber_schedule::ClockFormat;
use dibber_text::{message, quote, quote_display};

use super::relative::{clock_time, day};

/// The years in which a time may lie: those for which there are fires in all calendars.
const YEARS: std::ops::RangeInclusive<i16> = 1900..=9000;

/// A typed time.
#[derive(Clone, Copy)]
pub(super) enum FromTime {
    /// An instant, the same on all clocks.
    Instant(Timestamp),
    /// On the clock of a zone that is not parsed yet.
    Local(DateTime),
    /// The start of a day in such a zone.
    Day(Date),
}

/// The start of the preview.
pub(super) struct Start {
    /// The instant after which fires count.
    pub(super) after: Timestamp,
    /// The typed time; none for the present.
    pub(super) given: Option<Zoned>,
    /// A note if the typed time does not exist or comes twice.
    pub(super) note: Option<String>,
}

impl FromTime {
    /// Parses a time.
    pub(super) fn parse(typed: &str) -> Result<Self, CommandError> {
        let text = typed.trim();
        let has_time = text.contains(['T', 't', ' ', ':']);
        // The parsers would ignore the name of a zone in brackets.
        let names_zone = text.contains('[');
        let from = match text.parse::<Timestamp>() {
            _ if names_zone => None,
            Ok(instant) => Some(Self::Instant(instant)),
            Err(_) if has_time => text.parse::<DateTime>().map(Self::Local).ok(),
            Err(_) => text.parse::<Date>().map(Self::Day).ok(),
        };
        let from = from.ok_or_else(|| {
            CommandError::new(message!["invalid time `--from ", quote(typed), "`"]).help(
                "write a date, `2026-03-08`, a local time, `2026-03-08T02:30`, or a time with its \
                 offset, `2026-03-08T02:30:00-05:00`",
            )
        })?;
        let year = match from {
            Self::Instant(instant) => TimeZone::UTC.to_datetime(instant).year(),
            Self::Local(local) => local.year(),
            Self::Day(day) => day.year(),
        };
        if YEARS.contains(&year) {
            return Ok(from);
        }
        let (first, last) = (YEARS.start(), YEARS.end());
        Err(CommandError::new(message!["`--from ", quote(typed), "` is out of range"]).help(
            message!["the year must be from ", quote_display(first), " to ", quote_display(last)],
        ))
    }

    /// Returns the start on the clock of a zone.
    pub(super) fn start(self, zone: &TimeZone, clock: ClockFormat) -> Start {
        match self {
            Self::Instant(instant) => {
                Start { after: instant, given: Some(instant.to_zoned(zone.clone())), note: None }
            }
            Self::Day(date) => {
                // The first instant of the day, which need not be midnight.
                let start = date.to_zoned(zone.clone()).expect("a day of those years");
                Start { after: just_before(start.timestamp()), given: Some(start), note: None }
            }
            Self::Local(local) => local_start(local, zone, clock),
        }
    }
}

impl Start {
    /// Starts at the present.
    pub(super) const fn now(now: Timestamp) -> Self {
        Self { after: now, given: None, note: None }
    }

    /// Returns the instant that relative times count from.
    pub(super) fn at(&self) -> Timestamp {
        self.given.as_ref().map_or(self.after, Zoned::timestamp)
    }
}

fn local_start(local: DateTime, zone: &TimeZone, clock: ClockFormat) -> Start {
    let ambiguous = zone.to_ambiguous_timestamp(local);
    let offset = ambiguous.offset();
    let taken = ambiguous.compatible().expect("a time of those years");
    let what = format!("{} on {}", clock_time(local, clock), day(local.date()));
    let name = zone.iana_name().unwrap_or("its zone");
    match offset {
        AmbiguousOffset::Unambiguous { .. } => {
            Start { after: taken, given: Some(taken.to_zoned(zone.clone())), note: None }
        }
        AmbiguousOffset::Gap { .. } => {
            // A fire that the gap moves to its end is one after the time that was typed.
            let before = taken.checked_sub(SignedDuration::from_hours(48)).unwrap_or(taken);
            let changes = zone.following(before).take_while(|change| change.timestamp() <= taken);
            let change = changes.last().map_or(taken, |change| change.timestamp());
            let start = change.to_zoned(zone.clone());
            let first = clock_time(start.datetime(), clock);
            let note = format!("{what} does not exist in {name}; it begins at {first}");
            Start { after: just_before(change), given: Some(start), note: Some(note) }
        }
        AmbiguousOffset::Fold { .. } => {
            let start = taken.to_zoned(zone.clone());
            let offset = start.strftime("%:z");
            let note = format!(
                "{what} comes twice in {name}; it begins at the first, with the offset {offset}"
            );
            Start { after: taken, given: Some(start), note: Some(note) }
        }
    }
}

fn just_before(instant: Timestamp) -> Timestamp {
    instant.checked_sub(SignedDuration::from_secs(1)).unwrap_or(instant)
}
