//! The grammar of times: "8am and 8pm", "every 2 hours from 9am to 5pm", "5 minutes past every
//! hour".

use super::clock::{ClockItem, ClockTime, LAST_MINUTE, Mark};
use super::cursor::Cursor;
use super::error::ScheduleTextError;
use super::lexer::LexemeKind;
use super::phrase::Times;
use super::vocabulary::{PartOfDay, Term, Unit};
use dibber_text::message;

/// The minutes of an hour.
const HOUR: u32 = 60;
/// The fewest minutes that are said after an hour without a word between them.
const SPOKEN_MINUTES_MIN: u32 = 15;
/// The minutes up to which are said before the next hour, or after the one before.
const HALF_HOUR: u32 = 30;

type Parsed<T> = Result<Option<T>, ScheduleTextError>;

impl Cursor<'_> {
    /// Parses "8am", "19:30", "noon", "7 in the evening".
    pub(super) fn clock_time(&mut self) -> Parsed<ClockTime> {
        self.attempt(|cursor| {
            let start = cursor.at;
            let named = cursor.take_value(|term| match term {
                Term::Clock(minutes) => Some(minutes),
                _ => None,
            });
            if let Some(minutes) = named {
                let (hour, minute) = (minutes / HOUR, Some(minutes % HOUR));
                let span = cursor.span_from(start);
                return Ok(Some(ClockTime { hour, minute, mark: Mark::Named, span }));
            }
            if let Some(time) = cursor.fraction_of_hour(start) {
                return Ok(Some(time));
            }
            let is_word = cursor.term(0).is_some();
            let Some((hour, has_two)) = cursor.number() else { return Ok(None) };
            if let Some(time) = cursor.signed_hour(hour, start) {
                return Ok(Some(time));
            }
            let minute = if is_word { cursor.spoken_minute() } else { cursor.minute_of_time()? };
            let part = cursor.part_of_time();
            if minute.is_none() && part.is_none() && cursor.is_other_number() {
                return Ok(None);
            }
            let mark = match part {
                Some(part) => Mark::Part(part),
                None if is_word && minute.is_some() => Mark::Spoken,
                None if has_two => Mark::TwoDigits,
                None => Mark::None,
            };
            Ok(Some(ClockTime { hour, minute, mark, span: cursor.span_from(start) }))
        })
    }

    /// Parses "half past seven" and "quarter to 8pm".
    fn fraction_of_hour(&mut self, start: usize) -> Option<ClockTime> {
        let minutes = self.take_value(|term| match term {
            Term::Fraction(minutes) => Some(minutes),
            _ => None,
        })?;
        self.near_hour(minutes, start)
    }

    /// Parses "ten to eight" and "twenty-five past seven in the morning". This is no part of
    /// [`Cursor::clock_time`]: in "from ten to eight", the same words are two times.
    pub(super) fn minutes_near_hour(&mut self) -> Option<ClockTime> {
        let start = self.at;
        let minutes = match self.term(0)? {
            Term::Number(minutes @ (5 | 10)) => {
                self.at += 1;
                minutes
            }
            _ => self.spoken_minute().filter(|minutes| *minutes < HALF_HOUR)?,
        };
        self.near_hour(minutes, start)
    }

    /// Takes "past seven" or "to 8pm" after the minutes that began at `start`; goes back to it if there
    /// is nothing of that.
    fn near_hour(&mut self, minutes: u32, start: usize) -> Option<ClockTime> {
        let is_past = self.take(Term::Past);
        let hour = if is_past || self.take(Term::To) { self.number() } else { None };
        let Some((hour, _)) = hour else {
            self.at = start;
            return None;
        };
        let mark = self.part_of_time().map_or(Mark::Spoken, Mark::Part);
        let (hour, minute) = match (is_past, hour) {
            (true, hour) => (hour, minutes),
            // "Quarter to 1" is in the hour of 12.
            (false, 1) => (12, HOUR - minutes),
            (false, hour) => (hour.saturating_sub(1), HOUR - minutes),
        };
        let span = self.span_from(start);
        Some(ClockTime { hour, minute: Some(minute), mark, span })
    }

    /// Parses what follows the hour of "19h30" and "19 Uhr".
    fn signed_hour(&mut self, hour: u32, start: usize) -> Option<ClockTime> {
        if !self.take(Term::HourSign) {
            return None;
        }
        let minute = self.peek(0).and_then(|next| match next.kind {
            LexemeKind::Digits { value, has_two: true } if next.is_glued => Some(value),
            _ => None,
        });
        self.at += usize::from(minute.is_some());
        let minute = Some(minute.unwrap_or(0));
        Some(ClockTime { hour, minute, mark: Mark::HourSign, span: self.span_from(start) })
    }

    /// Takes the minute of "seven thirty" and "seven forty-five".
    fn spoken_minute(&mut self) -> Option<u32> {
        let Some(Term::Number(tens)) = self.term(0) else { return None };
        if tens < SPOKEN_MINUTES_MIN {
            return None;
        }
        self.at += 1;
        let by = usize::from(self.is_sign(0, '-'));
        match self.term(by) {
            Some(Term::Number(ones)) if tens.is_multiple_of(10) && ones < 10 => {
                self.at += by + 1;
                Some(tens + ones)
            }
            _ => Some(tens),
        }
    }

    /// Takes a number, and returns it and whether it has two digits.
    pub(super) fn number(&mut self) -> Option<(u32, bool)> {
        let found = match self.peek(0)?.kind {
            LexemeKind::Digits { value, has_two } => (value, has_two),
            LexemeKind::Term(Term::Number(value)) => (value, false),
            _ => return None,
        };
        self.at += 1;
        Some(found)
    }

    /// Returns `true` if what follows a number makes it something other than a time: "1st",
    /// "5 minutes", "3 times", "24 December".
    fn is_other_number(&self) -> bool {
        matches!(
            self.term(0),
            Some(Term::Ending | Term::Unit(_) | Term::Times | Term::Month(_) | Term::Past)
        )
    }

    /// Takes ":30".
    fn minute_of_time(&mut self) -> Parsed<u32> {
        let is_glued = |by| self.peek(by).is_some_and(|next| next.is_glued);
        let is_colon = self.is_sign(0, ':');
        if !is_glued(0) || !is_colon && !self.is_sign(0, '.') {
            return Ok(None);
        }
        match self.peek(1).filter(|next| next.is_glued).map(|next| next.kind) {
            Some(LexemeKind::Digits { value, has_two: true }) => {
                self.at += 2;
                Ok(Some(value))
            }
            _ if is_colon => {
                self.at += 1;
                Err(self.expected("two digits of the minute"))
            }
            _ => Ok(None),
        }
    }

    /// Takes "am", "in the morning" or "at night", after "o'clock" or not.
    fn part_of_time(&mut self) -> Option<PartOfDay> {
        self.take(Term::Oclock);
        let half = self.take_value(|term| match term {
            Term::Half(half) => Some(half),
            _ => None,
        });
        if half.is_some() {
            return half;
        }
        let (length, part) = match [self.term(0)?, self.term(1)?, self.term(2).unwrap_or(Term::The)]
        {
            [Term::In, Term::The, Term::Part(part)] => (3, part),
            [Term::At, Term::Part(part), _] => (2, part),
            _ => return None,
        };
        self.at += length;
        Some(part)
    }

    /// Parses what follows "at": a list of times, or "5 minutes past every hour".
    pub(super) fn times_at(&mut self) -> Parsed<Times> {
        if let Some(past) = self.past()? {
            return Ok(Some(past));
        }
        let items = self.list(Self::time_item)?;
        Ok(items.map(|items| Times::Listed { items, is_interval: false }))
    }

    /// Parses an item of a list of times: a time, or "each hour from 9am to 5pm".
    fn time_item(&mut self, is_first: bool) -> Parsed<ClockItem> {
        if !is_first {
            self.take(Term::At);
        }
        if self.take_all(&[Term::Every, Term::Unit(Unit::Hour)]) {
            return self.time_range(HOUR);
        }
        let time = match self.minutes_near_hour() {
            None => self.clock_time()?,
            near => near,
        };
        Ok(time.map(|first| ClockItem { first, last: None }))
    }

    /// Parses "from 9am to 5pm".
    fn time_range(&mut self, step: u32) -> Parsed<ClockItem> {
        self.attempt(|cursor| {
            let is_between = cursor.take(Term::Between);
            if !is_between && !cursor.take(Term::From) {
                return Ok(None);
            }
            let Some(first) = cursor.clock_time()? else { return Ok(None) };
            if !(cursor.take_to() || is_between && cursor.take(Term::And)) {
                return Err(cursor.expected("`to` and the last time"));
            }
            match cursor.clock_time()? {
                Some(last) => Ok(Some(ClockItem { first, last: Some((last, step)) })),
                None => Err(cursor.expected("the last time")),
            }
        })
    }

    /// Parses what follows "every 10 minutes" or "every hour", which began at the lexeme `start`.
    pub(super) fn interval(&mut self, step: u32, start: usize) -> Result<Times, ScheduleTextError> {
        if step == 0 {
            let help = "write how much time is between two: `every 2 hours`";
            let message = "the time between two is 0";
            return Err(ScheduleTextError::new(self.span_from(start), message, help));
        }
        if let Some(past) = self.interval_past(step)? {
            return Ok(past);
        }
        if let Some(hours) = self.hours_within(step)? {
            let minutes = stepped(0, LAST_MINUTE, step);
            return Ok(Times::Past { minutes, is_interval: true, hours: Some(hours) });
        }
        let ranges = self.list(|cursor, is_first| match cursor.time_range(step)? {
            None if !is_first => {
                cursor.take(Term::At);
                Ok(cursor.clock_time()?.map(|first| ClockItem { first, last: None }))
            }
            range => Ok(range),
        })?;
        let span = self.span_from(start);
        Ok(match ranges {
            Some(items) => Times::Listed { items, is_interval: true },
            None => Times::AllDay { step, span },
        })
    }

    /// Parses "from 0 to 56 past every hour".
    fn interval_past(&mut self, step: u32) -> Parsed<Times> {
        self.attempt(|cursor| {
            if !cursor.take(Term::From) {
                return Ok(None);
            }
            let first = cursor.number();
            let last = cursor.take_to().then(|| cursor.number()).flatten();
            let (Some((first, _)), Some((last, _)), true) = (first, last, cursor.take(Term::Past))
            else {
                return Ok(None);
            };
            if first > last || last > LAST_MINUTE {
                cursor.at -= 1;
                return Err(cursor.no_such_minute(first.max(last)));
            }
            let minutes = stepped(first, last, step);
            Ok(Some(Times::Past { minutes, is_interval: true, hours: cursor.hours()? }))
        })
    }

    /// Parses "in the hours that begin at 1am and 5am", or "in every 2nd hour from 8am to 6pm".
    fn hours_within(&mut self, step: u32) -> Parsed<Vec<ClockItem>> {
        const HOURS: Term = Term::Unit(Unit::Hour);
        if !HOUR.is_multiple_of(step) {
            return Ok(None);
        }
        self.attempt(|cursor| {
            let is_list = [Term::In, Term::The, HOURS, Term::That, Term::Begin, Term::At];
            if cursor.take_all(&is_list) {
                let hours = cursor.list(Self::time_item)?;
                return hours.map_or_else(|| Err(cursor.expected("an hour")), |it| Ok(Some(it)));
            }
            if cursor.take(Term::In) { cursor.every_nth_hour() } else { Ok(None) }
        })
    }

    /// Parses "every 2nd hour from 8am to 6pm".
    fn every_nth_hour(&mut self) -> Parsed<Vec<ClockItem>> {
        self.attempt(|cursor| {
            if !cursor.take(Term::Every) {
                return Ok(None);
            }
            let Some(nth) = cursor.ordinal().filter(|nth| (1..=24).contains(nth)) else {
                return Ok(None);
            };
            if !cursor.take(Term::Unit(Unit::Hour)) {
                return Ok(None);
            }
            Ok(cursor.time_range(nth * HOUR)?.map(|range| vec![range]))
        })
    }

    /// Parses the hours after "past". The result is `None` for every hour.
    fn hours(&mut self) -> Parsed<Vec<ClockItem>> {
        if let Some(hours) = self.every_nth_hour()? {
            return Ok(Some(hours));
        }
        if let Some(hours) = self.list(Self::time_item)? {
            return Ok(Some(hours));
        }
        if self.take_all(&[Term::Every, Term::Unit(Unit::Hour)]) {
            return Ok(None);
        }
        Err(self.expected("an hour"))
    }

    /// Parses "5 and 50 minutes past every hour".
    pub(super) fn past(&mut self) -> Parsed<Times> {
        const MINUTES: Term = Term::Unit(Unit::Minute);
        self.attempt(|cursor| {
            let is_before = cursor.take(MINUTES);
            let list = cursor.list(|cursor, _| {
                let Some((first, _)) = cursor.number() else { return Ok(None) };
                let last = if cursor.take_to() { cursor.number() } else { Some((first, false)) };
                Ok(last.map(|(last, _)| (first, last)))
            })?;
            let Some(list) = list else { return Ok(None) };
            if !(is_before || cursor.take(MINUTES)) || !cursor.take(Term::Past) {
                return Ok(None);
            }
            let mut minutes = 0;
            for (first, last) in list {
                if first > last || last > LAST_MINUTE {
                    cursor.at -= 1;
                    return Err(cursor.no_such_minute(last));
                }
                minutes |= stepped(first, last, 1);
            }
            Ok(Some(Times::Past { minutes, is_interval: false, hours: cursor.hours()? }))
        })
    }

    fn no_such_minute(&self, minute: u32) -> ScheduleTextError {
        let message = if minute > LAST_MINUTE {
            message!["an hour has no minute ", minute]
        } else {
            message!["the minutes are not in order"]
        };
        ScheduleTextError::new(
            self.span(),
            message,
            "write `5 and 50 minutes past every hour` or `every 30 minutes`",
        )
    }

    /// Takes "2nd", "second" or "other".
    pub(super) fn ordinal(&mut self) -> Option<u32> {
        if let Some(LexemeKind::Digits { value, .. }) = self.peek(0).map(|next| next.kind) {
            let is_ordinal = self.term(1) == Some(Term::Ending);
            self.at += if is_ordinal { 2 } else { 0 };
            return is_ordinal.then_some(value);
        }
        self.take_value(|term| match term {
            Term::Ordinal(value) => Some(value),
            Term::Other => Some(2),
            _ => None,
        })
    }
}

/// Returns the numbers from `first` to `last`, each `step` after the one before it, as bits.
fn stepped(first: u32, last: u32, step: u32) -> u64 {
    (first..=last).step_by(step as usize).fold(0, |values, value| values | 1 << value)
}
