//! The grammar of a schedule in words: days, months, times and a zone, in any order.
//!
//! Each production takes what it knows from the cursor, and leaves what it does not know to the
//! next one. What none of them knows is the error.

use super::cursor::Cursor;
use super::days::{check_no_numeric_date, dates, dates_of_month, month_range, weekdays};
use super::error::ScheduleTextError;
use super::hints::hint;
use super::lexer::lexemes;
use super::phrase::{Phrase, Times};
use super::vocabulary::{Term, Unit};
use super::zone_name::ZoneName;
use crate::cron::Cron;
use crate::tzdb::{is_place_or_alias, zone};
use dibber_text::{Span, message, quote};

/// What to write for a time zone.
const ZONE_EXAMPLES: &str = "write `every day at 8am ET` or `weekdays at 8am Europe/Berlin`";
/// The most words of a time zone, such as "Port-au-Prince time".
const ZONE_LEXEMES_MAX: usize = 8;

const MONTH: Term = Term::Unit(Unit::Month);

/// Whether a production has taken something.
pub(super) type Taken = Result<bool, ScheduleTextError>;

/// A schedule in words that is being parsed.
pub(super) struct Grammar<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) phrase: Phrase,
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
            return Err(grammar.cursor.expected("a day or a time, such as `at 8:00pm`"));
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
        check_no_numeric_date(&mut self.cursor)?;
        let is_known = self.count(start)?
            || self.every(start)?
            || self.adverb(start)?
            || self.parts_of_days(start)?
            || self.months()?
            || self.days(start)?
            || self.times(start)?
            || self.zone()?;
        if is_known { Ok(()) } else { Err(self.unexpected()) }
    }

    /// Parses "mornings", which is every morning.
    fn parts_of_days(&mut self, start: usize) -> Taken {
        let is_known = !self.phrase.has_days && self.part_of_day();
        if is_known {
            self.add_days(None, None, start)?;
        }
        Ok(is_known)
    }

    /// Parses "except Sunday" after weekdays, and returns those that are left.
    pub(super) fn except(&mut self, days: u64) -> Result<u64, ScheduleTextError> {
        let start = self.cursor.at;
        if !self.cursor.take(Term::Except) {
            return Ok(days);
        }
        self.cursor.take(Term::On);
        let Some(excepted) = weekdays(&mut self.cursor)? else {
            return Err(self.cursor.expected("a weekday"));
        };
        if days & !excepted == 0 {
            let help = "write the days that are left: `every day except Sunday at 8am` or `weekdays at 8am`";
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
        if is_range && self.cursor.clock_time()?.is_some() {
            let message = "the schedule says from when to when, and not how often";
            let help = "write `every 4 hours from 8am to 8pm` or `every day at 8am and 8pm`";
            return Err(ScheduleTextError::new(self.cursor.span_from(start), message, help));
        }
        self.cursor.at = start;
        Ok(false)
    }

    /// Parses weekdays or dates, after "on" or not.
    pub(super) fn days(&mut self, start: usize) -> Taken {
        let is_on = self.cursor.take(Term::On);
        let is_named = self.cursor.take(Term::The) || is_on;
        // "Ten to eight" is a time, and "on the 10 to 18" are dates.
        if !is_named && self.cursor.minutes_near_hour().is_some() {
            self.cursor.at = start;
            return Ok(false);
        }
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
    pub(super) fn part_of_day(&mut self) -> bool {
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
            None if is_at => Err(self.cursor.expected("a time, such as `8:00pm`")),
            None => Ok(false),
        }
    }

    /// Parses the words of a time zone, its name, or a city: "ET", "Berlin time", "in Munich".
    fn zone(&mut self) -> Taken {
        let (start, text) = (self.cursor.at, self.cursor.text);
        let at = start + usize::from(self.cursor.term(0) == Some(Term::In));
        for length in (1..=ZONE_LEXEMES_MAX).rev() {
            let lexemes = self.cursor.lexemes;
            let Some(words) = lexemes.get(at..at + length) else { continue };
            let span = Span::new(words[0].span.start, words[length - 1].span.end);
            let name = ZoneName::new(&text[span.range()], at > start);
            let Some(zone) = name.zone() else { continue };
            self.cursor.at = at + length;
            if self.phrase.zone.is_some() {
                let message = "a schedule has one time zone";
                let help = ZONE_EXAMPLES;
                return Err(ScheduleTextError::new(span, message, help));
            }
            self.phrase.zone = Some(zone);
            return Ok(true);
        }
        Ok(false)
    }

    /// Returns the error for a part that is unknown. A zone that was probably meant is its help.
    fn unexpected(&self) -> ScheduleTextError {
        let error = self.cursor.next_with_hint().unwrap_or_else(|| self.cursor.unexpected());
        let text = self.cursor.text;
        let rest = text[error.span.start..].trim();
        let name = rest.strip_prefix("in ").unwrap_or(rest).trim_matches(['(', ')']);
        let is_hinted = hint(&name.to_lowercase()).is_some();
        let typed = ZoneName::new(name, rest.starts_with("in "));
        if typed.is_improbable() {
            let is_meant = typed.has_capital() && !is_hinted && self.phrase.times.is_some();
            let (schedule, name) = (quote(text[..error.span.start].trim()), quote(name));
            let help = message!["for the time zone, write `", schedule, " ", name, " time`"];
            return if is_meant { error.with_help(help) } else { error };
        }
        let unknown = zone(name).err().filter(|_| !is_hinted).filter(|unknown| {
            // A misspelled weekday has a capital letter, too.
            let is_name = name.starts_with(char::is_uppercase)
                && (name.contains(' ') || error.corrected(text).is_none());
            let is_probable = is_place_or_alias(name) || is_name;
            is_probable && unknown.suggestion.is_some() || name.contains('/') || is_offset(name)
        });
        let Some(unknown) = unknown.filter(|_| self.phrase.times.is_some()) else { return error };
        let span = Span::new(error.span.start, error.span.start + rest.len());
        let help = match &unknown.suggestion {
            Some(zone) => {
                let written = self.cursor.text[..span.start].trim_end();
                message!["did you mean `", quote(written), " ", quote(zone), "`?"]
            }
            None => ZONE_EXAMPLES.into(),
        };
        let message = if is_offset(name) {
            message!["`", quote(name), "` is an offset, not a time zone"]
        } else {
            unknown.message()
        };
        ScheduleTextError::new(span, message, help)
    }

    pub(super) fn set_times(
        &mut self,
        times: Times,
        start: usize,
    ) -> Result<(), ScheduleTextError> {
        let span = self.cursor.span_from(start);
        if self.phrase.times.is_some() {
            let message = "a schedule has one list of times";
            let help =
                "write them together: `every day at 8am and 8pm` or `weekdays at 8am and noon`";
            return Err(ScheduleTextError::new(span, message, help));
        }
        self.phrase.times = Some((times, span));
        self.are_days_closed = self.phrase.has_days;
        Ok(())
    }

    pub(super) fn set_months(
        &mut self,
        months: u64,
        start: usize,
    ) -> Result<(), ScheduleTextError> {
        if self.phrase.months.is_some() {
            let message = "a schedule has one list of months";
            let help = "write them together: `in January and July, every day at 8am` or `in June to August at 8am`";
            return Err(ScheduleTextError::new(self.cursor.span_from(start), message, help));
        }
        self.phrase.months = Some(months);
        self.are_months_of_days = self.phrase.has_days;
        Ok(())
    }

    /// Adds days to those before them; neither dates nor weekdays are every day.
    pub(super) fn add_days(
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
            () if self.are_days_closed => (
                "a schedule has the same times on all its days",
                "make a schedule for each: `weekdays at 8am` and `weekends at 9am`",
            ),
            () if is_union => (
                "the months could be those of all days, or of the first ones",
                "write the months first, `in January, on the 1st and also every Monday at 8am`, or make a schedule for each, `every Monday at 8am`",
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

/// Returns `true` for an offset such as `GMT+2`, which is no time zone.
fn is_offset(name: &str) -> bool {
    let signed = ["GMT", "UTC"].iter().find_map(|prefix| name.strip_prefix(prefix));
    signed.unwrap_or(name).starts_with(['+', '-'])
}
