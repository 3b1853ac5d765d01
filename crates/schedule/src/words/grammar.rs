//! The grammar of a schedule in words: days, months, times and a zone, in any order.
//!
//! Each production takes what it knows from the cursor, and leaves what it does not know to the
//! next one. What none of them knows is the error.

use super::cursor::{Cursor, EXAMPLES};
use super::days::{dates, dates_of_month, month_range, not_regular, weekdays};
use super::error::ScheduleTextError;
use super::lexer::lexemes;
use super::phrase::{Phrase, Times};
use super::vocabulary::{Term, Unit};
use crate::cadence::zone_of_words;
use crate::cron::Cron;
use crate::tzdb::zone;
use dibber_text::Span;

/// The most words of a time zone, such as "Port-au-Prince time".
const ZONE_LEXEMES_MAX: usize = 8;
/// Every weekday, as bits from Sunday.
const WEEK: u64 = 0x7F;
const FEBRUARY: u64 = 1 << 2;
const LEAP_DAY: u64 = 1 << 29;
/// The minutes of an hour.
const HOUR: u32 = 60;

const DAY: Term = Term::Unit(Unit::Day);
const MONTH: Term = Term::Unit(Unit::Month);

/// Whether a production has taken something.
type Taken = Result<bool, ScheduleTextError>;

/// A schedule in words that is being parsed.
pub(super) struct Grammar<'a> {
    cursor: Cursor<'a>,
    phrase: Phrase,
    /// Whether "and" is before the next part.
    is_linked: bool,
    /// Whether the days are complete, because the times come after them.
    are_days_closed: bool,
    /// Whether the months come after days, which they limit.
    are_months_of_days: bool,
}

impl Grammar<'_> {
    /// Parses a schedule in words, and returns its zone if it has one.
    pub(super) fn parse(text: &str) -> Result<(Cron, Option<String>), ScheduleTextError> {
        let lexemes = lexemes(text);
        let mut grammar = Grammar {
            cursor: Cursor { text, lexemes: &lexemes, at: 0 },
            phrase: Phrase::default(),
            is_linked: false,
            are_days_closed: false,
            are_months_of_days: false,
        };
        let mut parts = 0;
        grammar.take_link();
        while grammar.cursor.peek(0).is_some() {
            grammar.part()?;
            grammar.take_link();
            parts += 1;
        }
        if grammar.is_linked || parts == 0 {
            return Err(grammar.cursor.expected("a day or a time"));
        }
        let cron = grammar.phrase.cron(text)?;
        Ok((cron, grammar.phrase.zone))
    }

    fn take_link(&mut self) {
        while self.cursor.take_sign(',') || self.cursor.take_sign('.') {}
        self.is_linked = self.cursor.take(Term::And) || self.cursor.take_sign('&');
        self.cursor.take(Term::Also);
    }

    /// Parses the next part, whatever it is.
    fn part(&mut self) -> Result<(), ScheduleTextError> {
        let start = self.cursor.at;
        let is_known = self.count(start)?
            || self.every(start)?
            || self.adverb(start)?
            || self.months()?
            || self.days(start)?
            || self.times(start)?
            || self.zone();
        if is_known { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Parses "twice a day", "three times a week".
    fn count(&mut self, start: usize) -> Taken {
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
                let help = "write the time between two: `every 2 hours`";
                let message = "the schedule does not say at which times";
                return Err(ScheduleTextError::new(span, message, help));
            }
        }
        Ok(true)
    }

    /// Parses "every" and what follows it.
    fn every(&mut self, start: usize) -> Taken {
        if !self.cursor.take(Term::Every) {
            return Ok(false);
        }
        let counted = self.cursor.attempt(|cursor| {
            let count = cursor.ordinal().or_else(|| Some(cursor.number()?.0));
            let weekday = |term| matches!(term, Term::Weekdays(_)).then_some(None);
            let unit = cursor.take_value(|term| match term {
                Term::Unit(unit) => Some(Some(unit)),
                term => weekday(term).filter(|_| count.is_some()),
            });
            Ok(unit.map(|unit| (count.unwrap_or(1), unit)))
        })?;
        if let Some((count, unit)) = counted {
            self.every_unit(count, unit, start)?;
            return Ok(true);
        }
        if self.cursor.take_all(&[Term::Leap, DAY]) {
            // "(Feb 29)"
            if self.cursor.is_sign(0, '(') && self.cursor.is_sign(3, ')') {
                self.cursor.at += 4;
            }
            self.set_months(FEBRUARY, start)?;
            self.add_days(Some(LEAP_DAY), None, start)?;
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
            (Some(unit), 1) => {
                self.phrase.repeated = Some((unit, span));
                Ok(())
            }
            _ => Err(not_regular(count, unit, span)),
        }
    }

    fn every_minutes(&mut self, step: u32, start: usize) -> Result<(), ScheduleTextError> {
        let times = self.cursor.interval(step, start)?;
        self.set_times(times, start)
    }

    /// Parses "hourly", "daily", "weekly".
    fn adverb(&mut self, start: usize) -> Taken {
        let unit = self.cursor.take_value(|term| match term {
            Term::Adverb(unit) => Some(unit),
            _ => None,
        });
        let Some(unit) = unit else { return Ok(false) };
        self.every_unit(1, Some(unit), start)?;
        Ok(true)
    }

    /// Parses "except Sunday" after weekdays, and returns those that are left.
    fn except(&mut self, days: u64) -> Result<u64, ScheduleTextError> {
        let start = self.cursor.at;
        if !self.cursor.take(Term::Except) {
            return Ok(days);
        }
        self.cursor.take(Term::On);
        let Some(excepted) = weekdays(&mut self.cursor)? else {
            return Err(self.cursor.expected("a weekday"));
        };
        if days & !excepted == 0 {
            let help = "write the days that are left, such as `every day except Sunday`";
            let message = "no day is left of the schedule";
            return Err(ScheduleTextError::new(self.cursor.span_from(start), message, help));
        }
        Ok(days & !excepted)
    }

    /// Parses "in January", "from June to August", "of each month", and "from Monday to Friday".
    fn months(&mut self) -> Taken {
        let start = self.cursor.at;
        let every_month = [
            &[Term::Of, Term::The, MONTH][..],
            &[Term::Of, Term::Every, MONTH],
            &[Term::Of, Term::Per, MONTH],
        ];
        if every_month.iter().any(|words| self.cursor.take_all(words)) {
            return Ok(true);
        }
        let is_range = self.cursor.take(Term::From) || self.cursor.take(Term::Between);
        if is_range || self.cursor.take(Term::In) || self.cursor.take(Term::Of) {
            if let Some(months) = self.cursor.list(|cursor, _| month_range(cursor))? {
                self.set_months(months.into_iter().fold(0, |all, item| all | item), start)?;
                return Ok(true);
            }
            let weekdays = if is_range { weekdays(&mut self.cursor)? } else { None };
            if weekdays.is_some() {
                self.add_days(None, weekdays, start)?;
                return Ok(true);
            }
        }
        self.cursor.at = start;
        Ok(false)
    }

    /// Parses weekdays or dates, after "on" or not.
    fn days(&mut self, start: usize) -> Taken {
        let is_on = self.cursor.take(Term::On);
        self.cursor.take(Term::The);
        if let Some(weekdays) = weekdays(&mut self.cursor)? {
            let weekdays = self.except(weekdays)?;
            self.add_days(None, Some(weekdays), start)?;
            self.part_of_day();
            if self.cursor.take_all(&[Term::That, Term::Fall, Term::On]) {
                let _ = self.cursor.take(Term::The) || self.cursor.take(Term::Per);
                let dates = dates(&mut self.cursor)?;
                self.phrase.dates = Some(dates.ok_or_else(|| self.cursor.expected("a date"))?);
                self.phrase.requires_both = true;
            }
            return Ok(true);
        }
        if let Some(dates) = dates(&mut self.cursor)? {
            self.add_days(Some(dates), None, start)?;
            return Ok(true);
        }
        if let Some((month, dates)) = dates_of_month(&mut self.cursor)? {
            self.add_days(Some(dates), None, start)?;
            self.set_months(1 << month, start)?;
            return Ok(true);
        }
        if is_on {
            return Err(self.cursor.expected("a day, such as `Monday` or `the 1st`"));
        }
        Ok(false)
    }

    /// Takes "morning" after "every" or a weekday.
    fn part_of_day(&mut self) -> bool {
        let part = self.cursor.take_value(|term| match term {
            Term::Part(part) => Some(part),
            _ => None,
        });
        self.phrase.part = part.or(self.phrase.part);
        part.is_some()
    }

    fn times(&mut self, start: usize) -> Taken {
        let is_at = self.cursor.take(Term::At);
        match self.cursor.times_at()? {
            Some(times) => self.set_times(times, start).map(|()| true),
            None if is_at => Err(self.cursor.expected("a time of the day")),
            None => Ok(false),
        }
    }

    /// Parses the words of a time zone, or its name.
    fn zone(&mut self) -> bool {
        let (at, text) = (self.cursor.at, self.cursor.text);
        if self.phrase.zone.is_some() {
            return false;
        }
        for length in (1..=ZONE_LEXEMES_MAX).rev() {
            let lexemes = self.cursor.lexemes;
            let Some(words) = lexemes.get(at..at + length) else { continue };
            let span = Span::new(words[0].span.start, words[length - 1].span.end);
            let words = text[span.range()].trim_start_matches('(').trim_end_matches(')');
            if let Some(zone) = zone_of_words(words) {
                self.phrase.zone = Some(zone);
                self.cursor.at += length;
                return true;
            }
        }
        false
    }

    /// Returns the error for a part that is unknown. A zone that was probably meant is its help.
    fn unexpected(&self) -> ScheduleTextError {
        let error = self.cursor.unexpected();
        let rest = self.cursor.text[error.span.start..].trim();
        let has_similar = error.help() != Some(EXAMPLES.into());
        match zone(rest) {
            Err(unknown) if !has_similar && self.phrase.times.is_some() => {
                let span = Span::new(error.span.start, error.span.start + rest.len());
                ScheduleTextError::new(span, unknown.message(), unknown.help())
            }
            _ => error,
        }
    }

    fn set_times(&mut self, times: Times, start: usize) -> Result<(), ScheduleTextError> {
        let span = self.cursor.span_from(start);
        if self.phrase.times.is_some() {
            let message = "a schedule has one list of times";
            let help = "write them together, `at 8am and 8pm`, or make another schedule";
            return Err(ScheduleTextError::new(span, message, help));
        }
        self.phrase.times = Some((times, span));
        self.are_days_closed = self.phrase.has_days;
        Ok(())
    }

    fn set_months(&mut self, months: u64, start: usize) -> Result<(), ScheduleTextError> {
        if self.phrase.months.is_some() {
            let message = "a schedule has one list of months";
            let help = "write them together: `in January and July`";
            return Err(ScheduleTextError::new(self.cursor.span_from(start), message, help));
        }
        self.phrase.months = Some(months);
        self.are_months_of_days = self.phrase.has_days;
        Ok(())
    }

    /// Adds days to those before them; neither dates nor weekdays are every day.
    fn add_days(
        &mut self,
        dates: Option<u64>,
        weekdays: Option<u64>,
        start: usize,
    ) -> Result<(), ScheduleTextError> {
        let phrase = &mut self.phrase;
        let has_other = phrase.dates.or(phrase.weekdays).is_some() && !phrase.requires_both;
        if !phrase.has_days {
            (phrase.has_days, phrase.dates, phrase.weekdays) = (true, dates, weekdays);
            return Ok(());
        }
        let is_union = self.is_linked && has_other && !self.are_days_closed;
        if is_union && !self.are_months_of_days && dates.or(weekdays).is_some() {
            let union = |old: Option<u64>, new: Option<u64>| match (old, new) {
                (Some(old), Some(new)) => Some(old | new),
                (old, new) => old.or(new),
            };
            (phrase.dates, phrase.weekdays) =
                (union(phrase.dates, dates), union(phrase.weekdays, weekdays));
            return Ok(());
        }
        let span = self.cursor.span_from(start);
        let (message, help) = match () {
            () if self.are_days_closed => {
                ("a schedule has the same times on all its days", "make a schedule for each")
            }
            () if is_union => (
                "the months could be those of all days, or of the first ones",
                "write the months first: `in January, on the 1st and also every Monday`",
            ),
            () => (
                "a schedule has one list of days",
                "write `on the 13th and also every Friday`, or `on Mondays that fall on the 1st to \
                 7th`",
            ),
        };
        Err(ScheduleTextError::new(span, message, help))
    }
}
