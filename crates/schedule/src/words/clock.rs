//! Times of the day as they are written, and the minutes that they mean.
//!
//! A time without "am" or "pm" is one of a 24-hour clock if it shows that, or if another one of the
//! same list does. Otherwise it may be of either half of the day, and is ambiguous.

use super::error::ScheduleTextError;
use super::vocabulary::PartOfDay;
use crate::cadence::{ClockFormat, time_of_day};
use dibber_text::{Span, message, quote, quote_in_full};

/// The minutes from which the last one of an hour is counted.
pub(super) const LAST_MINUTE: u32 = 59;
/// The fewest times whose last one may give the half of the day for all: "7, 8 and 9pm".
const SHARED_HALF_MIN: usize = 3;
/// The hours of a time with minutes that is taken for one of a 24-hour clock: "8:00" to "12:59".
/// An earlier one, such as "7:30", is as likely in the evening.
const PLAIN_HOURS: std::ops::RangeInclusive<u32> = 8..=12;

/// A time of the day as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockTime {
    pub(super) hour: u32,
    pub(super) minute: Option<u32>,
    pub(super) mark: Mark,
    pub(super) span: Span,
}

/// What a time says about the half of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It has a name: "noon".
    Named,
    Part(PartOfDay),
    /// It has the sign of a 24-hour clock: "19h30".
    HourSign,
    /// Nothing, and it is not one of a digital clock: "half past eight".
    Spoken,
    /// Nothing, but the hour has two digits.
    TwoDigits,
    None,
}

/// A time, or the times from one to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockItem {
    pub(super) first: ClockTime,
    /// The last time, and the minutes between two times.
    pub(super) last: Option<(ClockTime, u32)>,
}

/// Returns the minutes of the day of a list in `text`. `part` is the part of the day that the
/// schedule names elsewhere: "every morning".
pub(super) fn minutes(
    text: &str,
    items: &[ClockItem],
    part: Option<PartOfDay>,
) -> Result<Vec<u32>, ScheduleTextError> {
    let ends = |item: &ClockItem| [Some(item.first), item.last.map(|(last, _)| last)];
    let mut written: Vec<ClockTime> = items.iter().flat_map(ends).flatten().collect();
    if let Some(part) = part {
        let is_plain = |time: &&mut ClockTime| time.is_unmarked() && time.hour <= 12;
        for time in written.iter_mut().filter(is_plain) {
            time.mark = Mark::Part(part);
        }
    }
    if items.iter().all(|item| item.last.is_none()) {
        share_half(&mut written);
    }
    let hours = HourFormat::of(&written);
    let resolved: Result<Vec<u32>, _> =
        written.iter().map(|time| time.minutes(text, hours)).collect();
    let (mut resolved, mut minutes) = (resolved?.into_iter(), Vec::new());
    for item in items {
        let Some(first) = resolved.next() else { break };
        match item.last.and_then(|(time, step)| Some((time, step, resolved.next()?))) {
            None => minutes.push(first),
            Some((time, _, last)) if last < first => {
                let span = Span::new(item.first.span.start, time.span.end);
                return Err(spans_midnight(span, first, last));
            }
            Some((_, step, last)) => minutes.extend((first..=last).step_by(step as usize)),
        }
    }
    minutes.sort_unstable();
    minutes.dedup();
    Ok(minutes)
}

/// Gives the half of the last time to all before it: "7, 8 and 9pm". They have to ascend, because
/// "11, noon and 1pm" has two halves.
fn share_half(times: &mut [ClockTime]) {
    let [others @ .., last] = times else { return };
    let key = |time: &ClockTime| (time.hour % 12, time.minute);
    let mark @ Mark::Part(_) = last.mark else { return };
    let is_ascending = others.is_sorted_by(|a, b| key(a) < key(b))
        && others.last().is_some_and(|before| key(before) < key(last));
    let is_plain = |time: &ClockTime| time.is_unmarked() && (1..=12).contains(&time.hour);
    if is_ascending && others.len() + 1 >= SHARED_HALF_MIN && others.iter().all(is_plain) {
        for time in others {
            time.mark = mark;
        }
    }
}

fn spans_midnight(span: Span, first: u32, last: u32) -> ScheduleTextError {
    let (first, last) = (shown(first), shown(last));
    let (first, last) = (quote_in_full(&first), quote_in_full(&last));
    let message = message!["from ", first, " to ", last, " is past midnight"];
    let help =
        "write the times of one day: `every hour from 10pm to 11pm` or `at midnight, 1am and 2am`";
    ScheduleTextError::new(span, message, help)
}

/// What a list of times shows about its clock.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HourFormat {
    Unknown,
    Twelve,
    TwentyFour,
}

impl HourFormat {
    fn of(times: &[ClockTime]) -> Self {
        let is_marked = |time: &ClockTime| matches!(time.mark, Mark::Part(_));
        if times.iter().any(ClockTime::shows_24_hours) {
            Self::TwentyFour
        } else if times.iter().any(is_marked) {
            Self::Twelve
        } else {
            Self::Unknown
        }
    }
}

impl ClockTime {
    const fn is_unmarked(&self) -> bool {
        matches!(self.mark, Mark::None | Mark::TwoDigits | Mark::Spoken)
    }

    fn shows_24_hours(&self) -> bool {
        let is_padded = self.mark == Mark::TwoDigits && self.hour < 10;
        self.mark == Mark::HourSign
            || self.is_unmarked() && (is_padded || self.hour == 0 || self.hour > 12)
    }

    /// Returns the minute of the day.
    fn minutes(&self, text: &str, hours: HourFormat) -> Result<u32, ScheduleTextError> {
        let written = &text[self.span.range()];
        let minute = self.minute.unwrap_or(0);
        if minute > LAST_MINUTE {
            return Err(self.no_such_time(written));
        }
        let hour = match self.mark {
            Mark::Named => Some(self.hour),
            Mark::Part(part) => {
                let is_twelve = (self.hour, minute) == (12, 0);
                let is_clear = matches!(part, PartOfDay::Afternoon | PartOfDay::Night);
                if is_twelve && !is_clear {
                    return Err(self.ambiguous(written));
                }
                hour_in(part, self.hour)
            }
            _ if self.shows_24_hours() || hours == HourFormat::TwentyFour => Some(self.hour),
            _ if hours == HourFormat::Unknown
                && self.mark != Mark::Spoken
                && self.minute.is_some()
                && PLAIN_HOURS.contains(&self.hour) =>
            {
                Some(self.hour)
            }
            _ => return Err(self.ambiguous(written)),
        };
        hour.filter(|hour| *hour < 24)
            .map(|hour| hour * 60 + minute)
            .ok_or_else(|| self.no_such_time(written))
    }

    fn no_such_time(&self, written: &str) -> ScheduleTextError {
        let message = message!["`", quote(written), "` is not a time of the day"];
        let (hour, minute) = (self.hour / 100, self.hour % 100);
        if self.minute.is_none() && self.hour >= 100 && hour < 24 && minute <= LAST_MINUTE {
            let time = format!("{hour:02}:{minute:02}");
            let help = message![
                "write `",
                quote_in_full(&time),
                "` or `",
                quote_in_full(&shown(hour * 60 + minute)),
                "`"
            ];
            return ScheduleTextError::new(self.span, message, help);
        }
        let help = "write `7:30pm` or `19:30`, from `00:00` to `23:59`";
        ScheduleTextError::new(self.span, message, help)
    }

    fn ambiguous(&self, written: &str) -> ScheduleTextError {
        let (hour, minute) = (self.hour, self.minute.unwrap_or(0));
        let [early, late] = [hour % 12, hour % 12 + 12].map(|hour| shown(hour * 60 + minute));
        let (first, second) = (quote_in_full(&early), quote_in_full(&late));
        let message = message!["`", quote(written), "` can be ", first, " or ", second];
        ScheduleTextError::ambiguous(self.span, message, [early, late])
    }
}

/// Returns the hour from 0 of an hour from 1 to 12 in a part of the day.
fn hour_in(part: PartOfDay, hour: u32) -> Option<u32> {
    let (morning, evening) = (hour % 12, hour % 12 + 12);
    let is_evening = match part {
        PartOfDay::Am | PartOfDay::Morning => false,
        PartOfDay::Pm | PartOfDay::Afternoon | PartOfDay::Evening => true,
        // The night lasts from the evening to the morning.
        PartOfDay::Night => (6..12).contains(&hour),
    };
    let found = if is_evening { evening } else { morning };
    let first = u32::from(part != PartOfDay::Night);
    (first..=12).contains(&hour).then_some(found)
}

/// Returns a time as it may be written.
pub(super) fn shown(minute: u32) -> String {
    time_of_day(minute / 60, minute % 60, ClockFormat::Twelve)
}
