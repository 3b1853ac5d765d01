//! The effect of clock changes on fires, in words.

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::clock_format::ClockFormat;
use super::lists::listed;
use super::times::time_of_day;
use crate::calendar::LocalMinute;
use crate::fires::{Fire, Schedule, ceil_minute, floor_minute, local_second, to_datetime};

/// The largest clock change there ever was, with a margin: a day, where a zone crossed the date line.
const CHANGE_MAX: SignedDuration = SignedDuration::from_hours(26);

/// Returns the effect of clock changes on consecutive fires of a schedule, in words and in order.
///
/// A note is one line: "2:30am does not exist on Sun 8 Mar 2026; fires at 3:00am". Skipped times
/// are noted if they are between the first and the last fire, and repeated times if one of the
/// fires is among them.
pub fn clock_change_notes(schedule: &Schedule, fires: &[Fire], clock: ClockFormat) -> Vec<String> {
    let [first, ..] = fires else { return Vec::new() };
    let last = fires[fires.len() - 1].at;
    let from = first.at.saturating_sub(CHANGE_MAX).unwrap_or(Timestamp::MIN);
    let until = last.saturating_add(CHANGE_MAX).unwrap_or(Timestamp::MAX);
    let mut before = schedule.zone.to_offset(from);
    let changes = schedule.zone.following(from).take_while(|change| change.timestamp() <= until);
    let notes = changes.filter_map(|change| {
        let offset = std::mem::replace(&mut before, change.offset());
        let change = ClockChange::new(change.timestamp(), offset, change.offset());
        if change.is_gap() {
            change.gap_note(schedule, first.at, last, clock)
        } else {
            change.fold_note(schedule, fires, clock)
        }
    });
    notes.collect()
}

/// A clock change, and the local minutes that it skips or repeats.
struct ClockChange {
    at: Timestamp,
    before: Offset,
    after: Offset,
    start: LocalMinute,
    end: LocalMinute,
}

impl ClockChange {
    fn new(at: Timestamp, before: Offset, after: Offset) -> Self {
        let (earlier, later) = if before < after { (before, after) } else { (after, before) };
        let start = local_second(at, earlier);
        let start = if before < after { floor_minute(start) } else { ceil_minute(start) };
        Self { at, before, after, start, end: ceil_minute(local_second(at, later)) }
    }

    fn is_gap(&self) -> bool {
        self.before < self.after
    }

    /// Returns the times of a schedule that are skipped or repeated.
    fn minutes(&self, schedule: &Schedule) -> Vec<DateTime> {
        let next = |from| schedule.cron.first_match(from, self.end);
        let minutes = std::iter::successors(next(self.start), |found| next(found + 1));
        minutes.filter_map(to_datetime).collect()
    }

    fn gap_note(
        &self,
        schedule: &Schedule,
        first: Timestamp,
        last: Timestamp,
        clock: ClockFormat,
    ) -> Option<String> {
        // A fire that is moved to the end of the gap may be some seconds after the change.
        let minute_before = first.as_second() - 60;
        if self.at.as_second() <= minute_before || last < self.at {
            return None;
        }
        let skipped = self.minutes(schedule);
        let (times, day) = times_of(&skipped, clock)?;
        let verb = if skipped.len() == 1 { "does" } else { "do" };
        let what = if schedule.is_caught_up(self.before, self.after) {
            let is_due = schedule.cron.first_match(self.end, self.end + 1).is_some();
            let once = if is_due || skipped.len() > 1 { "once, " } else { "" };
            format!("fires {once}at {}", exact_time(to_datetime(self.end)?, clock))
        } else {
            "does not fire then".to_owned()
        };
        Some(format!("{times} {verb} not exist on {day}; {what}"))
    }

    fn fold_note(&self, schedule: &Schedule, fires: &[Fire], clock: ClockFormat) -> Option<String> {
        let local = |fire: &Fire| {
            let offset = schedule.zone.to_offset(fire.at);
            floor_minute(local_second(fire.at, offset))
        };
        let is_near = |fire: &Fire| self.at.duration_until(fire.at).abs() <= CHANGE_MAX;
        let is_inside =
            |fire: &&Fire| is_near(fire) && (self.start..self.end).contains(&local(fire));
        fires.iter().find(is_inside)?;
        let repeated = self.minutes(schedule);
        let (times, day) = times_of(&repeated, clock)?;
        let verb = if repeated.len() == 1 { "comes" } else { "come" };
        let which =
            if schedule.is_repeated_by_clock() { "both times" } else { "the first time only" };
        Some(format!("{times} {verb} twice on {day}; fires {which}"))
    }
}

/// "2:30am", "2:00am and 2:30am", "2:00am to 2:50am"; and the day of the first.
fn times_of(times: &[DateTime], clock: ClockFormat) -> Option<(String, String)> {
    let day = times.first()?.strftime("%a %-d %b %Y").to_string();
    let words: Vec<_> = times.iter().map(|time| exact_time(*time, clock)).collect();
    let text = match &words[..] {
        [first, _, .., last] if words.len() > 2 => format!("{first} to {last}"),
        _ => listed(&words, "and"),
    };
    Some((text, day))
}

/// "3:00am": with its minutes, as a clock shows it.
fn exact_time(time: DateTime, clock: ClockFormat) -> String {
    let (hour, minute) = (time.hour().unsigned_abs().into(), time.minute().unsigned_abs().into());
    let text = time_of_day(hour, minute, clock);
    let half = ["am", "pm"].into_iter().find(|half| text.ends_with(half));
    match half.and_then(|half| text.strip_suffix(half)) {
        Some(hour) if minute == 0 => format!("{hour}:00{}", &text[hour.len()..]),
        _ => text,
    }
}
