//! What a schedule in words says, and the expression that says the same.

use super::clock::{ClockItem, minutes, shown};
use super::error::ScheduleTextError;
use super::vocabulary::{ODD_DATES, PartOfDay, Unit};
use crate::cadence::listed;
use crate::calendar::set_bits;
use crate::cron::{Cron, Field, FieldName};
use dibber_text::{Message, Span, message, quote, quote_in_full};

/// What to write in place of a number of times, of weekdays and of dates.
const TIMES_HELP: &str = "write the times: `every day at 8am and 8pm` or `8am, noon and 6pm`";
const WEEKDAYS_HELP: &str =
    "write the weekdays: `every Monday at 8am` or `on Mondays and Thursdays at 5pm`";
const DATES_HELP: &str = "write the dates: `on the 1st at 8am` or `on the 1st and 15th at noon`";

const HOUR: u32 = 60;
const HOURS: u32 = 24;
/// The most times that a suggestion lists.
const LISTED_MAX: usize = 8;

/// The times of a schedule.
pub(super) enum Times {
    /// Times and ranges of them; an interval follows the clock on the wall.
    Listed { items: Vec<ClockItem>, is_interval: bool },
    /// Minutes of some hours; of every hour if there are none.
    Past { minutes: u64, is_interval: bool, hours: Option<Vec<ClockItem>> },
    /// Every so many minutes.
    AllDay { step: u32, span: Span },
}

/// What a schedule in words says.
#[derive(Default)]
pub(super) struct Phrase {
    pub(super) has_days: bool,
    pub(super) dates: Option<u64>,
    pub(super) weekdays: Option<u64>,
    /// "on Fridays that fall on the 13th", and not "on the 13th and also every Friday".
    pub(super) requires_both: bool,
    pub(super) months: Option<u64>,
    pub(super) times: Option<(Times, Span)>,
    pub(super) part: Option<PartOfDay>,
    pub(super) zone: Option<String>,
    /// "twice a day": how many there have to be in the unit.
    pub(super) counts: Vec<(u32, Unit, Span)>,
    /// "weekly": the unit whose day has to be named.
    pub(super) repeated: Option<(Unit, Span)>,
}

type Fields<const COUNT: usize> = Result<[Field; COUNT], ScheduleTextError>;

impl Phrase {
    /// Returns the expression of the schedule `text`.
    pub(super) fn cron(&self, text: &str) -> Result<Cron, ScheduleTextError> {
        self.check_repeated()?;
        let [minute, hour] = self.time_fields(text)?;
        self.check_part(minute.values, hour.values)?;
        self.check_counts(text, minute.values.count_ones() * hour.values.count_ones())?;
        let [day_of_month, day_of_week] = self.day_fields(text)?;
        let every_month = Field::every(FieldName::Month);
        let month =
            self.months.map_or(every_month, |values| list_or_every(FieldName::Month, values));
        Ok(Cron { minute, hour, day_of_month, month, day_of_week })
    }

    /// Checks that "weekly", "monthly" and "yearly" come with their day.
    fn check_repeated(&self) -> Result<(), ScheduleTextError> {
        let Some((unit, span)) = self.repeated else { return Ok(()) };
        let (is_named, help) = match unit {
            Unit::Week => (self.weekdays.is_some(), WEEKDAYS_HELP),
            Unit::Month => (self.dates.is_some(), DATES_HELP),
            _ => (
                self.dates.is_some() && self.months.is_some(),
                "write `every Jan 1 at 8am` or `every Dec 24 at 6pm`",
            ),
        };
        if is_named {
            return Ok(());
        }
        Err(ScheduleTextError::new(span, "the schedule does not say on which day", help))
    }

    /// Checks that the times are in the part of the day that the schedule names: "every morning".
    fn check_part(&self, minutes: u64, hours: u64) -> Result<(), ScheduleTextError> {
        let (Some(part), Some((_, span))) = (self.part, &self.times) else { return Ok(()) };
        let Some(hour) = set_bits(hours).find(|hour| !part.has_hour(*hour)) else { return Ok(()) };
        let time = shown(hour * HOUR + minutes.trailing_zeros());
        let time = quote_in_full(&time);
        let message = message!["`", time, "` is not in the ", part.word()];
        let (word, example) = (part.word(), part.example());
        // The help must not change the days.
        let help = if self.dates.or(self.weekdays).or(self.months).is_some() {
            message![
                "leave out the part of the day, or write a time in the ",
                word,
                ": `",
                example,
                "`"
            ]
        } else {
            message!["write `every day at ", time, "` or `every ", word, " at ", example, "`"]
        };
        Err(ScheduleTextError::new(*span, message, help))
    }

    fn check_counts(&self, text: &str, times: u32) -> Result<(), ScheduleTextError> {
        for (count, unit, span) in &self.counts {
            let (found, missing, what, help) = match unit {
                Unit::Day if self.times.is_none() => (0, "at which times", "times", TIMES_HELP),
                Unit::Day => (times, "at which times", "times", TIMES_HELP),
                Unit::Week => (bits(self.weekdays), "on which days", "weekdays", WEEKDAYS_HELP),
                _ => (bits(self.dates), "on which dates", "dates", DATES_HELP),
            };
            if found == *count {
                continue;
            }
            let written = quote(&text[span.range()]);
            let message = if found == 0 {
                message!["`", written, "` does not say ", missing]
            } else {
                let what = if found == 1 { what.trim_end_matches('s') } else { what };
                message!["`", written, "` does not agree with ", found, " ", what]
            };
            return Err(ScheduleTextError::new(*span, message, help));
        }
        Ok(())
    }

    /// Returns the error of days without a time.
    fn no_time(&self, text: &str) -> ScheduleTextError {
        let text = text.trim_end();
        let message = "the schedule does not say at what time";
        let help = match self.zone {
            None => message![
                "add a time: `",
                quote(text.trim_start()),
                " at 7pm` or `",
                quote(text.trim_start()),
                " at 8am`"
            ],
            Some(_) => "add a time: `Tuesdays at 7pm Berlin time` or `every day at 8am ET`".into(),
        };
        ScheduleTextError::new(Span::empty(text.len()), message, help)
    }

    fn day_fields(&self, text: &str) -> Fields<2> {
        let (every_date, every_weekday) =
            (Field::every(FieldName::DayOfMonth), Field::every(FieldName::DayOfWeek));
        let weekday_field = |values| list_or_every(FieldName::DayOfWeek, values);
        let date_field = |values| match values {
            ODD_DATES => Field::starred_or_list(FieldName::DayOfMonth, values),
            _ => Field::list(values),
        };
        Ok(match (self.dates, self.weekdays, self.requires_both) {
            (None, None, _) => [every_date, every_weekday],
            (None, Some(weekdays), _) => [every_date, weekday_field(weekdays)],
            (Some(dates), None, _) => [date_field(dates), every_weekday],
            (Some(dates), Some(weekdays), true) => {
                both_days(dates, weekdays).ok_or_else(|| not_both(text))?
            }
            (Some(dates), Some(weekdays), _) => [Field::list(dates), Field::list(weekdays)],
        })
    }

    fn time_fields(&self, text: &str) -> Fields<2> {
        let name_of_step = |is_interval: bool, name: FieldName, values: u64| {
            if is_interval { Field::starred_or_list(name, values) } else { Field::list(values) }
        };
        match &self.times {
            None if self.part.is_some() => {
                let message = "the schedule does not say at what time of that part of the day";
                let end = text.trim_end().len();
                let help = "add a time: `every morning at 7` or `Sunday evenings at 6:30`";
                Err(ScheduleTextError::new(Span::empty(end), message, help))
            }
            None => {
                // Other errors are more specific.
                self.check_counts(text, 0)?;
                self.day_fields(text)?;
                Err(self.no_time(text))
            }
            Some((Times::AllDay { step, span }, _)) => all_day(*step, *span),
            Some((Times::Listed { items, is_interval }, span)) => {
                let times = minutes(text, items, self.part)?;
                let (minutes, hours) = product(&times).ok_or_else(|| uneven(&times, *span))?;
                Ok([
                    name_of_step(*is_interval, FieldName::Minute, minutes),
                    name_of_step(*is_interval, FieldName::Hour, hours),
                ])
            }
            Some((Times::Past { minutes: past, is_interval, hours }, span)) => {
                let minute = name_of_step(*is_interval, FieldName::Minute, *past);
                let Some(items) = hours else { return Ok([minute, Field::every(FieldName::Hour)]) };
                let times = minutes(text, items, self.part)?;
                if let Some(time) = times.iter().find(|time| **time % HOUR != 0) {
                    let time = shown(*time);
                    let message = message!["`", quote_in_full(&time), "` is not a whole hour"];
                    return Err(ScheduleTextError::new(
                        *span,
                        message,
                        "write `5 minutes past 8am` or `8:35am`",
                    ));
                }
                let hours = times.iter().fold(0, |hours, time| hours | 1 << (time / HOUR));
                Ok([minute, name_of_step(*is_interval, FieldName::Hour, hours)])
            }
        }
    }
}

fn bits(values: Option<u64>) -> u32 {
    values.unwrap_or_default().count_ones()
}

fn list_or_every(name: FieldName, values: u64) -> Field {
    let every = Field::every(name);
    if every.values == values { every } else { Field::list(values) }
}

/// Returns the fields of days that have to match both sets. One of the fields has to begin with
/// `*`, which includes the first day of the month, or Sunday.
fn both_days(dates: u64, weekdays: u64) -> Option<[Field; 2]> {
    let date = Field::with_star(FieldName::DayOfMonth, dates);
    let weekday = Field::with_star(FieldName::DayOfWeek, weekdays);
    match (date, weekday) {
        (Some(date), _) => Some([date, Field::list(weekdays)]),
        (None, Some(weekday)) => Some([Field::list(dates), weekday]),
        (None, None) => None,
    }
}

fn not_both(text: &str) -> ScheduleTextError {
    let message = "a schedule cannot have both these dates and these weekdays";
    let help = "name one of them, `every Friday at 8am` or `on the 13th at 8am`, and let the skill check \
                the other";
    ScheduleTextError::new(Span::new(0, text.trim_end().len()), message, help)
}

/// Returns the minutes and the hours whose combinations are exactly these minutes of the day.
fn product(times: &[u32]) -> Option<(u64, u64)> {
    let fold =
        |part: fn(u32) -> u32| times.iter().fold(0_u64, |bits, time| bits | 1 << part(*time));
    let (minutes, hours) = (fold(|time| time % HOUR), fold(|time| time / HOUR));
    let combinations = minutes.count_ones() * hours.count_ones();
    (combinations as usize == times.len()).then_some((minutes, hours))
}

/// Returns the error for times that have other minutes in some hours than in others.
fn uneven(times: &[u32], span: Span) -> ScheduleTextError {
    let message = "one schedule has the same minutes in all of its hours";
    let groups = times.iter().fold(0_u64, |bits, time| bits | 1 << (time % HOUR));
    let of_minute = |minute: u32| {
        let group = times.iter().filter(|time| **time % HOUR == minute).map(|time| shown(*time));
        format!("at {}", listed(&group.collect::<Vec<_>>(), "and"))
    };
    if times.len() > LISTED_MAX {
        let help = "end the time between two fires at the last one of an hour: `every 15 minutes \
                    from 9am to 4:45pm`";
        return ScheduleTextError::new(span, message, help);
    }
    let groups: Vec<String> = set_bits(groups).map(of_minute).collect();
    let groups = groups.iter().map(|group| message!["`", quote_in_full(group), "`"]);
    let help = message!["make a schedule for each: ", Message::join(groups, ", ")];
    ScheduleTextError::new(span, message, help)
}

/// Returns the fields of a schedule that fires every `step` minutes.
fn all_day(step: u32, span: Span) -> Fields<2> {
    let every_hour = Field::every(FieldName::Hour);
    if step <= HOUR && HOUR.is_multiple_of(step) {
        let minutes = (0..HOUR).step_by(step as usize).fold(0, |bits, minute| bits | 1 << minute);
        return Ok([Field::starred_or_list(FieldName::Minute, minutes), every_hour]);
    }
    let times: Vec<u32> = (0..HOURS * HOUR).step_by(step as usize).collect();
    if step.is_multiple_of(HOUR) && HOURS.is_multiple_of(step / HOUR) {
        let hours = times.iter().fold(0, |bits, time| bits | 1 << (time / HOUR));
        return Ok([Field::list(1), Field::starred_or_list(FieldName::Hour, hours)]);
    }
    let message = "this interval does not fit evenly into an hour or a day";
    if step >= HOUR && step.is_multiple_of(HOUR) && times.len() <= LISTED_MAX {
        let times: Vec<String> = times.into_iter().map(shown).collect();
        let times = listed(&times, "and");
        let help = message!["write the times: `at ", quote_in_full(&times), "`"];
        return Err(ScheduleTextError::new(span, message, help));
    }
    let help = "write `every 30 minutes` or `every 6 hours`: 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30 \
                minutes, or 1, 2, 3, 4, 6, 8 or 12 hours";
    Err(ScheduleTextError::new(span, message, help))
}
