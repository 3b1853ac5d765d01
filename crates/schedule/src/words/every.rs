//! The grammar of what repeats: "every 2 hours", "every day", "twice a week", "daily".

use super::days::not_regular;
use super::error::ScheduleTextError;
use super::grammar::{Grammar, Taken};
use super::phrase::Times;
use super::vocabulary::{Term, Unit};

/// Every weekday, as bits from Sunday.
const WEEK: u64 = 0x7F;
const FEBRUARY: u32 = 2;
/// The leap day, as a day of February.
const LEAP_DATE: u32 = 29;
/// What to write in place of an interval that is too short.
const TIMES_HELP: &str = "write `every day at 8am` or `every 6 hours`";
/// The minutes of an hour.
const HOUR: u32 = 60;

const DAY: Term = Term::Unit(Unit::Day);

impl Grammar<'_> {
    /// Parses "twice a day", "three times a week".
    pub(super) fn count(&mut self, start: usize) -> Taken {
        let found = self.cursor.attempt(|cursor| {
            let word = cursor.take_value(|term| match term {
                Term::Count(count) => Some(count),
                _ => None,
            });
            let count = word.or_else(|| {
                let (number, _) = cursor.number()?;
                cursor.take(Term::Times).then_some(number)
            });
            let Some(count) = count else { return Ok(None) };
            let _ = cursor.take(Term::Per) || cursor.take(Term::Every);
            let unit = cursor.take_value(|term| match term {
                Term::Unit(unit) | Term::Adverb(unit) => Some(unit),
                _ => None,
            });
            match unit {
                Some(unit) => Ok(Some((count, unit))),
                None => Err(cursor.expected("`a day` or `a week`")),
            }
        })?;
        let Some((count, unit)) = found else { return Ok(false) };
        let span = self.cursor.span_from(start);
        match unit {
            Unit::Hour if (1..=HOUR).contains(&count) && HOUR.is_multiple_of(count) => {
                let step = HOUR / count;
                self.set_times(Times::AllDay { step, span }, start)?;
            }
            Unit::Day | Unit::Week | Unit::Month => self.phrase.counts.push((count, unit, span)),
            _ => {
                let help = "write `every 6 hours` or the times: `8am, noon and 6pm`";
                let message = "the schedule does not say at which times";
                return Err(ScheduleTextError::new(span, message, help));
            }
        }
        Ok(true)
    }

    /// Parses "every" and what follows it.
    pub(super) fn every(&mut self, start: usize) -> Taken {
        if !self.cursor.take(Term::Every) {
            return Ok(false);
        }
        if let Some(minutes) = self.fraction() {
            self.every_minutes(minutes, start)?;
            return Ok(true);
        }
        if self.is_second() {
            self.cursor.at += 1;
            let (message, help) = ("a second is too short for a schedule", TIMES_HELP);
            return Err(ScheduleTextError::new(self.cursor.span_from(start), message, help));
        }
        let counted = self.cursor.attempt(|cursor| {
            let count = cursor.ordinal().or_else(|| Some(cursor.number()?.0));
            let weekday = |term| matches!(term, Term::Weekdays(_)).then_some(None);
            let unit = cursor.take_value(|term| match term {
                Term::Unit(unit) => Some(Some(unit)),
                Term::HourSign => Some(Some(Unit::Hour)),
                term => weekday(term).filter(|_| count.is_some()),
            });
            Ok(unit.map(|unit| (count.unwrap_or(1), unit)))
        })?;
        if let Some((count, unit)) = counted {
            self.every_unit(count, unit, start)?;
            return Ok(true);
        }
        if self.cursor.take_all(&[Term::Leap, DAY]) {
            self.leap_date();
            self.set_months(1 << FEBRUARY, start)?;
            self.add_days(Some(1 << LEAP_DATE), None, start)?;
            return Ok(true);
        }
        if self.part_of_day() {
            self.add_days(None, None, start)?;
            return Ok(true);
        }
        if self.days(start)? {
            return Ok(true);
        }
        Err(self.cursor.expected("a day or a time, such as `day`, `Monday` or `2 hours`"))
    }

    /// Takes "(Feb 29)".
    fn leap_date(&mut self) {
        let start = self.cursor.at;
        let is_taken = self.cursor.take_sign('(')
            && self.cursor.take(Term::Month(FEBRUARY))
            && self.cursor.number().is_some_and(|(date, _)| date == LEAP_DATE)
            && self.cursor.take_sign(')');
        if !is_taken {
            self.cursor.at = start;
        }
    }

    /// Returns `true` if "second" is next and is a unit of time, because nothing is counted by it.
    fn is_second(&self) -> bool {
        let written = &self.cursor.text[self.cursor.span().range()];
        written.to_lowercase().starts_with("second")
            && matches!(self.cursor.term(1), None | Some(Term::At))
    }

    /// Parses "half hour" and "quarter of an hour" after "every".
    fn fraction(&mut self) -> Option<u32> {
        let start = self.cursor.at;
        let minutes = self.cursor.take_value(|term| match term {
            Term::Fraction(minutes) => Some(minutes),
            _ => None,
        })?;
        self.cursor.take(Term::Of);
        self.cursor.take(Term::Per);
        if self.cursor.take(Term::Unit(Unit::Hour)) {
            return Some(minutes);
        }
        self.cursor.at = start;
        None
    }

    /// Parses what follows "every 2 hours", "every day", "every other Monday".
    fn every_unit(
        &mut self,
        count: u32,
        unit: Option<Unit>,
        start: usize,
    ) -> Result<(), ScheduleTextError> {
        let span = self.cursor.span_from(start);
        match (unit, count) {
            (Some(Unit::Minute), _) => self.every_minutes(count, start),
            (Some(Unit::Hour), _) => self.every_minutes(count.saturating_mul(HOUR), start),
            (Some(Unit::Day), 1) => {
                let weekdays = self.except(WEEK)?;
                self.add_days(None, Some(weekdays).filter(|days| *days != WEEK), start)
            }
            (Some(unit), 1) => match self.phrase.repeated.replace((unit, span)) {
                Some((before, _)) if before != unit => {
                    let help = "write one of them: `monthly on the 1st at 8am` or `weekly on \
                                Mondays at 8am`";
                    let message = "the schedule says twice how often it repeats";
                    Err(ScheduleTextError::new(span, message, help))
                }
                _ => Ok(()),
            },
            _ => Err(not_regular(count, unit, span)),
        }
    }

    fn every_minutes(&mut self, step: u32, start: usize) -> Result<(), ScheduleTextError> {
        let times = self.cursor.interval(step, start)?;
        self.set_times(times, start)
    }

    /// Parses "hourly", "daily", "weekly".
    pub(super) fn adverb(&mut self, start: usize) -> Taken {
        let unit = self.cursor.take_value(|term| match term {
            Term::Adverb(unit) => Some(unit),
            _ => None,
        });
        let Some(unit) = unit else { return Ok(false) };
        self.every_unit(1, Some(unit), start)?;
        Ok(true)
    }
}
