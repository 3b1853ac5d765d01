//! The fires and clock changes of a period of days.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::cadence::zone_words;
use crate::named_schedule::NamedSchedule;

/// The fires and clock changes from the first to the last day.
pub(super) struct Tally {
    /// The minutes in which something fires, in order.
    pub(super) minutes: Vec<FireMinute>,
    pub(super) changes: Vec<ClockChange>,
    /// The number of heartbeats.
    pub(super) heartbeats: usize,
}

/// A minute in which something fires.
pub(super) struct FireMinute {
    /// The local time of the picture.
    pub(super) local: DateTime,
    /// A bit for each heartbeat that fires.
    pub(super) by: u64,
}

/// A clock change in the zone of a heartbeat, or in that of the picture.
pub(super) struct ClockChange {
    /// The local time of the picture: the beginning of the skipped or repeated hour.
    pub(super) local: DateTime,
    /// The minutes by which the clock is set forward.
    pub(super) minutes: i32,
    /// The zone, in words.
    pub(super) zone: String,
}

impl Tally {
    pub(super) fn new(
        heartbeats: &[NamedSchedule<'_>],
        zone: &TimeZone,
        first: Date,
        last: Date,
    ) -> Self {
        let (start, end) = (start_of(first, zone), end_of(last, zone));
        let mut by_minute = vec![0_u64; minutes_between(start, end) + 1];
        for (index, heartbeat) in heartbeats.iter().enumerate() {
            let before = start.saturating_sub(SignedDuration::from_nanos(1)).unwrap_or(start);
            let fires = heartbeat.schedule.fires_after(before).take_while(|fire| fire.at < end);
            for fire in fires {
                by_minute[minutes_between(start, fire.at)] |= 1 << index;
            }
        }
        let minutes = (0_i64..).zip(by_minute).filter(|(_, by)| *by != 0).map(|(minute, by)| {
            let at = Timestamp::from_second(start.as_second() + minute * 60).unwrap_or(end);
            FireMinute { local: zone.to_datetime(at), by }
        });
        let minutes = minutes.filter(|minute| (first..=last).contains(&minute.local.date()));
        Self {
            minutes: minutes.collect(),
            changes: changes(heartbeats, zone, start, end),
            heartbeats: heartbeats.len(),
        }
    }
}

/// Returns the clock changes of all zones, in order.
fn changes(
    heartbeats: &[NamedSchedule<'_>],
    zone: &TimeZone,
    start: Timestamp,
    end: Timestamp,
) -> Vec<ClockChange> {
    let mut zones = vec![zone];
    for heartbeat in heartbeats {
        if !zones.contains(&&heartbeat.schedule.zone) {
            zones.push(&heartbeat.schedule.zone);
        }
    }
    let mut changes = Vec::new();
    for changing in zones {
        let mut before = changing.to_offset(start);
        let following = changing.following(start).take_while(|change| change.timestamp() < end);
        for change in following.filter(|change| change.timestamp() > start) {
            let offset = std::mem::replace(&mut before, change.offset());
            let local = if changing == zone {
                let earlier = offset.min(change.offset());
                earlier.to_datetime(change.timestamp())
            } else {
                zone.to_datetime(change.timestamp())
            };
            let minutes = (change.offset().seconds() - offset.seconds()) / 60;
            if minutes != 0 {
                changes.push(ClockChange { local, minutes, zone: zone_label(changing) });
            }
        }
    }
    changes.sort_by_key(|change| change.local);
    changes
}

/// Returns the words for a zone.
pub(super) fn zone_label(zone: &TimeZone) -> String {
    zone.iana_name().map_or_else(|| "local time".to_owned(), zone_words)
}

/// Returns the first instant of a day.
fn start_of(day: Date, zone: &TimeZone) -> Timestamp {
    let midnight = zone.to_ambiguous_timestamp(day.at(0, 0, 0, 0));
    midnight.earlier().unwrap_or(Timestamp::MIN)
}

/// Returns the first instant after a day.
fn end_of(day: Date, zone: &TimeZone) -> Timestamp {
    let midnight = day.tomorrow().map(|next| zone.to_ambiguous_timestamp(next.at(0, 0, 0, 0)));
    midnight.and_then(jiff::tz::AmbiguousTimestamp::later).unwrap_or(Timestamp::MAX)
}

/// Returns the whole minutes between two instants.
fn minutes_between(start: Timestamp, end: Timestamp) -> usize {
    let seconds = end.as_second() - start.as_second();
    usize::try_from(seconds.max(0) / 60).expect("a year fits")
}
