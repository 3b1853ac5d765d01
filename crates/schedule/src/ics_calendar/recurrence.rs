//! Schedules as recurrence rules (RFC 5545, section 3.3.10).

use std::fmt::Write;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::lines::utc;
use crate::calendar::set_bits;
use crate::cron::{Cron, JobKind};
use crate::fires::{Schedule, ceil_minute, floor_minute, local_second};

/// The days of the week from Sunday on, as rules name them.
const WEEKDAYS: [&str; 7] = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
/// The values of fields that match everything.
const EVERY_WEEKDAY: u64 = 0x7F;
const EVERY_DAY_OF_MONTH: u64 = 0xFFFF_FFFE;
const EVERY_MONTH: u64 = 0x1FFE;
/// The names of the zone whose times need no definition.
const UTC_NAMES: [&str; 2] = ["UTC", "Etc/UTC"];
/// How far around the span clock changes are considered. No clock was ever set by more than a day.
const CHANGE_MARGIN: SignedDuration = SignedDuration::from_hours(48);

/// A schedule that a rule expresses exactly.
pub(super) struct Recurrence<'a> {
    schedule: &'a Schedule,
    zone_name: &'a str,
    days: Days,
    first: Timestamp,
    last: Timestamp,
}

/// The days that a rule repeats an event on, apart from its months.
#[derive(Clone, Copy)]
enum Days {
    Every,
    OfWeek,
    OfMonth,
}

impl<'a> Recurrence<'a> {
    /// Returns the rule for the fires after an instant and before another, if there is one. A single
    /// fire needs none.
    pub(super) fn of(schedule: &'a Schedule, after: Timestamp, before: Timestamp) -> Option<Self> {
        let zone_name = schedule.zone.iana_name()?;
        let days = Days::of(&schedule.cron)?;
        if !is_exact(schedule, after, before) {
            return None;
        }
        let mut fires = schedule.fires_after(after).take_while(|fire| fire.at < before);
        let first = fires.next()?.at;
        fires.next()?;
        // The end of a rule is inclusive, and in whole seconds.
        let last = before.checked_sub(SignedDuration::from_secs(1)).ok()?;
        Some(Self { schedule, zone_name, days, first, last })
    }

    /// Returns the zone that a calendar has to define.
    pub(super) fn named_zone(&self) -> Option<(&'a str, &'a TimeZone)> {
        (!self.is_utc()).then_some((self.zone_name, &self.schedule.zone))
    }

    /// Returns the property with the first time.
    pub(super) fn start(&self) -> String {
        if self.is_utc() {
            return format!("DTSTART:{}", utc(self.first));
        }
        let local = self.schedule.zone.to_datetime(self.first).strftime("%Y%m%dT%H%M%S");
        format!("DTSTART;TZID={}:{local}", self.zone_name)
    }

    /// Returns the rule. The time of a single time a day is that of the first one.
    pub(super) fn rule(&self) -> String {
        let cron = &self.schedule.cron;
        let mut rule = match self.days {
            Days::Every => "FREQ=DAILY".to_owned(),
            Days::OfWeek => {
                let days = set_bits(cron.day_of_week.values & EVERY_WEEKDAY);
                let days: Vec<_> = days.map(|day| WEEKDAYS[day as usize]).collect();
                format!("FREQ=WEEKLY;BYDAY={}", days.join(","))
            }
            Days::OfMonth => {
                format!("FREQ=MONTHLY;BYMONTHDAY={}", numbers(cron.day_of_month.values))
            }
        };
        let mut push = |name, values| {
            write!(rule, ";{name}={}", numbers(values)).expect("a string takes all text");
        };
        if cron.month.values != EVERY_MONTH {
            push("BYMONTH", cron.month.values);
        }
        if cron.times_per_day() > 1 {
            push("BYHOUR", cron.hour.values);
            push("BYMINUTE", cron.minute.values);
        }
        format!("{rule};UNTIL={}", utc(self.last))
    }

    fn is_utc(&self) -> bool {
        UTC_NAMES.contains(&self.zone_name)
    }
}

impl Days {
    /// Returns the days of an expression; none if a rule would have to join two kinds of them.
    fn of(cron: &Cron) -> Option<Self> {
        let every_weekday = cron.day_of_week.values & EVERY_WEEKDAY == EVERY_WEEKDAY;
        let every_day_of_month = cron.day_of_month.values == EVERY_DAY_OF_MONTH;
        match (cron.requires_both_day_fields(), every_weekday, every_day_of_month) {
            (true, true, true) | (false, true, _) | (false, _, true) => Some(Self::Every),
            (true, false, true) => Some(Self::OfWeek),
            (true, true, false) => Some(Self::OfMonth),
            (_, false, false) => None,
        }
    }
}

/// Returns `true` if no clock change between two instants makes cron fire at other times than a
/// rule, which moves a skipped time by the length of the gap, and means the first of two times.
fn is_exact(schedule: &Schedule, after: Timestamp, before: Timestamp) -> bool {
    let start = after.checked_sub(CHANGE_MARGIN).unwrap_or(Timestamp::MIN);
    let end = before.checked_add(CHANGE_MARGIN).unwrap_or(Timestamp::MAX);
    let mut offset = schedule.zone.to_offset(start);
    for change in schedule.zone.following(start).take_while(|it| it.timestamp() <= end) {
        let (earlier, later) = (offset, change.offset());
        offset = later;
        let local = |offset| local_second(change.timestamp(), offset);
        // The local times that the clock skips, or shows twice.
        let (from, to) = (local(earlier.min(later)), local(earlier.max(later)));
        let is_repeated = later < earlier;
        if is_repeated && schedule.cron.kind() == JobKind::Fixed {
            continue;
        }
        if schedule.cron.first_match(floor_minute(from), ceil_minute(to)).is_some() {
            return false;
        }
    }
    true
}

/// Returns the values of a field, with commas.
fn numbers(values: u64) -> String {
    set_bits(values).map(|value| value.to_string()).collect::<Vec<_>>().join(",")
}
